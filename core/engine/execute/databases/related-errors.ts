import { errorAt } from '../../../base/errors/error-at.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import type { LinkAnswer } from './read-related.ts'

type Path = readonly (string | number)[]

/**
 * Gives errors of related rows the paths that they have in the response. An error in a row is repeated for each place
 * where the row occurs. An error of a whole relation has a path without list indexes.
 * @param answers the related rows, by relation
 * @param findPaths finds all keys of related rows in the response, with their paths; called only if there are errors
 * @param eachRow `true`: each row of the root list is a response of its own (events), so that errors of a whole
 * relation are repeated for each row
 */
export function placeErrors(
  errors: readonly SvcError[],
  answers: ReadonlyMap<Link, LinkAnswer>,
  findPaths: () => readonly FoundKey[],
  eachRow: boolean,
): readonly SvcError[] {
  if (errors.length === 0) return errors
  const links = new Map([...answers.keys()].map((link) => [link.key, link]))
  const placed: SvcError[] = []
  for (const error of errors) {
    const [key, index, ...below] = error.path ?? []
    const link = typeof key === 'string' ? links.get(key) : undefined
    if (link === undefined) placed.push(error)
    else if (typeof index !== 'number') {
      const [root = '', ...inner] = [...link.path, ...(index === undefined ? [] : [index, ...below])]
      const starts = eachRow ? rowsWith(link, findPaths()).map((row) => [root, row]) : [[root]]
      for (const start of starts) {
        placed.push(errorAt(error, { path: [...start, ...inner], locations: error.locations }))
      }
    } else {
      const { indexes } = answers.get(link)!
      for (const { link: other, key: at, path } of findPaths()) {
        if (other !== link || at === null || indexes.get(at) !== index) continue
        placed.push(errorAt(error, { path: [...path, ...below], locations: error.locations }))
      }
    }
  }
  return placed
}

/** Returns the indexes of the rows that have a relation. */
function rowsWith(link: Link, found: readonly FoundKey[]): readonly number[] {
  return [...new Set(found.filter((each) => each.link === link).map(({ path }) => Number(path[1])))]
}

/**
 * Tests whether an error already explains a null in the response: its path is that of the null or below it, because a
 * null in a non-null field propagates upwards.
 * @param at path of the null
 */
export function isReported(errors: readonly SvcError[], at: Path): boolean {
  return errors.some(({ path = [] }) => isWithin(path, at))
}

/** Tests whether a path is at or below a place. @param path path that may lack list indexes */
function isWithin(path: Path, place: Path): boolean {
  let next = 0
  for (const key of place) {
    if (path[next] === key) next++
    else if (typeof key !== 'number' || typeof path[next] === 'number') return false
  }
  return true
}
