import { BOOT, type BootRow } from './boot-table.ts'
import type { ChaosResult } from './chaos/run-chaos.ts'
import { renderLoaded, when } from './circumstances.ts'
import { type ProfileRun, renderProfile } from './cpu-profile.ts'
import { CHAOS, EVENT_FAN_OUT, EVENT_LATENCY, EVENT_OUTBOX_COST, EVENT_THROUGHPUT } from './event-tables.ts'
import type { FanOutRow } from './events/measure-fan-out.ts'
import type { LatencyRow } from './events/measure-latency.ts'
import type { OutboxCostRow } from './events/measure-outbox-cost.ts'
import type { ThroughputRow } from './events/measure-throughput.ts'
import {
  CACHE,
  type CacheRow,
  COLD_REQUEST,
  CONCURRENCY,
  type ColdRequestRow,
  type ConcurrencyRow,
  EXHAUSTION,
  type ExhaustionRow,
  KILLED_WORKER,
  type KilledWorkerRow,
  PLAN_TIME,
  type PlanTimeRow,
  RESPONSE_SIZE,
  REST,
  type ResponseSizeRow,
  type RestRow,
  SCHEMA_SIZE,
  type SchemaSizeRow,
  SECURED,
  type SecuredRow,
  SLOW_MIX,
  type SlowMixRow,
  STREAM,
  type StreamRow,
  WAYS,
  WORKERS,
  type WorkersRow,
} from './growth-tables.ts'
import type { KitRun } from './kit-results.ts'
import { LARGE_SCHEMA, type LargeSchemaRow } from './large-schema-table.ts'
import type { WayRow } from './measure-ways.ts'
import { renderFigureTable, renderRatioTable, runtimesOf } from './ratio-table.ts'
import { REAL, REAL_COLD, type RealRow } from './real-tables.ts'
import type { Circumstances } from './results.ts'
import { SERVE, type ServeRow } from './serve-table.ts'
import { renderTable } from './table.ts'

/** The results in `bench/results`, by file name. */
export interface AllResults {
  readonly kit: KitRun
  readonly 'schema-size': Circumstances & { readonly rows: readonly SchemaSizeRow[] }
  readonly 'large-schema': Circumstances & { readonly rows: readonly LargeSchemaRow[] }
  readonly 'cold-plan': Circumstances & {
    readonly planTime: readonly PlanTimeRow[]
    readonly exponent: number
    readonly cold: readonly ColdRequestRow[]
    readonly refused: { readonly fields: number; readonly ms: number; readonly message: string }
  }
  readonly concurrency: Circumstances & {
    readonly settings: { readonly napMs: number; readonly poolMax: number; readonly deadlineMs: number }
    readonly rows: readonly ConcurrencyRow[]
    readonly exhausted: readonly ExhaustionRow[]
  }
  readonly 'response-size': Circumstances & {
    readonly rows: readonly ResponseSizeRow[]
    readonly refused: { readonly rows: number; readonly maxBytes: number; readonly message: string }
  }
  readonly 'slow-mix': Circumstances & { readonly rows: readonly SlowMixRow[] }
  readonly secured: Circumstances & { readonly rows: readonly SecuredRow[] }
  readonly cache: Circumstances & { readonly rows: readonly CacheRow[] }
  readonly rest: Circumstances & { readonly rows: readonly RestRow[]; readonly stream: StreamRow | null }
  readonly entities: Circumstances & { readonly rows: readonly WayRow[] }
  readonly stream: Circumstances & { readonly rows: readonly StreamRow[] }
  readonly workers: Circumstances & {
    readonly settings: { readonly workers: string }
    readonly rows: readonly WorkersRow[]
    readonly killed: readonly KilledWorkerRow[]
  }
  readonly events: Circumstances & {
    /** Processes that wanted a processor when it began, the average of a minute. */
    readonly loadBefore: number
    readonly throughput: readonly ThroughputRow[]
    readonly latency: readonly LatencyRow[]
    readonly fanOut: readonly FanOutRow[]
    readonly outbox: readonly OutboxCostRow[]
  }
  readonly 'chaos-events': Circumstances & { readonly rows: readonly ChaosResult[] }
  readonly real: Circumstances & {
    readonly settings: Readonly<Record<'posts' | 'rounds' | 'seconds' | 'connections' | 'pool' | 'bytes', number>> & {
      readonly sharedBuffers: string
    }
    readonly rows: readonly RealRow[]
  }
  readonly serve: Circumstances & { readonly rounds: number; readonly load: number; readonly rows: readonly ServeRow[] }
  readonly boot: Circumstances & { readonly rounds: number; readonly load: number; readonly rows: readonly BootRow[] }
  readonly profile: Circumstances & { readonly runs: readonly ProfileRun[] }
}

/** The generated parts of docs/explain/performance.md, by the name of their markers. */
export function renderParts(results: AllResults): ReadonlyMap<string, string> {
  const { kit, concurrency, profile, workers } = results
  const cold = results['cold-plan']
  const large = results['response-size']
  const { settings } = concurrency
  return new Map([
    ['kit', renderKit(kit)],
    ['schema-size', `${SCHEMA_SIZE.render(results['schema-size'].rows)}\n\n${when(results['schema-size'])}`],
    ['large-schema', `${LARGE_SCHEMA.render(results['large-schema'].rows)}\n\n${when(results['large-schema'])}`],
    [
      'cold-plan',
      `${PLAN_TIME.render(cold.planTime)}

Time grows with fields to the power of ${cold.exponent.toFixed(2)}. Over HTTP:

${COLD_REQUEST.render(cold.cold)}

A document of ${cold.refused.fields} fields is answered in ${cold.refused.ms.toFixed(1)} ms with: “${cold.refused.message}”

${when(cold)}`,
    ],
    [
      'concurrency',
      `${CONCURRENCY.render(concurrency.rows)}

Statements of ${settings.napMs} ms, all at once, on a pool of ${settings.poolMax} with a deadline of ${settings.deadlineMs} ms:

${EXHAUSTION.render(concurrency.exhausted)}

${when(concurrency)}`,
    ],
    [
      'response-size',
      `${RESPONSE_SIZE.render(large.rows)}

${large.refused.rows} rows with \`svc.max_response_bytes = ${large.refused.maxBytes}\`: “${large.refused.message}”

${when(large)}`,
    ],
    ['secured', `${SECURED.render(results.secured.rows)}\n\n${when(results.secured)}`],
    ['cache', `${CACHE.render(results.cache.rows)}\n\n${when(results.cache)}`],
    ['rest', renderRest(results.rest)],
    ['real', renderReal(results.real)],
    ['entities', `${WAYS.render(results.entities.rows)}\n\n${when(results.entities)}`],
    ['stream', `${STREAM.render(results.stream.rows)}\n\n${when(results.stream)}`],
    ['slow-mix', `${SLOW_MIX.render(results['slow-mix'].rows)}\n\n${when(results['slow-mix'])}`],
    [
      'workers',
      `${WORKERS.render(workers.rows)}

*Several* are ${workers.settings.workers}. One of them is killed in the middle of a load of W1:

${KILLED_WORKER.render(workers.killed)}

${when(workers)}`,
    ],
    ['events', renderEvents(results.events)],
    ['chaos-events', `${CHAOS.render(results['chaos-events'].rows)}\n\n${when(results['chaos-events'])}`],
    ['boot', renderLoaded(BOOT.render(results.boot.rows), results.boot)],
    ['serve', renderLoaded(SERVE.render(results.serve.rows), results.serve)],
    ['profile', `${profile.runs.map(renderProfile).join('\n\n')}\n\n${when(profile)}`],
  ])
}

function renderEvents(events: AllResults['events']): string {
  const tables = [
    EVENT_THROUGHPUT.render(events.throughput),
    EVENT_LATENCY.render(events.latency),
    EVENT_FAN_OUT.render(events.fanOut),
    EVENT_OUTBOX_COST.render(events.outbox),
  ]
  const load = `When it began, ${events.loadBefore.toFixed(0)} other processes wanted one of ${events.machine.cpus} processors.`
  return `${tables.join('\n\n')}\n\n${load}\n${when(events)}`
}

function renderReal(real: AllResults['real']): string {
  const { posts, rounds, seconds, connections, pool, bytes, sharedBuffers } = real.settings
  const size = `${posts} posts, ${(bytes / 2 ** 30).toFixed(1)} GiB of tables and indexes, \`shared_buffers\` ${sharedBuffers}; ${connections} connections, a pool of ${pool}, median of ${rounds} rounds of ${seconds} s.`
  return `${size}

${REAL.render(real.rows)}

Each of twelve samples once, one after the other, after a restart of the database server that dropped the pages of the system as well; median, milliseconds:

${REAL_COLD.render(real.rows)}

${when(real)}`
}

function renderRest(rest: AllResults['rest']): string {
  const lines =
    rest.stream === null ? '' : `\n\nLines of JSON, as \`application/x-ndjson\`:\n\n${STREAM.render([rest.stream])}`
  return `${REST.render(rest.rows)}${lines}\n\n${when(rest)}`
}

function renderKit(run: KitRun): string {
  const { kit, validity } = run
  const { rounds, seconds, warmup, connections, pool, load, postgres } = kit.settings
  const workloads = kit.workloads.map(({ id, title, bytes }) => [id, title, String(bytes)])
  const ratios = runtimesOf(kit).map(
    (runtime) => `### svc on ${runtime.replace('node', 'Node ')}\n\n${renderRatioTable(kit, runtime)}`,
  )
  const { widestSpread } = validity
  const spread =
    widestSpread === null
      ? 'With one round nothing is known about the spread.'
      : `The widest spread over the rounds, (max − min) ÷ median, was ${(widestSpread.spread * 100).toFixed(0)} % (${widestSpread.target}, ${widestSpread.workload}).`
  const verified = validity.responsesVerified
    ? 'Every target gave the reference answer to every request before it was timed'
    : `**Not every target gave the reference answer**: ${kit.failures.map(({ target }) => target).join(', ')}`
  return `Median of ${rounds} interleaved ${rounds === 1 ? 'round' : 'rounds'}, ${seconds} s per cell after ${warmup} s of warm-up, ${connections} connections, ${load}, pool of
${pool}, PostgreSQL ${postgres}. ${verified}; ${validity.failedRequests} requests
failed, ${validity.shortResponses} answers were short. ${spread}
${when(run)}

${renderTable([{ title: 'workload' }, { title: 'what' }, { title: 'bytes', align: 'right' }], workloads)}

Ratios in bold miss the target.

${ratios.join('\n\n')}

### Requests per second

${renderFigureTable(kit, 'rps', 0)}

### p99, ms

${renderFigureTable(kit, 'p99', 1)}

### CPU of the server, ms per request

${renderFigureTable(kit, 'cpu', 3)}

### Peak resident memory, MiB

${renderFigureTable(kit, 'rss', 0)}`
}
