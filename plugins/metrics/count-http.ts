import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Reply, type Scope, SvcError } from '../../core/index.ts'
import { DURATION_BUCKETS } from './duration-buckets.ts'
import { observeOutcome } from './observe-outcome.ts'

/** Requests by method and status. Counted in plain numbers, and handed over when somebody asks. */
export function countHttp(scope: Scope, registry: Registry): void {
  const registers = [registry]
  const counts = new Map<string, Map<number, number>>()
  let inFlight = 0
  new Counter({
    name: 'svc_http_requests_total',
    help: 'HTTP requests that were answered.',
    labelNames: ['method', 'status'],
    registers,
    collect() {
      this.reset()
      for (const [method, byStatus] of counts) {
        for (const [status, count] of byStatus) this.inc({ method, status }, count)
      }
    },
  })
  new Gauge({
    name: 'svc_http_requests_in_flight',
    help: 'HTTP requests that are being answered.',
    registers,
    collect() {
      this.set(inFlight)
    },
  })
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'From the head of a request to its reply, the body of the request included, the sending of the reply not.',
    buckets: DURATION_BUCKETS,
    registers,
  })

  function end(method: string, status: number, started: number): void {
    inFlight--
    durations.observe((performance.now() - started) / 1000)
    let byStatus = counts.get(method)
    if (byStatus === undefined) {
      byStatus = new Map()
      counts.set(method, byStatus)
    }
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
  }

  scope.on('onRequest', (ctx, next) => {
    const started = performance.now()
    const { method } = ctx
    inFlight++
    return observeOutcome(
      next,
      // Of a hook that gave none, which the pipeline answers with an error.
      (reply: Reply | undefined) => end(method, reply?.status ?? 500, started),
      (error) => end(method, error instanceof SvcError ? error.status : 500, started),
    )
  })
}
