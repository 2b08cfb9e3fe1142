import type { Metric, Sample } from '../../core/doors/plugin.ts'

const OPEN = 'application/openmetrics-text'

/** The samples of a metric, in the form in which worker processes exchange them. */
export interface MetricReading extends Omit<Metric, 'read'> {
  readonly values: readonly Sample[]
}

/** Formats of a scrape: the default, and the one that clients may request. */
export type MetricsFormat = 'prometheus' | 'openmetrics'

/** Content types of the formats, as Prometheus defines them. */
export const CONTENT_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const

/** Reads the current samples of metrics. @param worker number of this worker process; `null`: the only process */
export function readMetrics(metrics: readonly Metric[], worker: number | null): readonly MetricReading[] {
  return metrics.map(({ name, help, type, read }) => ({
    name,
    help,
    type,
    values: worker === null ? read() : read().map((sample) => withLabel(sample, 'worker', String(worker))),
  }))
}

/**
 * Merges the metrics of several workers into one text, without adding them up: a counter that restarts with a new process is a
 * reset of its own series, which Prometheus handles.
 * @param readings results of `readMetrics`, one list per process
 * @returns Prometheus text format 0.0.4, or OpenMetrics 1.0 with the exemplars
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

/** Negotiates the format (RFC 9110, 12.5.1): OpenMetrics if the client names it with at least the quality of plain text. */
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
