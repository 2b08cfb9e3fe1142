import { type Operation, SvcError } from '../../../core/doors/plugin.ts'

/**
 * Refuses a subscription when all its fields are denied: the client would wait for events that never come, or learn from
 * errors that changes happen.
 * @throws SvcError the error of the rule that denies it; FORBIDDEN without one
 */
export function refuseNothing({ template, access }: Operation): void {
  if (template.masked?.fails !== true) return
  const [place] = template.masked.places
  throw (
    (place === undefined ? undefined : access?.denied.get(place.target)?.error) ??
    new SvcError('FORBIDDEN', 'Access denied')
  )
}
