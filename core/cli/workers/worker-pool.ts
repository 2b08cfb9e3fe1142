import type { RootLog } from '../../service/signals/log.ts'
import { EXIT, type ExitCode } from '../command/command.ts'
import type { ForkWorker } from './fork-worker.ts'
import type { Announcement } from './messages.ts'
import { Questions } from './questions.ts'
import { reloadWorkers } from './reload-workers.ts'
import { type SlotEvents, type WorkerEnd, WorkerSlot } from './worker-slot.ts'

/** A worker that lived this long has started successfully. */
const SETTLED_MS = 10_000
/** Number of starts in a row that may fail while no worker serves. */
const MOST_FAILED_STARTS = 3

export interface PoolOptions {
  readonly count: number
  readonly fork: ForkWorker
  readonly log: RootLog
  /** Time in milliseconds that a stopping worker has to finish its requests in flight. */
  readonly stopTimeoutMs: number
  /** Called once, when all workers listen for the first time, with the report of one of them. */
  readonly onReady: (first: Announcement) => void
}

/**
 * Starts, replaces and stops the worker processes of a supervisor. The first worker starts alone, so that an error
 * which affects all is reported once. A worker that dies is replaced, after a delay that grows with repeated deaths.
 */
export class WorkerPool {
  readonly #options: PoolOptions
  readonly #slots: readonly WorkerSlot[]
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #questions = new Questions()
  readonly #over: (code: ExitCode) => void
  /** The port that the first worker listened on. */
  #port: number | null = null
  /** The port that later workers listen on instead of the configured one; `null`: the configured one. */
  #pinned: number | null = null
  #isReady = false
  #failedStarts = 0
  #reloads = 0
  #reloading: Promise<void> = Promise.resolve()
  #stopping = false
  #exitCode: ExitCode = EXIT.ok
  /** Settles when no worker is left: after `stop`, or when restarts fail. */
  readonly finished: Promise<ExitCode>

  constructor(options: PoolOptions) {
    this.#options = options
    let over: (code: ExitCode) => void = () => {}
    this.finished = new Promise((resolve) => {
      over = resolve
    })
    this.#over = over
    const events: SlotEvents = {
      listening: (slot, about) => this.#listening(slot, about),
      ended: (slot, end) => this.#ended(slot, end),
      talks: (slot, message) => {
        if (message.type === 'answer') this.#questions.hear(slot, message.question, message.answers)
        else if (message.type === 'tell') this.#tell(slot, message.topic, message.value)
        else void this.#ask(slot, message.id, message.topic)
      },
    }
    this.#slots = Array.from({ length: options.count }, (_, i) => new WorkerSlot(i + 1, events))
    this.#start(this.#slots[0]!)
  }

  get #serving(): readonly WorkerSlot[] {
    return this.#slots.filter((slot) => slot.serving !== null)
  }

  async #ask(slot: WorkerSlot, id: number, topic: string): Promise<void> {
    const answers = await this.#questions.ask(this.#serving, topic)
    slot.say({ type: 'answers', id, answers })
  }

  /** Sends a message to all other workers. Those that do not serve yet need it too, to keep their state current. */
  #tell(from: WorkerSlot, topic: string, value: unknown): void {
    for (const slot of this.#slots) if (slot !== from) slot.say({ type: 'told', topic, value })
  }

  #start(slot: WorkerSlot): void {
    // When the last worker dies, the listener closes and its port is free. The next worker has to use the same port.
    if (this.#slots.every(({ alive }) => !alive)) this.#pinned = this.#port
    slot.hold(this.#options.fork(slot.index, this.#pinned), this.#reloads)
  }

  #listening(slot: WorkerSlot, about: Announcement): void {
    const isFirst = this.#port === null
    const port = Number(/:(\d+)$/.exec(about.url)?.[1])
    this.#failedStarts = 0
    this.#port ??= port
    if (port !== this.#port) {
      // The worker was forked before the supervisor noticed the death of the last other one, so it listens on a new random port.
      this.#pinned = this.#port
      slot.kill()
      return
    }
    if (isFirst && !this.#stopping) for (const other of this.#slots) if (other !== slot) this.#start(other)
    this.#tellCount()
    if (this.#isReady) this.#welcome(slot, about)
    else if (this.#serving.length === this.#slots.length) {
      this.#isReady = true
      this.#options.onReady(about)
    }
  }

  /**
   * Checks a worker that replaced a dead one. It has read the current artifact, which the others may not have loaded.
   */
  #welcome(slot: WorkerSlot, { hash }: Announcement): void {
    const { log } = this.#options
    log.info({ worker: slot.index, pid: slot.pid }, 'worker serves')
    if (slot.bornAt !== this.#reloads) return void this.reload()
    const other = this.#serving.find(({ serving }) => serving?.hash !== hash)
    if (other === undefined) return
    const fields = { worker: slot.index, hash, others: other.serving?.hash }
    log.warn(fields, 'worker serves another schema than the others; SIGUSR1 makes all load the same')
  }

  #ended(slot: WorkerSlot, end: WorkerEnd): void {
    const { log } = this.#options
    const fields = { worker: slot.index, ...(end.signal === null ? { exit_code: end.code } : { signal: end.signal }) }
    this.#tellCount()
    this.#questions.gone(slot)
    if (!end.hadListened) this.#failedStarts++
    if (this.#stopping) {
      const wasStarting = !end.hadListened && end.signal === 'SIGTERM'
      if (end.code !== 0 && !wasStarting) {
        if (this.#exitCode === EXIT.ok) this.#exitCode = EXIT.invalid
        log.error(fields, 'worker did not stop cleanly')
      }
      this.#checkOver()
    } else if (this.#isHopeless(end)) {
      if (this.#port !== null || end.signal !== null) log.error(fields, 'workers do not start; giving up')
      this.#exitCode = exitCodeOf(end)
      this.stop()
    } else {
      this.#restart(slot, end, fields)
    }
  }

  /**
   * Should the supervisor give up? Yes when the first start fails, whose worker has reported the reason; later when
   * several starts in a row fail while no worker serves.
   */
  #isHopeless({ hadListened }: WorkerEnd): boolean {
    if (hadListened) return false
    if (this.#port === null) return true
    return this.#failedStarts >= MOST_FAILED_STARTS && (!this.#isReady || this.#serving.length === 0)
  }

  #restart(slot: WorkerSlot, end: WorkerEnd, fields: Readonly<Record<string, unknown>>): void {
    const { log } = this.#options
    if (end.code === 0) slot.failures = 0
    else slot.failures = end.livedMs > SETTLED_MS ? 1 : slot.failures + 1
    const wait = restartDelay(slot.failures)
    const about = { ...fields, restart_in_ms: wait }
    if (end.code === 0) log.info(about, 'worker was stopped; another takes its place')
    else if (end.hadListened) log.error(about, 'worker died, and its requests in flight with it')
    else log.error(about, 'worker did not start')
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#start(slot)
    }, wait)
    this.#timers.add(timer)
  }

  #tellCount(): void {
    const configured = this.#slots.length
    for (const slot of this.#slots) slot.say({ type: 'workers', configured, listening: this.#serving.length })
  }

  /** Reloads the compiled schema in all workers that serve, and logs the results. Reloads do not overlap. */
  reload(): Promise<void> {
    this.#reloads++
    this.#reloading = this.#reloading.then(() => reloadWorkers(() => this.#serving, this.#options.log))
    return this.#reloading
  }

  /** Drains all workers, and kills those that exceed the time limit. */
  stop(): void {
    if (this.#stopping) return
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    for (const slot of this.#slots) slot.stop()
    const cut = setTimeout(() => this.kill(), this.#options.stopTimeoutMs)
    void this.finished.then(() => clearTimeout(cut))
    this.#checkOver()
  }

  /** Kills all workers. */
  kill(): void {
    for (const slot of this.#slots) slot.kill()
  }

  #checkOver(): void {
    if (this.#slots.every((slot) => !slot.alive)) this.#over(this.#exitCode)
  }
}

function exitCodeOf({ code }: WorkerEnd): ExitCode {
  return Object.values(EXIT).find((known) => known === code && known !== EXIT.ok) ?? EXIT.invalid
}

const FIRST_MS = 100
const LONGEST_MS = 30_000

/**
 * Returns the delay in milliseconds before a dead worker is replaced. It doubles with each consecutive failure, up to a
 * maximum; without a failure it is 0.
 * @param failures number of consecutive deaths, each soon after the start
 */
export function restartDelay(failures: number): number {
  return failures <= 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
}
