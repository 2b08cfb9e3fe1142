import { errorAt } from '../../../base/errors/error-at.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import { readItems, readMembers } from '../../json/json-text.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import { type Hop, keysOf } from './operation-part.ts'

/** The rows of one relation into another database, for all parent rows of a response. */
export interface LinkAnswer {
  /** Index in `texts` for each key, so that a row with several parents is read once. */
  readonly indexes: ReadonlyMap<string, number>
  /**
   * JSON text of the row or list of rows for each key; `null`: the read failed, and `HopAnswer.errors` has the reason.
   */
  readonly texts: readonly string[] | null
}

export interface HopAnswer {
  readonly links: ReadonlyMap<Link, LinkAnswer>
  /**
   * Errors of related rows. The path of each begins with `Link.key` and the index of the row's key, not with the path
   * in the response.
   */
  readonly errors: readonly SvcError[]
}

/** Most keys of each relation in one statement. Further keys need further statements. */
const KEYS_AT_ONCE = 1000

/**
 * Reads related rows from another database, for all relations at once. Each distinct key is read once. One statement
 * reads up to 1,000 keys per relation.
 * @param found keys in the response of the first database
 * @param read runs an operation in the other database
 */
export async function readHop(
  operation: Operation,
  { links, part }: Hop,
  found: readonly FoundKey[],
  read: (operation: Operation) => Promise<Result>,
): Promise<HopAnswer> {
  const keys = new Map(links.map((link) => [link, distinctKeys(found, link)]))
  const most = Math.max(...[...keys.values()].map(({ size }) => size))
  const texts = new Map<Link, string[] | null>(links.map((link) => [link, []]))
  const errors: SvcError[] = []
  for (let from = 0; from < most; from += KEYS_AT_ONCE) {
    const slices = links.map((link) => [...keys.get(link)!.keys()].slice(from, from + KEYS_AT_ONCE))
    const given = Object.fromEntries(links.map((link, index) => [keysOf(link), slices[index]]))
    const { form: _form, changed: _changed, write: _write, ...rest } = operation
    const related = { ...rest, template: part.template, variables: { ...operation.variables, ...given } }
    const answer = await read(related)
    for (const error of answer.errors ?? []) errors.push(countedFrom(error, from))
    const members = answer.data === null ? null : readMembers(answer.data)
    for (const link of links) {
      const text = members?.get(link.key) ?? 'null'
      const own = texts.get(link) ?? null
      texts.set(link, text === 'null' || own === null ? null : [...own, ...readItems(text)])
    }
    // All relations failed. Further statements would fail in the same way, after the same wait.
    if (links.every((link) => texts.get(link) === null)) break
  }
  const answers = links.map((link) => [link, { indexes: keys.get(link)!, texts: texts.get(link) ?? null }] as const)
  return { links: new Map(answers), errors }
}

function distinctKeys(found: readonly FoundKey[], link: Link): ReadonlyMap<string, number> {
  const keys = new Map<string, number>()
  for (const { link: other, key } of found) {
    if (other === link && key !== null && !keys.has(key)) keys.set(key, keys.size)
  }
  return keys
}

/** Converts the index of a key in one statement to its index among all keys. */
function countedFrom(error: SvcError, from: number): SvcError {
  const [key, index, ...below] = error.path ?? []
  if (from === 0 || key === undefined || typeof index !== 'number') return error
  return errorAt(error, { path: [key, index + from, ...below], locations: error.locations })
}
