import { SvcError } from '../../base/errors/svc-error.ts'
import {
  Counter,
  type CountingSwitch,
  type GaugeReader,
  Histogram,
  type Metric,
  type MetricDefinition,
  type Sample,
  type SeriesOf,
} from '../../base/util/instruments.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'

/** Maximum number of series of a metric. Further label values are counted together as `(other)`. */
const MOST_SERIES = 1000
const OTHER = '(other)'

/**
 * The metrics of all plugins. Nothing is counted until `collect` is first called, so that a service without a plugin
 * that exports metrics spends no time on them.
 */
export class MetricsRegistry {
  readonly #counting: CountingSwitch = { on: false }
  readonly #families = new Map<string, Family>()

  /** Adds the metrics of a manifest, which the kernel has validated. */
  declare(plugin: string, metrics: Readonly<Record<string, MetricDefinition>>): void {
    for (const [name, definition] of Object.entries(metrics)) {
      this.#families.set(name, { plugin, name, definition, series: new Map(), gauge: null })
    }
  }

  /** Returns a counter that the plugin declared. @throws SvcError SVC_METRIC_INVALID */
  counter(plugin: string, name: string): SeriesOf<Counter> {
    return seriesOf(this.#family(plugin, name, 'counter'), () => new Counter(this.#counting))
  }

  /** Returns a histogram that the plugin declared. @throws SvcError SVC_METRIC_INVALID */
  histogram(plugin: string, name: string): SeriesOf<Histogram> {
    const family = this.#family(plugin, name, 'histogram')
    return seriesOf(family, () => new Histogram(this.#counting, family.definition.buckets))
  }

  /** Sets the function that reads a gauge, called when metrics are read. @throws SvcError SVC_METRIC_INVALID */
  gauge(plugin: string, name: string, read: GaugeReader): void {
    this.#family(plugin, name, 'gauge').gauge = read
  }

  /** Returns all metrics and turns counting on. */
  collect(): readonly Metric[] {
    this.#counting.on = true
    return [...this.#families.values()].map((family) => ({
      name: family.name,
      help: family.definition.help,
      type: family.definition.type,
      read: () => readFamily(family),
    }))
  }

  #family(plugin: string, name: string, type: MetricDefinition['type']): Family {
    const own = [...this.#families.values()].filter((family) => family.plugin === plugin).map((family) => family.name)
    const family = this.#families.get(name)
    if (family === undefined || family.plugin !== plugin) {
      const list = own.length === 0 ? 'It declares none.' : `Declared: ${listNames(own)}.`
      const message = `Plugin "${plugin}" uses the metric "${name}", which its manifest does not declare under \`metrics\`.${didYouMean(name, own)} ${list}`
      throw new SvcError('SVC_METRIC_INVALID', message)
    }
    if (family.definition.type === type) return family
    const message = `Plugin "${plugin}" uses "${name}" as a ${type}; its manifest declares a ${family.definition.type}.`
    throw new SvcError('SVC_METRIC_INVALID', message)
  }
}

function seriesOf<T extends Series>({ name, definition, series }: Family, create: () => T): SeriesOf<T> {
  const { labels = [] } = definition
  return (...values) => {
    if (values.length !== labels.length) {
      const wanted = labels.length === 0 ? 'no labels' : `a value for each of ${labels.join(', ')}`
      throw new SvcError('SVC_METRIC_INVALID', `The metric "${name}" takes ${wanted}; ${values.length} were given.`)
    }
    let key = JSON.stringify(values)
    let shown = values
    if (series.size >= MOST_SERIES && !series.has(key)) {
      shown = values.map(() => OTHER)
      key = JSON.stringify(shown)
    }
    let one = series.get(key)
    if (one === undefined) {
      one = { labels: Object.fromEntries(labels.map((label, i) => [label, shown[i]!])), instrument: create() }
      series.set(key, one)
    }
    return one.instrument as T
  }
}

type Series = Counter | Histogram

interface Family {
  readonly plugin: string
  readonly name: string
  readonly definition: MetricDefinition
  readonly series: Map<string, { readonly labels: Sample['labels']; readonly instrument: Series }>
  gauge: GaugeReader | null
}

function readFamily({ name, series, gauge }: Family): readonly Sample[] {
  if (gauge === null) return [...series.values()].flatMap(({ labels, instrument }) => instrument.read(name, labels))
  const value = gauge()
  return typeof value === 'number' ? [{ labels: {}, value }] : value
}
