import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import type { LinkAnswer } from './read-related.ts'

export interface PutTogether {
  readonly text: string
  /** A non-null relation is null. */
  readonly lacks: boolean
}

/**
 * Replaces the keys in the answer of a database by the related rows of other databases. All other text is unchanged.
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
    // A row may be inserted many times, so the size is checked before the text is built.
    if (length > maxResultBytes) throw new ResultTooLarge(maxResultBytes)
    whole += text.slice(last, each.from) + member
    last = each.to
  }
  return { text: whole + text.slice(last), lacks }
}

/** Returns the text for a key: its rows; `null` or an empty list when there are none. */
function textFor({ key, link }: FoundKey, { indexes, texts }: LinkAnswer): string {
  if (texts === null) return 'null'
  const index = key === null ? undefined : indexes.get(key)
  if (index === undefined) return link.relation.field.list ? '[]' : 'null'
  return texts[index] ?? 'null'
}
