import { errorAt } from '../../errors/error-at.ts'
import type { SvcError } from '../../errors/svc-error.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import type { LinkAnswer } from './read-related.ts'

type Path = readonly (string | number)[]

/**
 * Errors of what relations lead to, with their paths in the whole answer. What failed in a row has failed wherever the row stands;
 * what failed as a whole has the response keys down to the relation, without indexes.
 * @param eachRow the rows are answers of their own (events): what failed as a whole has failed in each of them
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

/** Numbers of the rows that lead there. */
function rowsWith(link: Link, found: readonly FoundKey[]): readonly number[] {
  return [...new Set(found.filter((each) => each.link === link).map(({ path }) => Number(path[1])))]
}

/** Is it already told why there is a null? At the place itself, or at one below, from which it has climbed. */
export function isTold(errors: readonly SvcError[], at: Path): boolean {
  return errors.some(({ path = [] }) => isWithin(path, at))
}

/** @param path some of whose indexes may be left out */
function isWithin(path: Path, place: Path): boolean {
  let next = 0
  for (const key of place) {
    if (path[next] === key) next++
    else if (typeof key !== 'number' || typeof path[next] === 'number') return false
  }
  return true
}
