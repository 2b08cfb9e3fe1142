import type { Operation } from '../contract/operation.ts'
import { SvcError } from '../errors/svc-error.ts'

/**
 * An answer has all that was asked for, or it is an error: of what writes, before it writes.
 * @param allowed what `scope.engine.authorize` gave
 * @throws the error of the first place that is masked
 */
export function refuseMasked({ template, access }: Operation): void {
  const [place] = template.masked?.places ?? []
  if (place === undefined) return
  throw access?.denied.get(place.target)?.error ?? new SvcError('FORBIDDEN', 'Access denied')
}
