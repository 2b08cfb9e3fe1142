import type { WayRow } from './measure-ways.ts'
import { type Column, formatNumber, numeric, renderTable } from './table.ts'

/** Layout of the rows of one growth bench, in the terminal and on the page. */
interface GrowthTable<Row> {
  render(rows: readonly Row[]): string
}

export function growthTable<Row>(
  columns: readonly Column[],
  cells: (row: Row, rows: readonly Row[]) => readonly string[],
): GrowthTable<Row> {
  return {
    render: (rows) =>
      renderTable(
        columns,
        rows.map((row) => cells(row, rows)),
      ),
  }
}

const ms = (value: number): string => formatNumber(value, value < 10 ? 2 : 0)
const share = (value: number, all: readonly number[]): string => `${((value / Math.max(...all)) * 100).toFixed(0)} %`
const mib = (value: number): string => formatNumber(value, 0)

export interface SchemaSizeRow {
  readonly types: number
  readonly artifactBytes: number
  /** `svc compile`, from spawn to exit. */
  readonly compileMs: number
  /** `svc run`, from spawn to the first answer of `/health/live`. */
  readonly bootMs: number
  /** The first GraphQL request after it. */
  readonly firstRequestMs: number
  /** Resident, half a second after the start. */
  readonly bootMiB: number
  /** Resident, after the load. */
  readonly loadedMiB: number
  readonly w1: number
  readonly w3: number
}

export const SCHEMA_SIZE = growthTable<SchemaSizeRow>(
  numeric(
    'types',
    'artifact MiB',
    'compile ms',
    'boot ms',
    'first request ms',
    'MiB after boot',
    'MiB after load',
    'W1/s',
    'W3/s',
  ),
  (row) => [
    formatNumber(row.types),
    formatNumber(row.artifactBytes / 2 ** 20, 1),
    ms(row.compileMs),
    ms(row.bootMs),
    ms(row.firstRequestMs),
    mib(row.bootMiB),
    mib(row.loadedMiB),
    formatNumber(row.w1),
    formatNumber(row.w3),
  ],
)

export interface PlanTimeRow {
  readonly name: string
  readonly fields: number
  /** Parsed, validated, turned into an operation. */
  readonly documentMs: number
  /** Planned, down to the SQL text. */
  readonly planMs: number
  readonly totalMs: number
  readonly sqlBytes: number
}

export const PLAN_TIME = growthTable<PlanTimeRow>(
  numeric('fields', 'document ms', 'plan ms', 'together ms', 'µs per field', 'SQL KiB'),
  (row) => [
    formatNumber(row.fields),
    row.documentMs.toFixed(2),
    row.planMs.toFixed(2),
    row.totalMs.toFixed(2),
    ((row.totalMs / row.fields) * 1000).toFixed(1),
    formatNumber(row.sqlBytes / 1024, 1),
  ],
)

export interface ColdRequestRow {
  readonly workload: string
  /** Milliseconds a request, one after the other on one connection. */
  readonly warmMs: number
  /** The document is new, its statement is not. */
  readonly coldDocumentMs: number
  /** The statement is new to the database too. */
  readonly coldStatementMs: number
}

export const COLD_REQUEST = growthTable<ColdRequestRow>(
  [{ title: 'request' }, ...numeric('known ms', 'new document ms', 'new document and statement ms', 'svc adds ms')],
  (row) => [
    row.workload,
    row.warmMs.toFixed(2),
    row.coldDocumentMs.toFixed(2),
    row.coldStatementMs.toFixed(2),
    (row.coldDocumentMs - row.warmMs).toFixed(2),
  ],
)

export interface ConcurrencyRow {
  readonly connections: number
  readonly rps: number
  /** Figures of the bare pipeline, in the same rounds. */
  readonly bareRps: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
  /** High-water mark of the resident memory, MiB. */
  readonly peakMiB: number
}

export const CONCURRENCY = growthTable<ConcurrencyRow>(
  numeric(
    'connections',
    'requests/s',
    'of the peak',
    'bare pipeline/s',
    'of its peak',
    'p50 ms',
    'p99 ms',
    'failed',
    'peak MiB',
  ),
  (row, rows) => [
    formatNumber(row.connections),
    formatNumber(row.rps),
    share(
      row.rps,
      rows.map(({ rps }) => rps),
    ),
    formatNumber(row.bareRps),
    share(
      row.bareRps,
      rows.map(({ bareRps }) => bareRps),
    ),
    row.p50.toFixed(2),
    row.p99.toFixed(1),
    formatNumber(row.failed),
    mib(row.peakMiB),
  ],
)

export interface ResponseSizeRow {
  readonly rows: number
  readonly bytes: number
  /** Milliseconds of one request, median. */
  readonly ms: number
  /** Resident when it began, and the most while it was answered, MiB. */
  readonly beforeMiB: number
  readonly peakMiB: number
  /** Bytes of memory per byte sent; `null` where the answer is too small to tell. */
  readonly perByte: number | null
}

export const RESPONSE_SIZE = growthTable<ResponseSizeRow>(
  numeric('rows', 'response KiB', 'ms', 'MiB/s', 'resident MiB before', 'peak MiB', 'bytes held per byte sent'),
  (row) => [
    formatNumber(row.rows),
    formatNumber(row.bytes / 1024),
    ms(row.ms),
    formatNumber(row.bytes / 2 ** 20 / (row.ms / 1000)),
    mib(row.beforeMiB),
    mib(row.peakMiB),
    row.perByte === null ? '–' : row.perByte.toFixed(1),
  ],
)

export interface SlowMixRow {
  readonly load: string
  /** Answered W1 requests per second. */
  readonly rps: number
  readonly slowPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

export const SLOW_MIX = growthTable<SlowMixRow>(
  [{ title: 'load' }, ...numeric('W1/s', 'slow/s', 'W1 p50 ms', 'W1 p99 ms', 'failed')],
  (row) => [
    row.load,
    formatNumber(row.rps),
    formatNumber(row.slowPerSecond),
    row.p50.toFixed(2),
    row.p99.toFixed(2),
    formatNumber(row.failed),
  ],
)

/** More slow statements at once than the pool has connections. */
export interface ExhaustionRow {
  readonly name: string
  readonly asked: number
  readonly served: number
  /** Requests refused with 503. */
  readonly refused: number
  readonly retryAfter: string | null
  /** The last refusal came after so many milliseconds. */
  readonly refusedAfterMs: number | null
  /** The last answer of any kind. */
  readonly slowestMs: number
}

export const EXHAUSTION = growthTable<ExhaustionRow>(
  [
    { title: 'burst of' },
    ...numeric('asked', 'served', '503', 'Retry-After', 'last 503 after ms', 'last answer after ms'),
  ],
  (row) => [
    row.name,
    formatNumber(row.asked),
    formatNumber(row.served),
    formatNumber(row.refused),
    row.retryAfter ?? '–',
    row.refusedAfterMs === null ? '–' : ms(row.refusedAfterMs),
    ms(row.slowestMs),
  ],
)

export interface WorkersRow {
  readonly workload: string
  /** Requests per second with one worker, and with several. */
  readonly one: number
  readonly many: number
  /** Share of the processor time of all workers that the busiest used. */
  readonly busiest: number
  readonly failed: number
}

export const WORKERS = growthTable<WorkersRow>(
  [{ title: 'workload' }, ...numeric('one worker/s', 'several/s', 'ratio', 'share of the busiest', 'failed')],
  (row) => [
    row.workload,
    formatNumber(row.one),
    formatNumber(row.many),
    (row.many / row.one).toFixed(2),
    `${(row.busiest * 100).toFixed(0)} %`,
    formatNumber(row.failed),
  ],
)

/** A worker that is killed under load. */
export interface KilledWorkerRow {
  readonly workers: number
  readonly connections: number
  readonly requests: number
  readonly failed: number
  /** Time until another process replaced it. */
  readonly replacedMs: number
}

export const KILLED_WORKER = growthTable<KilledWorkerRow>(
  numeric('workers', 'connections', 'requests answered', 'failed', 'replaced after ms'),
  (row) => [
    formatNumber(row.workers),
    formatNumber(row.connections),
    formatNumber(row.requests),
    formatNumber(row.failed),
    ms(row.replacedMs),
  ],
)

export interface SecuredRow {
  readonly workload: string
  /** Enabled features. */
  readonly step: string
  readonly rps: number
  /** Relative to anonymous requests: the median of the slices, each against its neighbour. */
  readonly ratio: number
  /** Processor time of the server per request, in microseconds. */
  readonly cpuUs: number
  readonly cpuRatio: number
  readonly failed: number
}

export const SECURED = growthTable<SecuredRow>(
  [
    { title: 'workload' },
    { title: 'switched on' },
    ...numeric('requests/s', 'to anonymous', 'CPU µs per request', 'to anonymous', 'failed'),
  ],
  (row) => [
    row.workload,
    row.step,
    formatNumber(row.rps),
    row.ratio.toFixed(3),
    row.cpuUs.toFixed(1),
    row.cpuRatio.toFixed(3),
    formatNumber(row.failed),
  ],
)

export interface RestRow {
  readonly workload: string
  readonly graphqlRps: number
  readonly restRps: number
  /** REST to GraphQL: the median of the slices, each against the one beside it. */
  readonly ratio: number
  /** Processor time of the server per request, in microseconds. */
  readonly graphqlCpuUs: number
  readonly restCpuUs: number
  readonly cpuRatio: number
  readonly failed: number
}

export const REST = growthTable<RestRow>(
  [
    { title: 'workload' },
    ...numeric(
      'GraphQL requests/s',
      'REST requests/s',
      'REST ÷ GraphQL',
      'GraphQL CPU µs',
      'REST CPU µs',
      'REST ÷ GraphQL',
      'failed',
    ),
  ],
  (row) => [
    row.workload,
    formatNumber(row.graphqlRps),
    formatNumber(row.restRps),
    row.ratio.toFixed(2),
    row.graphqlCpuUs.toFixed(1),
    row.restCpuUs.toFixed(1),
    row.cpuRatio.toFixed(2),
    formatNumber(row.failed),
  ],
)

/** The same request by several ways; ratios are to the first. */
export const WAYS = growthTable<WayRow>(
  [{ title: 'way' }, ...numeric('requests/s', 'ratio', 'CPU µs per request')],
  (row) => [row.way, formatNumber(row.rps), row.ratio.toFixed(2), row.cpuUs.toFixed(1)],
)

export interface CacheRow {
  readonly request: string
  /** Without the plugin, and with it. */
  readonly plainRps: number
  readonly cachedRps: number
  /** With the feature relative to without it: the median of the slices, each against its neighbour. */
  readonly ratio: number
  /** Processor time of the server per request, in microseconds. */
  readonly plainCpuUs: number
  readonly cachedCpuUs: number
  readonly cpuRatio: number
  readonly failed: number
}

export const CACHE = growthTable<CacheRow>(
  [
    { title: 'request' },
    ...numeric('without/s', 'with/s', 'with ÷ without', 'CPU µs without', 'CPU µs with', 'with ÷ without', 'failed'),
  ],
  (row) => [
    row.request,
    formatNumber(row.plainRps),
    formatNumber(row.cachedRps),
    row.ratio.toFixed(3),
    row.plainCpuUs.toFixed(1),
    row.cachedCpuUs.toFixed(1),
    row.cpuRatio.toFixed(3),
    formatNumber(row.failed),
  ],
)

export interface StreamRow {
  readonly driver: string
  readonly form: string
  readonly rows: number
  readonly bytes: number
  readonly ms: number
  /** Time to the first bytes. */
  readonly firstMs: number
  /** Resident memory of the process and its child processes. */
  readonly beforeMiB: number
  readonly peakMiB: number
}

export const STREAM = growthTable<StreamRow>(
  [
    { title: 'database' },
    { title: 'form' },
    ...numeric('rows', 'MiB sent', 'rows/s', 'MiB/s', 'first bytes ms', 'resident MiB before', 'peak MiB'),
  ],
  (row) => [
    row.driver,
    row.form,
    formatNumber(row.rows),
    mib(row.bytes / 2 ** 20),
    formatNumber(row.rows / (row.ms / 1000)),
    mib(row.bytes / 2 ** 20 / (row.ms / 1000)),
    ms(row.firstMs),
    mib(row.beforeMiB),
    mib(row.peakMiB),
  ],
)
