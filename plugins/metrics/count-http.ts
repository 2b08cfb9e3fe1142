import { type HttpExchange, type Metric, type Reply, type Scope, SvcError } from '../../core/doors/plugin.ts'
import { DurationHistogram, type ReadTrace } from './duration-histogram.ts'
import { countUp, OTHER, singleMetric } from './metric.ts'
import { observeOutcome } from './observe-outcome.ts'

/** Methods of RFC 9110 and RFC 5789. Other methods share one series, because clients can invent any number of them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
const DURATION = 'svc_http_request_duration_seconds'

/** Status of a request whose client disconnected before the reply, as in the access log. */
const ABANDONED = 499
const isAbandoned = ({ abortReason }: HttpExchange): boolean => abortReason === 'client'

/**
 * Creates metrics of HTTP requests: number by method and status, durations, and requests in flight.
 * @param trace returns the labels of the current trace, for exemplars
 */
export function countHttp(scope: Scope, trace: ReadTrace): readonly Metric[] {
  const counts = new Map<string, Map<number | typeof OTHER, number>>()
  const durations = new DurationHistogram(trace)
  let inFlight = 0

  function end(given: string, status: number, started: number): void {
    const method = METHODS.has(given) ? given : OTHER
    inFlight--
    durations.since(started)
    let byStatus = counts.get(method)
    if (byStatus === undefined) {
      byStatus = new Map()
      counts.set(method, byStatus)
    }
    countUp(byStatus, status)
  }

  scope.on(
    'onRequest',
    (ctx, next) => {
      if (ctx.transport !== 'http') return next()
      const started = performance.now()
      const { method } = ctx
      inFlight++
      return observeOutcome(
        next,
        // A hook may return no reply; the pipeline then answers with an error.
        (reply: Reply | undefined) => end(method, isAbandoned(ctx) ? ABANDONED : (reply?.status ?? 500), started),
        (error) => end(method, isAbandoned(ctx) ? ABANDONED : error instanceof SvcError ? error.status : 500, started),
      )
    },
    { position: 'measure' },
  )

  return [
    {
      name: 'svc_http_requests_total',
      help: 'HTTP requests that were answered.',
      type: 'counter',
      read: () =>
        [...counts].flatMap(([method, byStatus]) =>
          [...byStatus].map(([status, value]) => ({ labels: { method, status }, value })),
        ),
    },
    singleMetric('gauge', 'svc_http_requests_in_flight', 'HTTP requests that are being answered.', () => inFlight),
    {
      name: DURATION,
      help: 'From the head of a request to its reply, the body of the request included, the sending of the reply not.',
      type: 'histogram',
      read: () => durations.read(DURATION),
    },
  ]
}
