import { growthTable } from './growth-tables.ts'
import { median } from './stats.ts'
import { formatNumber, numeric } from './table.ts'

/** Result of one target, one workload, one round. */
export interface RealCell {
  readonly target: string
  readonly workload: string
  readonly round: number
  readonly rps: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The caches that a restart emptied before each sample ran once; `null`: a warm run. */
  readonly cold: 'disk' | 'server' | null
}

interface Figures {
  readonly rps: number
  readonly p99: number
}

/** Results of one workload, by target. */
export interface RealRow {
  readonly id: string
  readonly title: string
  /** Medians of the rounds. */
  readonly warm: Readonly<Record<string, Figures>>
  /** Milliseconds, median of the samples. */
  readonly cold: Readonly<Record<string, number>>
}

export function realRows(
  cells: readonly RealCell[],
  workloads: readonly { readonly id: string; readonly title: string }[],
): readonly RealRow[] {
  const targets = [...new Set(cells.map(({ target }) => target))]
  return workloads.flatMap(({ id, title }) => {
    const own = cells.filter(({ workload }) => workload === id)
    if (own.length === 0) return []
    const of = (target: string, isCold: boolean): readonly RealCell[] =>
      own.filter((cell) => cell.target === target && (cell.cold !== null) === isCold)
    const warm = targets.flatMap((target) => {
      const rounds = of(target, false)
      if (rounds.length === 0) return []
      return [
        [target, { rps: median(rounds.map(({ rps }) => rps)), p99: median(rounds.map(({ p99 }) => p99)) }],
      ] as const
    })
    const cold = targets.flatMap((target) => of(target, true).map(({ p50 }) => [target, p50] as const))
    return [{ id, title, warm: Object.fromEntries(warm), cold: Object.fromEntries(cold) }]
  })
}

const perSecond = (figures: Figures | undefined): string => (figures === undefined ? '–' : formatNumber(figures.rps))
const ratio = (own: number | undefined, other: number | undefined): string =>
  own === undefined || other === undefined ? '–' : (own / other).toFixed(2)

export const REAL = growthTable<RealRow>(
  [
    { title: 'workload' },
    ...numeric(
      'svc/s',
      'by hand/s',
      'svc ÷ by hand',
      'p99 ÷ by hand',
      'PostGraphile/s',
      'Mercurius/s',
      'svc ÷ best peer',
    ),
  ],
  ({ id, title, warm: { svc, hand, postgraphile, mercurius } }) => [
    `${id} ${title}`,
    perSecond(svc),
    perSecond(hand),
    ratio(svc?.rps, hand?.rps),
    ratio(svc?.p99, hand?.p99),
    perSecond(postgraphile),
    perSecond(mercurius),
    ratio(svc?.rps, fastestPeer(postgraphile?.rps, mercurius?.rps)),
  ],
)

/** Requests/s of the faster peer; `undefined` if neither answers one request per second, as a ratio would say nothing. */
function fastestPeer(...rates: readonly (number | undefined)[]): number | undefined {
  const best = Math.max(...rates.map((rate) => rate ?? 0))
  return best < 1 ? undefined : best
}

export const REAL_COLD = growthTable<RealRow>(
  [{ title: 'workload' }, ...numeric('svc ms', 'by hand ms', 'PostGraphile ms', 'Mercurius ms')],
  ({ id, title, cold }) => [
    `${id} ${title}`,
    ...['svc', 'hand', 'postgraphile', 'mercurius'].map((target) => cold[target]?.toFixed(1) ?? '–'),
  ],
)
