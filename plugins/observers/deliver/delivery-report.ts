import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Scope } from '../../../core/doors/plugin.ts'
import type { Outcome } from '../outgoing/http-sender.ts'
import type { PendingDelivery } from './delivery.ts'

/** Receives the results of deliveries to webhooks, chats, mail servers and SQL functions, for metrics and the log. */
export interface DeliveryReport {
  attempted(
    actionType: string,
    outcome: Outcome,
    seconds: number,
    of: { readonly observer: string; readonly event: ChangeEvent },
  ): void
  buried(delivery: PendingDelivery): void
  /** Reports an error of the delivery store, after which its operation is repeated. */
  failed(error: unknown): void
}

/** Creates the report that counts and logs deliveries. Its log lines contain no bodies, URLs or secrets. */
export function createReport(scope: Scope): DeliveryReport {
  const executed = scope.metrics.counterBy('svc_observer_action_executed_total')
  const errors = scope.metrics.counterBy('svc_observer_action_errors_total')
  const retries = scope.metrics.counterBy('svc_observer_action_retries_total')
  const duration = scope.metrics.histogramBy('svc_observer_action_duration_seconds')
  const webhooks = {
    requests: scope.metrics.counter('svc_webhook_requests_total'),
    done: scope.metrics.counter('svc_webhook_success_total'),
    failed: scope.metrics.counter('svc_webhook_failure_total'),
    again: scope.metrics.counter('svc_webhook_retry_total'),
    latency: scope.metrics.histogram('svc_webhook_latency_ms'),
  }
  return {
    attempted(type, outcome, seconds, { observer, event }) {
      executed(type).add()
      duration(type).observe(seconds)
      if (type === 'webhook') {
        webhooks.requests.add()
        webhooks.latency.observe(seconds * 1000)
        webhooks[outcome.kind === 'done' ? 'done' : 'failed'].add()
        if (outcome.kind === 'again') webhooks.again.add()
      }
      if (outcome.kind === 'done') return
      errors(type).add()
      if (outcome.kind === 'again') retries(type).add()
      const fields = { observer, action: type, event: event.id, error: outcome.error }
      scope.log.debug(fields, 'an action of an observer failed')
    },
    buried({ observer, actionType, event, attempts, error }) {
      const fields = { observer, action: actionType, event: event.id, attempts, error }
      scope.log.error(fields, 'an action of an observer is a dead letter')
    },
    failed(error) {
      scope.log.warn({ error: String(error) }, 'deliveries of events could not be seen to; they are tried again')
    },
  }
}
