import type { Summary } from './kit-results.ts'

/** Comparisons, and svc's own targets for them. */
export interface Target {
  readonly title: string
  /** Kind of target of the kit that svc is divided by. */
  readonly against: string
  /** Compared on another runtime when it did not run on this one. */
  readonly isPeer?: true
  readonly figure: (summary: Summary) => number
  readonly bound: 'at least' | 'at most'
  /** Target of every workload without its own. */
  readonly value: number
  readonly own?: Readonly<Record<string, number>>
}

const rps = (summary: Summary): number => summary.rps
const memory = (summary: Summary): number => summary.rss

export const TARGETS: readonly Target[] = [
  { title: 'requests/s ÷ bare pool', against: 'ceiling', figure: rps, bound: 'at least', value: 1 },
  {
    title: 'requests/s ÷ bare pipeline',
    against: 'pipeline',
    figure: rps,
    bound: 'at least',
    value: 1,
    own: { W5: 1.5 },
  },
  { title: 'requests/s ÷ bare Bun', against: 'bun', isPeer: true, figure: rps, bound: 'at least', value: 0.85 },
  {
    title: 'requests/s ÷ postgres.js',
    against: 'postgresjs',
    isPeer: true,
    figure: rps,
    bound: 'at least',
    value: 1,
  },
  {
    title: 'requests/s ÷ PostGraphile',
    against: 'postgraphile',
    isPeer: true,
    figure: rps,
    bound: 'at least',
    value: 2.8,
    own: { W2: 4, W4: 4, W7: 4, W8: 7 },
  },
  {
    title: 'requests/s ÷ Mercurius',
    against: 'mercurius',
    isPeer: true,
    figure: rps,
    bound: 'at least',
    value: 1.2,
    own: { W2: 2, W3: 6, W4: 2, W5: 2, W7: 2, W8: 4 },
  },
  {
    title: 'p99 ÷ bare pool',
    against: 'ceiling',
    figure: (summary) => summary.p99,
    bound: 'at most',
    value: 1.3,
    own: { W5: 1.5 },
  },
  {
    title: 'CPU per request ÷ bare pipeline',
    against: 'pipeline',
    figure: (summary) => summary.cpu,
    bound: 'at most',
    value: 1.4,
  },
  {
    title: 'peak memory ÷ PostGraphile',
    against: 'postgraphile',
    isPeer: true,
    figure: memory,
    bound: 'at most',
    value: 1,
  },
  { title: 'peak memory ÷ Mercurius', against: 'mercurius', isPeer: true, figure: memory, bound: 'at most', value: 1 },
]

export const boundOf = (target: Target, workload: string): number => target.own?.[workload] ?? target.value

export function isMet(target: Target, workload: string, ratio: number): boolean {
  const bound = boundOf(target, workload)
  // Rounded as printed: two digits.
  const shown = Number(ratio.toFixed(2))
  return target.bound === 'at least' ? shown >= bound : shown <= bound
}

/** `≥ 2.8 (W2 4, W8 7)`. */
export function describeBound(target: Target): string {
  const own = Object.entries(target.own ?? {}).map(([workload, value]) => `${workload} ${value}`)
  return `${target.bound === 'at least' ? '≥' : '≤'} ${target.value}${own.length === 0 ? '' : ` (${own.join(', ')})`}`
}
