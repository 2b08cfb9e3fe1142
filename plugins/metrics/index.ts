import { definePlugin } from '../../core/doors/plugin.ts'
import type {} from '../tracing/api.ts'
import { createBearerCheck } from './bearer-check.ts'
import { countHttp } from './count-http.ts'
import { countOperations } from './count-operations.ts'
import { countPlans } from './count-plans.ts'
import { countReloads } from './count-reloads.ts'
import { formatOf } from './format-of.ts'
import manifest from './manifest.ts'
import { observePool } from './observe-pool.ts'
import { observeProcess } from './observe-process.ts'
import { observeStores } from './observe-stores.ts'
import { CONTENT_TYPES, type MetricReading, readMetrics, renderMetrics } from './render-metrics.ts'

interface MetricsOptions {
  readonly token: string
}

/** What workers ask each other for. */
const TOPIC = 'metrics'

/** `GET /metrics`: Prometheus text format 0.0.4, or OpenMetrics 1.0 by `Accept` (docs/plugins/metrics.md). */
export default definePlugin<MetricsOptions>(manifest, (scope, { token }) => {
  const tracing = scope.use('tracing', { optional: true })
  const labels = tracing === undefined ? () => null : () => tracing.labels()
  const metrics = [
    ...countHttp(scope, labels),
    ...countOperations(scope, labels),
    ...countReloads(scope),
    ...observePool(scope),
    countPlans(scope),
    observeStores(scope),
    ...observeProcess(scope),
    ...scope.metrics.collect(),
  ]
  const { peers } = scope.process
  const read = () => readMetrics(metrics, peers.index)
  peers.answer(TOPIC, read)

  const check = createBearerCheck(token)
  scope.route({
    method: 'GET',
    path: '/metrics',
    anonymous: true,
    async handler(ctx) {
      check?.(ctx.headers.authorization)
      // A scrape goes to any worker; the answer is about all of them.
      const readings = peers.index === null ? [read()] : ((await peers.ask(TOPIC)) as (readonly MetricReading[])[])
      const format = formatOf(ctx.headers.accept)
      const headers = { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store', vary: 'accept' }
      return { status: 200, headers, body: await renderMetrics(readings, format) }
    },
  })
})
