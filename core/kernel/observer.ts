import type { Auth, Exchange } from '../contract/exchange.ts'
import type { AnyExchange } from '../contract/http-exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Reply } from '../contract/reply.ts'
import type { Result } from '../contract/result.ts'
import type { Statement } from '../contract/statement.ts'
import { SvcError } from '../errors/svc-error.ts'
import { didYouMean, listNames } from '../util/nearest.ts'
import type { HookChain } from './hooks.ts'
import type { MaybePromise } from './stages.ts'

/**
 * Sees how the parts of a request go, from around them: tracing, timing, logs. It calls `next()` at once, and gets what
 * the part gave, a promise where it is one. It can change nothing: its own result is ignored, its failure is reported, and
 * the part runs whatever it does. What must decide something is a hook.
 */
export interface Observer {
  /** From entry to reply, outside of onRequest, whichever way it came. Failures are replies here. */
  exchange?(ctx: AnyExchange, next: () => MaybePromise<Reply>): unknown
  /** Where somebody hooked `authenticate`. */
  authenticate?(ctx: Exchange, next: () => MaybePromise<Auth | undefined>): unknown
  /** The handler of the route, or of whoever entered. */
  handler?(ctx: AnyExchange, route: ObservedRoute, next: () => MaybePromise<Reply>): unknown
  /** The guarded run of an operation: default policy, authorize, resolve. */
  operation?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /** Inside the hooks of `resolve`: plan and execute. */
  engine?(ctx: Exchange, operation: Operation, next: () => MaybePromise<Result>): unknown
  /** A plan is made, statement and all, because none of its kind is kept: synchronously, within `engine`. */
  plan?(work: PlanWork, next: () => unknown): unknown
  /** A statement, or a transaction from BEGIN to COMMIT, and within it its statements. */
  statement?(work: StatementWork, next: () => Promise<unknown>): unknown
  /** Fields of every line of the log that is written while this exchange is served, such as the trace; `null` = none. Must not throw. */
  logFields?(): Readonly<Record<string, unknown>> | null
  /**
   * Comment behind each statement of an operation, read as the statement is sent: `key='value'`, of letters, digits and `_ = ' , . % : -`;
   * `null` = none. A statement with a comment is not prepared and has a connection of its own: comment on few. Drivers without
   * `Database.takesComments` ignore it.
   */
  statementComment?(): string | null
}

/** Which handler is called. */
export interface ObservedRoute {
  /** Absent: it came by `scope.pipeline.enter`. */
  readonly method?: string
  /** As it was mounted: `/users/:id`. */
  readonly path?: string
}

export interface PlanWork {
  /** For whom: the exchange, where it is one's. */
  readonly exchange: object | null
  readonly operation: Operation
  /** Which of the operation's: `read`, `rows`, `columns`, `write`, `sources`, or a part of one. */
  readonly kind: string
}

/** A database that statements are sent to. */
export interface ObservedDatabase {
  /** `default`, or as its section `[databases.<name>]` calls it. */
  readonly name: string
  /** As `Database.kind`. */
  readonly kind: string
  /** As `Database.planning`; absent: this driver does not choose. */
  readonly planning?: (statement: Statement) => 'values' | 'generic' | null
}

export interface StatementWork {
  readonly database: ObservedDatabase
  /** For whom: the exchange, where it is one's. */
  readonly exchange: object | null
  /** `null`: a transaction. */
  readonly statement: Statement | null
  /** A part of a transaction, which is observed itself: who adds up times leaves it out. */
  readonly within: boolean
}

/** An observer and whose it is. */
export interface OwnedObserver {
  readonly plugin: string
  readonly observer: Observer
}

export const OBSERVED = ['exchange', 'authenticate', 'handler', 'operation', 'engine', 'plan', 'statement'] as const
export type ObservedPart = (typeof OBSERVED)[number]
const PARTS: readonly string[] = [...OBSERVED, 'logFields', 'statementComment']

/** For `svc plugins --hooks`: the parts that somebody observes, the outermost first. */
export function describeObservers(observers: readonly OwnedObserver[]): readonly HookChain[] {
  return OBSERVED.flatMap((part) => {
    const plugins = observers.filter(({ observer }) => observer[part] !== undefined).map(({ plugin }) => plugin)
    if (plugins.length === 0) return []
    return [{ stage: part, kind: 'observe' as const, owner: null, plugins, positions: plugins.map(() => null) }]
  })
}

/** @throws SvcError SVC_HOOK_INVALID */
export function checkObserver(plugin: string, observer: unknown): Observer {
  const invalid = (what: string) => new SvcError('SVC_HOOK_INVALID', `Plugin "${plugin}" observes ${what}.`)
  if (typeof observer !== 'object' || observer === null) throw invalid(`with a value that is none (${typeof observer})`)
  for (const [part, handler] of Object.entries(observer)) {
    if (!PARTS.includes(part)) {
      throw invalid(`the unknown part "${part}".${didYouMean(part, PARTS)} Parts: ${listNames(PARTS)}`)
    }
    if (typeof handler !== 'function') throw invalid(`"${part}" with a value that is no function (${typeof handler})`)
  }
  return Object.freeze({ ...observer }) as Observer
}
