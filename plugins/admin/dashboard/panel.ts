/** One panel of a Grafana dashboard, as far as ours need it. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Grafana's names: `reqps`, `s`, `percentunit`, `short`. */
  readonly unit: string
  /** PromQL, each with the name of its lines. */
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
}

/** The rate of a counter over a window that fits the scrape, summed over workers and instances. */
export const rate = (counter: string, by = ''): string =>
  `sum${by === '' ? '' : ` by (${by})`} (rate(${counter}[$__rate_interval]))`

/** A quantile of a histogram. */
export const quantile = (share: number, histogram: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket[$__rate_interval])))`

/** Of a metric that every process has, those that are of svc. */
export const ofSvc = (expr: string): string => `${expr} and on (job, instance, worker) svc_build_info`

/** Panels that belong together, folded until somebody opens them. */
export interface PanelRow {
  readonly title: string
  readonly panels: readonly Panel[]
}
