/** A panel of the Grafana dashboard: the settings that differ between panels. */
export interface Panel {
  readonly title: string
  readonly description: string
  /** Unit of the values, as Grafana names it: `reqps`, `s`, `percentunit`, `short`. */
  readonly unit: string
  /** PromQL queries, each with the legend of its time series. */
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
}

/**
 * Returns a PromQL expression for the per-second rate of a counter, summed over workers and instances.
 * @param by labels to keep, separated by commas; empty: one sum
 */
export const rate = (counter: string, by = ''): string =>
  `sum${by === '' ? '' : ` by (${by})`} (rate(${counter}[$__rate_interval]))`

/**
 * Returns a PromQL expression for a quantile of a histogram over all workers and instances.
 * @param share the quantile: 0.95 for the 95th percentile
 * @param by labels to keep, separated by commas; empty: one series
 */
export const quantile = (share: number, histogram: string, by = ''): string =>
  `histogram_quantile(${share}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${histogram}_bucket[$__rate_interval])))`

/**
 * Restricts a PromQL expression to processes of svc. For metrics that other programs expose too, such as
 * `process_cpu_seconds_total`.
 */
export const ofSvc = (expr: string): string => `${expr} and on (job, instance, worker) svc_build_info`

/** A titled row of panels in the Grafana dashboard, which is collapsed initially. */
export interface PanelRow {
  readonly title: string
  readonly panels: readonly Panel[]
}
