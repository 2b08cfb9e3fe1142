import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** The writer of Arrow streams, which svc does not install. */
export const ARROW_PACKAGE: OptionalPackages = {
  names: ['apache-arrow'],
  for: 'queries with @arrowQuery',
  when: 'schema',
  instead: 'set enabled = false in [arrow]',
}
