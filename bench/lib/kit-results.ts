import type { Circumstances } from './results.ts'
import { median } from './stats.ts'

/** The used part of the kit's output. */
export interface KitOutput {
  readonly started: string
  readonly finished: string
  readonly settings: {
    readonly rounds: number
    readonly seconds: number
    readonly warmup: number
    readonly connections: number
    readonly pool: number
    readonly load: string
    readonly postgres: string
  }
  readonly targets: readonly KitTarget[]
  readonly workloads: readonly { readonly id: string; readonly title: string; readonly bytes: number }[]
  readonly failures: readonly { readonly target: string; readonly round: number; readonly error: string }[]
  readonly cells: readonly KitCell[]
}
export interface KitTarget {
  /** `<kind>-n<major of Node>`. */
  readonly id: string
  readonly title: string
  readonly runtime?: string
}
export interface KitCell {
  readonly target: string
  readonly workload: string
  readonly round: number
  readonly rps: number
  readonly p50ms: number
  readonly p99ms: number
  readonly requests: number
  readonly errors: number
  readonly short: boolean
  /** Seconds per 1,000 requests, which is milliseconds per request. */
  readonly serverCpuSecPer1000: number | null
  readonly peakRssMiB: number | null
}

/** `bench/results/kit.json`: the kit's output and its gaps. */
export interface KitRun extends Circumstances {
  readonly seeds: Readonly<Record<string, string>>
  readonly validity: Validity
  readonly kit: KitOutput
}

/** Why the figures may be believed. */
export interface Validity {
  /** Before each round, each target's answer to each request equalled that of the hand-written SQL. */
  readonly responsesVerified: boolean
  readonly failedRequests: number
  readonly shortResponses: number
  /** The widest (max − min) ÷ median of requests/s over the rounds, and where; `null` with one round. */
  readonly widestSpread: { readonly target: string; readonly workload: string; readonly spread: number } | null
}

/** Medians over the rounds. */
export interface Summary {
  readonly rps: number
  readonly p50: number
  readonly p99: number
  /** Milliseconds of the server's CPU per request. */
  readonly cpu: number
  /** MiB. */
  readonly rss: number
}

/** Results by target, then by workload. */
export type Summaries = ReadonlyMap<string, ReadonlyMap<string, Summary>>

export function summarise(output: KitOutput): Summaries {
  const summaries = new Map<string, Map<string, Summary>>()
  for (const { id } of output.targets) {
    for (const workload of output.workloads) {
      const cells = output.cells.filter((cell) => cell.target === id && cell.workload === workload.id)
      if (cells.length === 0) continue
      const of = (read: (cell: KitCell) => number | null): number =>
        median(cells.map((cell) => read(cell) ?? Number.NaN))
      const own = summaries.get(id) ?? new Map<string, Summary>()
      summaries.set(id, own)
      own.set(workload.id, {
        rps: of((cell) => cell.rps),
        p50: of((cell) => cell.p50ms),
        p99: of((cell) => cell.p99ms),
        cpu: of((cell) => cell.serverCpuSecPer1000),
        rss: of((cell) => cell.peakRssMiB),
      })
    }
  }
  return summaries
}

export function checkValidity(output: KitOutput): Validity {
  const summaries = summarise(output)
  const spreads = output.targets.flatMap(({ id: target }) =>
    output.workloads.flatMap(({ id: workload }) => {
      const rates = output.cells.filter((c) => c.target === target && c.workload === workload).map((c) => c.rps)
      const middle = summaries.get(target)?.get(workload)?.rps
      if (rates.length < 2 || middle === undefined) return []
      return [{ target, workload, spread: (Math.max(...rates) - Math.min(...rates)) / middle }]
    }),
  )
  return {
    responsesVerified: output.failures.length === 0,
    failedRequests: output.cells.reduce((sum, cell) => sum + cell.errors, 0),
    shortResponses: output.cells.filter((cell) => cell.short).length,
    widestSpread: spreads.toSorted((a, b) => b.spread - a.spread)[0] ?? null,
  }
}

/** A kind of target on one runtime. */
export function findTarget(output: KitOutput, kind: string, runtime: string): KitTarget | null {
  return output.targets.find((target) => isOfKind(target, kind) && target.runtime === runtime) ?? null
}

/** `svc-n20`, `svc-bun`, `bun` itself. */
function isOfKind({ id }: KitTarget, kind: string): boolean {
  return id === kind || id === `${kind}-bun` || id.startsWith(`${kind}-n`)
}

/** Like {@link findTarget}, or the same kind on another runtime: a peer may need its own. */
export function findPeer(output: KitOutput, kind: string, runtime: string): KitTarget | null {
  return findTarget(output, kind, runtime) ?? output.targets.find((target) => isOfKind(target, kind)) ?? null
}
