import { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation } from '../../contract/operation.ts'

/**
 * Rejects an operation with denied parts. For fronts that return either a complete response or an error. For mutations,
 * call this before the write.
 * @param allowed result of `scope.engine.authorize`
 * @throws the error of the first denied part
 */
export function refuseMasked({ template, access }: Operation): void {
  const [place] = template.masked?.places ?? []
  if (place === undefined) return
  throw access?.denied.get(place.target)?.error ?? new SvcError('FORBIDDEN', 'Access denied')
}
