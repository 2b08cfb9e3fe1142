import { type Operation, SvcError } from '../../../core/doors/plugin.ts'

/**
 * Refuses a subscription whose caller may see nothing of it: the caller would wait for events that never come, or learn from an
 * error per event that something happens.
 * @throws SvcError as the rule refuses it
 */
export function refuseNothing({ template, access }: Operation): void {
  if (template.masked?.fails !== true) return
  const [place] = template.masked.places
  throw (
    (place === undefined ? undefined : access?.denied.get(place.target)?.error) ??
    new SvcError('FORBIDDEN', 'Access denied')
  )
}
