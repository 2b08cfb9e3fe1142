import { definePlugin } from '../../core/index.ts'
import { createBearerCheck } from './bearer-check.ts'
import { countHttp } from './count-http.ts'
import { countOperations } from './count-operations.ts'
import { countReloads } from './count-reloads.ts'
import manifest from './manifest.ts'
import { observePool } from './observe-pool.ts'
import { observeProcess } from './observe-process.ts'
import { type MetricReading, readMetrics, renderMetrics } from './render-metrics.ts'

interface MetricsOptions {
  readonly token: string
}

/** What workers ask each other for. */
const TOPIC = 'metrics'
const HEADERS = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' }

/** `GET /metrics`, Prometheus text format 0.0.4 (behaviours 15). */
export default definePlugin<MetricsOptions>(manifest, (scope, { token }) => {
  const metrics = [
    ...countHttp(scope),
    ...countOperations(scope),
    ...countReloads(scope),
    ...observePool(scope),
    ...observeProcess(scope),
    ...scope.metrics(),
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
      return { status: 200, headers: HEADERS, body: await renderMetrics(readings) }
    },
  })
})
