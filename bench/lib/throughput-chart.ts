import { renderBarChart } from './bar-chart.ts'
import { findPeer, type KitOutput, summarise } from './kit-results.ts'
import { runtimesOf } from './ratio-table.ts'
import { formatNumber } from './table.ts'

const SHOWN = [
  ['svc', 'svc'],
  ['ceiling', 'bare pool'],
  ['pipeline', 'bare pipeline'],
  ['postgraphile', 'PostGraphile 5'],
  ['mercurius', 'Mercurius, JIT, loaders'],
] as const

/** Requests per second of everything that ran, per workload, as a multiple of the bare pool's, on the last runtime of svc. */
export function renderThroughputChart(output: KitOutput): string {
  const runtime = runtimesOf(output).at(-1)
  if (runtime === undefined) throw new Error('svc is not among the results')
  const summaries = summarise(output)
  const workloads = output.workloads.map(({ id }) => id)
  const rate = (kind: string, workload: string): number | null =>
    summaries.get(findPeer(output, kind, runtime)?.id ?? '')?.get(workload)?.rps ?? null
  const series = SHOWN.map(([kind, name]) => ({
    kind,
    name,
    values: workloads.map((workload) => {
      const own = rate(kind, workload)
      const base = rate('ceiling', workload)
      return own === null || base === null ? null : own / base
    }),
  })).filter(({ values }) => values.some((value) => value !== null))
  return renderBarChart({
    title: `Throughput against a bare Node server with a connection pool (${runtime.replace('node', 'Node ')})`,
    axis: 'requests per second ÷ bare pool',
    groups: workloads,
    series,
    reference: 1,
    describe: ({ name, values }, group) => {
      const kind = SHOWN.find(([, shown]) => shown === name)?.[0] ?? name
      const workload = workloads[group]!
      return `${name}, ${workload}: ${formatNumber(rate(kind, workload) ?? 0)} requests/s, ${values[group]?.toFixed(2)} times the bare pool`
    },
  })
}
