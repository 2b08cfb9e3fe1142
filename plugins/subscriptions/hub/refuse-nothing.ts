import { type Operation, SvcError } from '../../../core/doors/plugin.ts'

/**
 * Rejects a subscription when all of its fields are denied to the caller, because no event could be sent.
 * @throws SvcError the error of the access rule; FORBIDDEN if it has none
 */
export function refuseNothing({ template, access }: Operation): void {
  if (template.masked?.fails !== true) return
  const [place] = template.masked.places
  throw (
    (place === undefined ? undefined : access?.denied.get(place.target)?.error) ??
    new SvcError('FORBIDDEN', 'Access denied')
  )
}
