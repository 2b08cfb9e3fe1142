import { createHash, timingSafeEqual } from 'node:crypto'
import { definePlugin, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../tracing/api.ts'
import { countHttp } from './count-http.ts'
import { countOperations } from './count-operations.ts'
import manifest from './manifest.ts'
import { countPlans, countReloads, observePool, observeProcess, observeStores } from './process-metrics.ts'
import { CONTENT_TYPES, formatOf, type MetricReading, readMetrics, renderMetrics } from './render-metrics.ts'

interface MetricsOptions {
  readonly token: string
}

/** Topic of the requests between workers. */
const TOPIC = 'metrics'

/**
 * The plugin with `GET /metrics`: Prometheus text format 0.0.4, or OpenMetrics 1.0 by the `Accept` header
 * (docs/plugins/metrics.md).
 */
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
      // Any worker may receive the scrape; the answer covers all of them.
      const readings = peers.index === null ? [read()] : ((await peers.ask(TOPIC)) as (readonly MetricReading[])[])
      const format = formatOf(ctx.headers.accept)
      const headers = { 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store', vary: 'accept' }
      return { status: 200, headers, body: await renderMetrics(readings, format) }
    },
  })
})

/**
 * Creates the check of the bearer token (RFC 6750), which compares in constant time.
 * @returns `null` without a configured token; otherwise a function that throws SvcError UNAUTHENTICATED for any other token
 */
function createBearerCheck(token: string): ((authorization: string | readonly string[] | undefined) => void) | null {
  if (token === '') return null
  const wanted = digest(token)
  return (authorization) => {
    const [, given] = typeof authorization === 'string' ? (/^bearer +(\S+)$/i.exec(authorization) ?? []) : []
    if (given === undefined || !timingSafeEqual(digest(given), wanted)) {
      throw new SvcError('UNAUTHENTICATED', 'The metrics need the token of metrics.token: "Authorization: Bearer …".')
    }
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
