import { type Operation, SvcError } from '../../../core/index.ts'

/**
 * Who may see nothing of what it subscribed to does not wait for what never comes, nor hear, by an error per event, that something
 * happens.
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
