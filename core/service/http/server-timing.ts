import { isPromise } from '../../base/util/promise.ts'
import type { HttpExchange } from '../../contract/http-exchange.ts'
import type { Observer } from '../../contract/observer.ts'
import type { MaybePromise } from '../../contract/stages.ts'

/** Points in time (`performance.now()`) and durations (milliseconds) of one request. `null`: this stage was not reached. */
interface Timings {
  readonly started: number
  auth: number | null
  /** When the front's handler was called. */
  handled: number | null
  /** Start of the first operation, and end of the last one. */
  firstRun: number | null
  lastRun: number
  /** Durations of authorize and resolve, of the engine, and of the database. */
  run: number
  engine: number
  sql: number
  statements: number
  /** Time when the engine was entered, until it sends its first statement. */
  entered: number | null
  plan: number | null
}

/**
 * Creates the observer that measures the stages of each HTTP request and adds them to its reply as the header
 * `Server-Timing` (`debug.server_timing`).
 */
export function createServerTiming(): Observer {
  const byExchange = new WeakMap<object, Timings>()

  /** Measures one part. `end` is called with the duration, also when the part fails. */
  function measure(next: () => MaybePromise<unknown>, end: (ms: number) => void): unknown {
    const from = performance.now()
    const finish = (): void => end(performance.now() - from)
    let out: unknown
    try {
      out = next()
    } catch (error) {
      finish()
      throw error
    }
    if (isPromise(out)) return out.then(finish, finish)
    finish()
  }

  return {
    exchange(ctx, next) {
      if (ctx.transport !== 'http') return
      const timings = createTimings()
      byExchange.set(ctx, timings)
      const reply = next()
      if (isPromise(reply)) return reply.then(() => addHeader(ctx, timings))
      addHeader(ctx, timings)
    },
    authenticate(ctx, next) {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return
      return measure(next, (ms) => {
        timings.auth = ms
      })
    },
    handler(ctx) {
      const timings = byExchange.get(ctx)
      if (timings !== undefined) timings.handled = performance.now()
    },
    operation(ctx, _operation, next) {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return
      timings.firstRun ??= performance.now()
      return measure(next, (ms) => {
        timings.run += ms
        timings.lastRun = performance.now()
      })
    },
    engine(ctx, _operation, next) {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return
      timings.entered ??= performance.now()
      return measure(next, (ms) => {
        timings.engine += ms
      })
    },
    statement({ exchange, within }, next) {
      if (within) return
      const timings = exchange === null ? undefined : byExchange.get(exchange)
      if (timings === undefined) return
      if (timings.entered !== null) timings.plan ??= performance.now() - timings.entered
      timings.statements++
      return measure(next, (ms) => {
        timings.sql += ms
      })
    },
  }
}

function createTimings(): Timings {
  return {
    started: performance.now(),
    auth: null,
    handled: null,
    firstRun: null,
    lastRun: 0,
    run: 0,
    engine: 0,
    sql: 0,
    statements: 0,
    entered: null,
    plan: null,
  }
}

/** Adds the header to a copy, because several requests may share the reply and its headers. */
function addHeader(ctx: HttpExchange, timings: Timings): void {
  ctx.replyHeaders = { ...ctx.replyHeaders, 'server-timing': printTimings(timings) }
}

function printTimings(timings: Timings): string {
  const { started, auth, handled, firstRun, lastRun, run, engine, sql, statements, plan } = timings
  const now = performance.now()
  const entries: string[] = []
  const add = (name: string, ms: number, description = '') =>
    entries.push(`${name};dur=${Math.max(0, ms).toFixed(2)}${description}`)
  if (auth !== null) add('auth', auth)
  if (firstRun !== null) {
    add('parse', firstRun - (handled ?? started))
    add('hooks', run - engine)
    add('plan', plan ?? engine)
    if (statements > 0) add('sql', sql, `;desc="${statements} statement${statements === 1 ? '' : 's'}"`)
    if (plan !== null) add('complete', engine - plan - sql)
    add('respond', now - lastRun)
  }
  add('total', now - started)
  return entries.join(', ')
}
