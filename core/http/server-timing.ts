import type { Database, TransactionOptions } from '../front/database.ts'
import type { Auth, Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { Route } from '../kernel/scope.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'
import type { Pipeline } from './pipeline.ts'

type Authenticate = (ctx: Exchange) => MaybePromise<Auth | undefined>
type RunOperation = (ctx: Exchange, operation: Operation) => MaybePromise<Result>

/** Points in time and sums of one request, `performance.now()` and milliseconds. `null` = it did not come to that. */
interface Timings {
  readonly started: number
  auth: number | null
  /** When the front's handler was called. */
  handled: number | null
  /** When the front had an operation, and when it last got a result. */
  firstRun: number | null
  lastRun: number
  /** In authorize and resolve, in the engine, in the database. */
  run: number
  engine: number
  sql: number
  statements: number
  /** When the engine was entered, until it sends its first statement. */
  entered: number | null
  plan: number | null
}

/**
 * Measures the stages of every request for the header `Server-Timing` (`debug.server_timing`). It wraps what boot puts
 * together, so that a service without it has nothing to skip.
 */
export interface ServerTiming {
  /** Around everything; adds the header. */
  pipeline(inner: Pipeline): Pipeline
  authenticate(inner: Authenticate): Authenticate
  routes<R extends Route>(routes: readonly R[]): readonly R[]
  /** Around authorize and resolve. */
  run(inner: RunOperation): RunOperation
  /** Around plan and execute. */
  engine(inner: RunOperation): RunOperation
  database(inner: Database): Database
}

export function createServerTiming(): ServerTiming {
  const byExchange = new WeakMap<object, Timings>()

  /** Times one call for a request that is measured; `end` gets its duration, also when it fails. */
  function measure<T>(start: () => MaybePromise<T>, end: (ms: number) => void): MaybePromise<T> {
    const from = performance.now()
    const finish = () => end(performance.now() - from)
    let out: MaybePromise<T>
    try {
      out = start()
    } catch (error) {
      finish()
      throw error
    }
    if (isPromise(out)) return out.finally(finish)
    finish()
    return out
  }

  /** A statement, or a transaction from BEGIN to COMMIT. The request is known by what it is cancelled with. */
  function inDatabase<T>(cancel: object | null | undefined, start: () => Promise<T>): Promise<T> {
    const timings = cancel ? byExchange.get(cancel) : undefined
    if (timings === undefined) return start()
    if (timings.entered !== null) timings.plan ??= performance.now() - timings.entered
    timings.statements++
    return measure(start, (ms) => {
      timings.sql += ms
    }) as Promise<T>
  }

  return {
    pipeline: (inner) => (ctx) => {
      const timings = createTimings()
      byExchange.set(ctx, timings)
      const reply = inner(ctx)
      if (isPromise(reply)) return reply.then((settled) => withHeader(settled, timings))
      return withHeader(reply, timings)
    },
    authenticate: (inner) => (ctx) => {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return inner(ctx)
      return measure(
        () => inner(ctx),
        (ms) => {
          timings.auth = ms
        },
      )
    },
    routes: (routes) =>
      routes.map((route) => ({
        ...route,
        handler(ctx) {
          const timings = byExchange.get(ctx)
          if (timings !== undefined) timings.handled = performance.now()
          return route.handler(ctx)
        },
      })),
    run: (inner) => (ctx, operation) => {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return inner(ctx, operation)
      timings.firstRun ??= performance.now()
      return measure(
        () => inner(ctx, operation),
        (ms) => {
          timings.run += ms
          timings.lastRun = performance.now()
        },
      )
    },
    engine: (inner) => (ctx, operation) => {
      const timings = byExchange.get(ctx)
      if (timings === undefined) return inner(ctx, operation)
      timings.entered ??= performance.now()
      return measure(
        () => inner(ctx, operation),
        (ms) => {
          timings.engine += ms
        },
      )
    },
    database(inner) {
      const timed = new Map<PropertyKey, unknown>([
        ['query', (...args: Parameters<Database['query']>) => inDatabase(args[2], () => inner.query(...args))],
        [
          'transaction',
          (work: never, options: TransactionOptions) =>
            inDatabase(options.cancel, () => inner.transaction(work, options)),
        ],
      ])
      const { readRow } = inner
      if (readRow !== undefined) {
        timed.set('readRow', (...args: Parameters<typeof readRow>) =>
          inDatabase(args[2], () => readRow.apply(inner, args)),
        )
      }
      return new Proxy(inner, {
        get(target, key) {
          const value: unknown = timed.get(key) ?? Reflect.get(target, key, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
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

function withHeader(reply: Awaited<ReturnType<Pipeline>>, timings: Timings): Awaited<ReturnType<Pipeline>> {
  return { ...reply, headers: { ...reply.headers, 'server-timing': printTimings(timings) } }
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
