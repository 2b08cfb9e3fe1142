import type { Metric, Scope } from '../../core/doors/plugin.ts'

/** How statements came to be planned whose best plan depends on their values. */
export function countPlans(scope: Scope): Metric {
  const counts = { values: 0, generic: 0 }
  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'statement-planned') counts[signal.planning]++
  })
  scope.onClose(end)
  return {
    name: 'svc_statement_plans_total',
    help: 'Decisions to plan a statement with its values, or once for any values.',
    type: 'counter',
    read: () => Object.entries(counts).map(([planning, value]) => ({ labels: { planning }, value })),
  }
}
