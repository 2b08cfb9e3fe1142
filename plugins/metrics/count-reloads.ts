import type { Metric, Scope } from '../../core/doors/plugin.ts'
import { singleMetric } from './metric.ts'

/** Counts reloads of the schema and failed ones. */
export function countReloads(scope: Scope): readonly Metric[] {
  let reloads = 0
  let failures = 0
  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'generation-loaded' && signal.reason === 'reload') reloads++
    else if (signal.type === 'reload-failed') failures++
  })
  scope.onClose(end)
  return [
    singleMetric(
      'counter',
      'svc_schema_reloads_total',
      'Schemas that were loaded in the place of another one.',
      () => reloads,
    ),
    singleMetric(
      'counter',
      'svc_schema_reload_errors_total',
      'Reloads that failed; the schema before serves on.',
      () => failures,
    ),
  ]
}
