import { errorAt } from '../../errors/error-at.ts'
import type { SvcError } from '../../errors/svc-error.ts'
import type { Link } from './cut-selection.ts'
import type { FoundKey } from './found-key.ts'
import type { LinkAnswer } from './read-related.ts'

type Path = readonly (string | number)[]

/**
 * Errors of what relations lead to, with their paths in the whole answer. What failed in a row has failed wherever the row stands;
 * what failed as a whole has the response keys down to the relation, without indexes.
 */
export function placeErrors(
  errors: readonly SvcError[],
  answers: ReadonlyMap<Link, LinkAnswer>,
  findPaths: () => readonly FoundKey[],
): readonly SvcError[] {
  if (errors.length === 0) return errors
  const links = new Map([...answers.keys()].map((link) => [link.key, link]))
  const placed: SvcError[] = []
  for (const error of errors) {
    const [key, index, ...below] = error.path ?? []
    const link = typeof key === 'string' ? links.get(key) : undefined
    if (link === undefined) placed.push(error)
    else if (typeof index !== 'number') {
      const inner = index === undefined ? [] : [index, ...below]
      placed.push(errorAt(error, { path: [...link.path, ...inner], locations: error.locations }))
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

/** Is it already told why there is a null? At the place itself, or at one below, from which it has climbed. */
export function isTold(errors: readonly SvcError[], at: Path): boolean {
  const bare = at.filter((key) => typeof key === 'string')
  return errors.some(({ path = [] }) => begins(path, at) || begins(path, bare))
}

function begins(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((key, index) => path[index] === key)
}
