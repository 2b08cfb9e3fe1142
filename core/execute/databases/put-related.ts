import { ResultTooLarge } from '../../errors/result-too-large.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import type { LinkAnswer } from './read-related.ts'

export interface PutTogether {
  readonly text: string
  /** Stands a null where the relation may have none? */
  readonly lacks: boolean
}

/**
 * The answer of a database with what others had for it, each in its place. All other text stays as it was.
 * @throws ResultTooLarge
 */
export function putRelated(
  text: string,
  found: readonly FoundKey[],
  answers: ReadonlyMap<Link, LinkAnswer>,
  maxResultBytes: number,
): PutTogether {
  let lacks = false
  let length = text.length
  let last = 0
  let whole = ''
  for (const each of found) {
    const { responseKey, field } = each.link.relation
    const value = textFor(each, answers.get(each.link)!)
    if (value === 'null' && !field.type.nullable) lacks = true
    const member = `${JSON.stringify(responseKey)}:${value}`
    length += member.length - (each.to - each.from)
    // One row may stand in many places: it is told before the text is made.
    if (length > maxResultBytes) throw new ResultTooLarge(maxResultBytes)
    whole += text.slice(last, each.from) + member
    last = each.to
  }
  return { text: whole + text.slice(last), lacks }
}

/** A key that leads nowhere leads to no row, or to a list of none. */
function textFor({ key, link }: FoundKey, { indexes, texts }: LinkAnswer): string {
  if (texts === null) return 'null'
  const index = key === null ? undefined : indexes.get(key)
  if (index === undefined) return link.relation.field.list ? '[]' : 'null'
  return texts[index] ?? 'null'
}
