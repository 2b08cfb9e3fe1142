import type { Worker } from 'node:cluster'
import type { Announcement, ReloadAnswer, SupervisorMessage, WorkerMessage } from './messages.ts'

const RELOAD_TIMEOUT_MS = 60_000

/** How a worker process ended: exit code or signal, and its lifetime. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
  /** `true` if the worker was ready for requests before it ended, so that its start had succeeded. */
  readonly hadListened: boolean
  readonly livedMs: number
}

export interface SlotEvents {
  listening(slot: WorkerSlot, about: Announcement): void
  ended(slot: WorkerSlot, end: WorkerEnd): void
  /** Called when the worker sends a message or a question to the other workers, or answers a question of one. */
  talks(slot: WorkerSlot, message: Extract<WorkerMessage, { readonly type: 'ask' | 'answer' | 'tell' }>): void
}

/**
 * One of the supervisor's workers, with a fixed number. It stays the same object when its process dies and another
 * process replaces it.
 */
export class WorkerSlot {
  readonly index: number
  /** The announcement of the worker, with the schema hash that it serves now. `null`: it does not serve. */
  serving: Announcement | null = null
  /** Number of consecutive deaths, each soon after the start. */
  failures = 0
  /** Number of reloads before its process was started. */
  bornAt = 0
  readonly #events: SlotEvents
  #worker: Worker | null = null
  #answer: ((answer: ReloadAnswer) => void) | null = null

  constructor(index: number, events: SlotEvents) {
    this.index = index
    this.#events = events
  }

  get pid(): number | undefined {
    return this.#worker?.process.pid
  }

  get alive(): boolean {
    return this.#worker !== null
  }

  /** Sets the process, which was just started. */
  hold(worker: Worker, reloads: number): void {
    const startedAt = performance.now()
    this.#worker = worker
    this.bornAt = reloads
    worker.on('message', (message: WorkerMessage) => this.#hear(message))
    // The channel broke during a write. The event `exit` follows.
    worker.on('error', () => {})
    worker.once('exit', (code: number | null, signal: string | null) => {
      const hadListened = this.serving !== null
      this.#worker = null
      this.serving = null
      this.#settle({ type: 'gone' })
      this.#events.ended(this, { code, signal, hadListened, livedMs: performance.now() - startedAt })
    })
  }

  #hear(message: WorkerMessage): void {
    if (message.type === 'listening') {
      this.serving = message
      this.#events.listening(this, message)
      return
    }
    if (message.type === 'ask' || message.type === 'answer' || message.type === 'tell') {
      this.#events.talks(this, message)
      return
    }
    if (message.type === 'reloaded' && this.serving !== null) this.serving = { ...this.serving, hash: message.hash }
    this.#settle(message)
  }

  /** Requests a reload of the compiled schema. Reloads do not overlap. */
  reload(): Promise<ReloadAnswer> {
    return new Promise((resolve) => {
      const overdue = setTimeout(
        () => this.#settle({ type: 'reload-failed', reason: `no answer within ${RELOAD_TIMEOUT_MS / 1000} s` }),
        RELOAD_TIMEOUT_MS,
      )
      this.#answer = (answer) => {
        clearTimeout(overdue)
        resolve(answer)
      }
      if (!this.say({ type: 'reload' })) this.#settle({ type: 'gone' })
    })
  }

  #settle(answer: ReloadAnswer): void {
    const settle = this.#answer
    this.#answer = null
    settle?.(answer)
  }

  /** Sends a message. @returns `false` when no process is connected */
  say(message: SupervisorMessage): boolean {
    if (this.#worker === null || !this.#worker.isConnected()) return false
    this.#worker.send(message)
    return true
  }

  /** Requests that the worker finishes requests in flight and exits. */
  stop(): void {
    this.say({ type: 'stop' })
    // A worker that is starting may not receive messages yet, but it receives signals.
    if (this.serving === null) this.#worker?.process.kill('SIGTERM')
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }
}
