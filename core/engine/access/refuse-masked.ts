import { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation } from '../../contract/operation.ts'

/**
 * Rejects an operation with denied parts, for fronts that return complete answers or an error. For mutations, call it before the write.
 * @param allowed result of `scope.engine.authorize`
 * @throws the error of the first denied place
 */
export function refuseMasked({ template, access }: Operation): void {
  const [place] = template.masked?.places ?? []
  if (place === undefined) return
  throw access?.denied.get(place.target)?.error ?? new SvcError('FORBIDDEN', 'Access denied')
}
