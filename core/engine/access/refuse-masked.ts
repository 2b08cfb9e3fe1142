import { SvcError } from '../../base/errors/svc-error.ts'
import type { Operation } from '../../contract/operation.ts'

/**
 * Throws if an operation selects parts that the caller may not see. It is for protocols that return either a complete
 * response or an error. For mutations, call it before the write. The argument is the result of
 * `scope.engine.authorize`.
 * @throws the error of the first denied part
 */
export function refuseMasked({ template, access }: Operation): void {
  const [place] = template.masked?.places ?? []
  if (place === undefined) return
  throw access?.denied.get(place.target)?.error ?? new SvcError('FORBIDDEN', 'Access denied')
}
