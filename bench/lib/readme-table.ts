import { findPeer, findTarget, type KitOutput, summarise } from './kit-results.ts'
import { runtimesOf } from './ratio-table.ts'
import { numeric, renderTable } from './table.ts'

/** Kind of target of the kit, and its name in the README. */
const OTHERS: readonly (readonly [kind: string, title: string])[] = [
  ['ceiling', 'bare Node server with a `pg` pool'],
  ['pipeline', 'the same in pipeline mode'],
  ['postgraphile', 'PostGraphile 5'],
  ['mercurius', 'Mercurius with JIT and loaders'],
]

/** Figures of the README: per other server, the lowest and highest multiple of its requests/s that svc reaches. */
export function renderReadmeTable(output: KitOutput): string {
  const runtime = runtimesOf(output).at(-1)
  if (runtime === undefined) throw new Error('svc did not run')
  const summaries = summarise(output)
  const own = summaries.get(findTarget(output, 'svc', runtime)?.id ?? '')
  const rows = OTHERS.flatMap(([kind, title]) => {
    const theirs = summaries.get(findPeer(output, kind, runtime)?.id ?? '')
    if (own === undefined || theirs === undefined) return []
    const ratios = [...own]
      .map(([workload, { rps }]) => ({ workload, ratio: rps / (theirs.get(workload)?.rps ?? Number.NaN) }))
      .filter(({ ratio }) => Number.isFinite(ratio))
      .sort((a, b) => a.ratio - b.ratio)
    const [least] = ratios
    const most = ratios.at(-1)
    if (least === undefined || most === undefined) return []
    return [[title, ...[least, most].map(({ workload, ratio }) => `${ratio.toFixed(2)} (${workload})`)]]
  })
  return renderTable(
    [{ title: `requests/s of svc ÷ … (${runtime.replace('node', 'Node ')})` }, ...numeric('least', 'most')],
    rows,
  )
}
