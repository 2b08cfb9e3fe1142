import { settlesWithin } from '../../core/doors/front.ts'
import type { Scope } from '../../core/doors/plugin.ts'
import type { BackendStatus, EventBackend } from './backends/backend.ts'
import type { DeliveryCounts } from './deliver/delivery.ts'

const EVERY_MS = 2000
/** Time after which a backend that does not answer is reported as unreachable, because probes have short time limits. */
const SLOW_MS = 2000

/** Reads the state of the event backend every two seconds and on request, for metrics and health checks. */
export class Monitor {
  readonly #backend: EventBackend
  #status: BackendStatus | null = null
  #counts: DeliveryCounts = { waiting: 0, dead: 0, deadWebhooks: 0 }
  #seenAt = Date.now()
  #isUp = true
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null

  constructor(scope: Scope, backend: EventBackend) {
    this.#backend = backend
    scope.metrics.gauge('svc_observer_lag_seconds', () => this.lagSeconds)
    scope.metrics.gauge('svc_observer_pending_events', () => this.#status?.pending ?? 0)
    scope.metrics.gauge('svc_observer_waiting_items', () => this.#counts.waiting)
    scope.metrics.gauge('svc_observer_dlq_items', () => this.#counts.dead)
    scope.metrics.gauge('svc_webhook_dlq_size', () => this.#counts.deadWebhooks)
    scope.metrics.gauge('svc_observer_backend_up', () => (this.#isUp ? 1 : 0))
  }

  /** Age of the oldest pending event. While the backend cannot be checked, its age keeps growing. */
  get lagSeconds(): number {
    const known = this.#status?.lagSeconds ?? 0
    return this.#isUp ? known : known + (Date.now() - this.#seenAt) / 1000
  }

  start(): void {
    const look = (): void => {
      void this.look().finally(() => {
        if (this.#timer === null) return
        this.#timer = setTimeout(look, EVERY_MS)
        this.#timer.unref()
      })
    }
    this.#timer = setTimeout(look, 0)
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  /** Checks the backend, with a time limit. Never throws. @returns `true` if it can be reached */
  async look(): Promise<boolean> {
    this.#looking ??= this.#find().finally(() => {
      this.#looking = null
    })
    if (!(await settlesWithin(this.#looking, SLOW_MS))) this.#isUp = false
    return this.#isUp
  }

  async #find(): Promise<void> {
    try {
      this.#status = await this.#backend.status()
      this.#counts = await this.#backend.store.counts()
      this.#seenAt = Date.now()
      this.#isUp = true
    } catch {
      this.#isUp = false
    }
  }

  get found(): { readonly status: BackendStatus | null; readonly waiting: number; readonly dead: number } {
    return { status: this.#status, ...this.#counts }
  }
}
