import type { Metric, Sample } from '../../core/doors/plugin.ts'

const OPEN = 'application/openmetrics-text'

/** The values of a metric at one moment, in the form that worker processes send to each other. */
export interface MetricReading extends Omit<Metric, 'read'> {
  readonly values: readonly Sample[]
}

/** Formats of the reply of `GET /metrics`: Prometheus text by default, OpenMetrics if the client prefers it. */
export type MetricsFormat = 'prometheus' | 'openmetrics'

/** Content type of each format of `GET /metrics`. */
export const CONTENT_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const

/**
 * Reads the current values of metrics.
 * @param worker number of this worker process, which becomes a label; `null`: the only process
 */
export function readMetrics(metrics: readonly Metric[], worker: number | null): readonly MetricReading[] {
  return metrics.map(({ name, help, type, read }) => ({
    name,
    help,
    type,
    values: worker === null ? read() : read().map((sample) => withLabel(sample, 'worker', String(worker))),
  }))
}

/**
 * Renders the metrics of all workers as one text. Values of workers are not added up, so that Prometheus sees the reset
 * of a restarted worker's counters.
 * @param readings results of `readMetrics`, one list per worker
 * @returns Prometheus text format 0.0.4, or OpenMetrics 1.0 with exemplars
 */
export async function renderMetrics(
  readings: readonly (readonly MetricReading[])[],
  format: MetricsFormat = 'prometheus',
): Promise<string> {
  // Loaded on the first scrape, because it takes 3 MiB.
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  registry.setContentType(CONTENT_TYPES[format] as never)
  for (const [name, { help, type, values }] of byName(readings)) {
    // `prom-client` writes the name of the format into this object.
    const metric = { name, help, type, values, get: () => metric }
    registry.registerMetric(metric as never)
  }
  return registry.metrics()
}

/** Groups the samples of all processes by metric. */
function byName(readings: readonly (readonly MetricReading[])[]): ReadonlyMap<string, MetricReading> {
  const merged = new Map<string, MetricReading & { readonly values: Sample[] }>()
  for (const reading of readings.flat()) {
    const known = merged.get(reading.name)
    if (known === undefined) merged.set(reading.name, { ...reading, values: [...reading.values] })
    else known.values.push(...reading.values)
  }
  return merged
}

function withLabel(sample: Sample, label: string, value: string): Sample {
  return { ...sample, labels: { ...sample.labels, [label]: value } }
}

/**
 * Chooses the format of `GET /metrics` by the `Accept` header (RFC 9110, 12.5.1): OpenMetrics if its `q` is at least
 * that of plain text.
 */
export function formatOf(accept: string | readonly string[] | undefined): MetricsFormat {
  const ranges = String(accept ?? '')
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((part) => part.startsWith('q='))?.slice(2)
      const version = parameters.find((part) => part.startsWith('version='))?.slice('version='.length)
      return { type, version, quality: q === undefined ? 1 : Number(q) || 0 }
    })
  const best = (fits: (range: (typeof ranges)[number]) => boolean): number =>
    Math.max(0, ...ranges.filter(fits).map(({ quality }) => quality))
  const open = best(({ type, version }) => type === OPEN && (version === undefined || version === '1.0.0'))
  const plain = best(({ type }) => type === 'text/plain')
  return open > 0 && open >= plain ? 'openmetrics' : 'prometheus'
}
