/** The members of a Grafana panel that the dashboard uses. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Unit by Grafana's name: `reqps`, `s`, `percentunit`, `short`. */
  readonly unit: string
  /** PromQL queries, each with the legend of its series. */
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
}

/**
 * Writes a PromQL expression for the rate of a counter, in a window that fits the scrape interval, summed over workers
 * and instances.
 */
export const rate = (counter: string, by = ''): string =>
  `sum${by === '' ? '' : ` by (${by})`} (rate(${counter}[$__rate_interval]))`

/** Writes a PromQL expression for a quantile of a histogram. */
export const quantile = (share: number, histogram: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket[$__rate_interval])))`

/** Restricts a metric that any process may expose to processes of svc. */
export const ofSvc = (expr: string): string => `${expr} and on (job, instance, worker) svc_build_info`

/** A row of panels, which is collapsed initially. */
export interface PanelRow {
  readonly title: string
  readonly panels: readonly Panel[]
}
