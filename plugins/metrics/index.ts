import { Registry } from 'prom-client'
import { definePlugin } from '../../core/index.ts'
import { createBearerCheck } from './bearer-check.ts'
import { countHttp } from './count-http.ts'
import { countOperations } from './count-operations.ts'
import { countReloads } from './count-reloads.ts'
import manifest from './manifest.ts'
import { mergeMetrics } from './merge-metrics.ts'
import { observePool } from './observe-pool.ts'
import { observeProcess } from './observe-process.ts'

interface MetricsOptions {
  readonly token: string
}

/** What workers ask each other for. */
const TOPIC = 'metrics'

/** `GET /metrics`, Prometheus text format 0.0.4 (behaviours 15). */
export default definePlugin<MetricsOptions>(manifest, (scope, { token }) => {
  const registry = new Registry()
  const { peers } = scope.process
  if (peers.index !== null) registry.setDefaultLabels({ worker: String(peers.index) })
  countHttp(scope, registry)
  countOperations(scope, registry)
  countReloads(scope, registry)
  observePool(scope, registry)
  observeProcess(scope, registry)

  peers.answer(TOPIC, () => registry.getMetricsAsJSON())
  const check = createBearerCheck(token)
  scope.route({
    method: 'GET',
    path: '/metrics',
    anonymous: true,
    async handler(ctx) {
      check?.(ctx.headers.authorization)
      // A scrape goes to any worker; the answer is about all of them.
      const body = peers.index === null ? await registry.metrics() : await mergeMetrics(await peers.ask(TOPIC))
      return { status: 200, headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' }, body }
    },
  })
})
