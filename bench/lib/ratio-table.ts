import { findPeer, findTarget, type KitOutput, type KitTarget, summarise } from './kit-results.ts'
import { formatNumber, numeric, renderTable } from './table.ts'
import { describeBound, isMet, TARGETS } from './targets.ts'

/** The runtimes that svc ran on, in the order of the run. */
export function runtimesOf(output: KitOutput): readonly string[] {
  return output.targets.filter(({ id }) => id.startsWith('svc-')).map(({ runtime, id }) => runtime ?? id)
}

/**
 * svc against everything that ran beside it, on one runtime: the ratio per workload, in bold where the target is missed.
 * A comparison whose other side did not run has no row;
 * a peer that ran on another runtime only is compared there, and says so.
 */
export function renderRatioTable(output: KitOutput, runtime: string): string {
  const summaries = summarise(output)
  const own = summaries.get(findTarget(output, 'svc', runtime)?.id ?? '')
  if (own === undefined) throw new Error(`svc did not run on ${runtime}`)
  const workloads = output.workloads.map(({ id }) => id)
  const rows = TARGETS.flatMap((target) => {
    const other = (target.isPeer === true ? findPeer : findTarget)(output, target.against, runtime)
    const theirs = other === null ? undefined : summaries.get(other.id)
    if (other === null || theirs === undefined) return []
    const title = other.runtime === runtime ? target.title : `${target.title} (${describeRuntime(other)})`
    const cells = workloads.map((workload) => {
      const a = own.get(workload)
      const b = theirs.get(workload)
      if (a === undefined || b === undefined) return '–'
      const ratio = target.figure(a) / target.figure(b)
      if (!Number.isFinite(ratio)) return '–'
      return isMet(target, workload, ratio) ? ratio.toFixed(2) : `**${ratio.toFixed(2)}**`
    })
    return [[title, describeBound(target), ...cells]]
  })
  return renderTable([{ title: 'svc' }, { title: 'target' }, ...numeric(...workloads)], rows)
}

const describeRuntime = ({ runtime, id }: KitTarget): string => (runtime ?? id).replace('node', 'Node ')

/** One figure of every target in the run. */
export function renderFigureTable(
  output: KitOutput,
  figure: 'rps' | 'p50' | 'p99' | 'cpu' | 'rss',
  digits: number,
): string {
  const summaries = summarise(output)
  const workloads = output.workloads.map(({ id }) => id)
  const rows = output.targets.map(({ id, title }) => [
    title,
    ...workloads.map((workload) => {
      const value = summaries.get(id)?.get(workload)?.[figure]
      return value === undefined || Number.isNaN(value) ? '–' : formatNumber(value, digits)
    }),
  ])
  return renderTable([{ title: '' }, ...numeric(...workloads)], rows)
}
