import type { OptionalPackages } from '../../../core/doors/plugin.ts'

/** The writer of federated traces, which svc does not install. */
export const TRACE_PACKAGE: OptionalPackages = {
  names: ['pbf'],
  for: 'inline_traces = true',
  when: { option: 'inline_traces', is: true },
  instead: 'take inline_traces out of [federation]',
}
