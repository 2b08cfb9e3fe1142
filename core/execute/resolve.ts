import type { Database } from '../contract/database.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { ExplainOptions, Explanation } from '../contract/explanation.ts'
import type { Operation } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import type { CommitEvent, MaybePromise } from '../kernel/stages.ts'
import type { MomentsOf } from '../kernel/write-moments.ts'
import type { ObservePlan } from '../plan/settings.ts'
import { answerKey } from './answer-key.ts'
import { resolveWithCalls } from './call-root.ts'
import type { ExecuteContext } from './context.ts'
import { explainOperation } from './explain.ts'
import { planAhead } from './plan-ahead.ts'
import { resolveRead } from './read.ts'
import { readSources } from './read-sources.ts'
import { resolveMasked } from './resolve-masked.ts'
import { resolveTold } from './resolve-told.ts'
import { resolveStream } from './stream/resolve-stream.ts'
import { resolveWrite } from './write.ts'

export interface ResolverOptions {
  /** Asked per operation: the database may be opened after the resolver is made. */
  readonly database: () => Database
  readonly settings: {
    /** `svc.max_rows`; 0 = no bound. */
    readonly maxRows: number
  }
  /** Looks on while plans are made; absent = nobody does. */
  readonly observePlan?: ObservePlan | null
  /** `svc.max_response_bytes`; absent or 0 = no bound. */
  readonly maxResultBytes?: number
  /** `server.request_timeout_ms`, within which a batch of a stream has to be taken; absent or 0 = no bound. */
  readonly streamIdleMs?: number
  /** The chains of the moments of a mutation; `null` = nobody hooked any. */
  readonly moments?: MomentsOf | null
  /** What plugins want of writes. */
  readonly contributions?: readonly OwnedContribution[]
  /** Called after each COMMIT that wrote. Must not throw; nobody waits for it. */
  readonly onCommit?: (event: CommitEvent) => void
}

function createContext(options: ResolverOptions): ExecuteContext {
  const { database, settings, onCommit = null, moments = null, contributions = [] } = options
  const maxResultBytes = options.maxResultBytes || Number.POSITIVE_INFINITY
  return {
    database,
    settings: {
      maxRows: settings.maxRows,
      observePlan: options.observePlan ?? null,
      get dialect() {
        return database().dialect
      },
    },
    maxResultBytes,
    streamIdleMs: options.streamIdleMs ?? 0,
    onCommit,
    moments,
    contributions,
  }
}

export type Resolve = (exchange: Exchange, operation: Operation) => MaybePromise<Result>
/** Names of the views and tables that a query reads. */
export type ReadSources = (exchange: Exchange, operation: Operation) => readonly string[]
/** Key of what is kept of an answer; `null`: nothing may be. */
export type AnswerKey = (exchange: Exchange, operation: Operation) => string | null
export type Explain = (exchange: Exchange, operation: Operation, options: ExplainOptions) => Promise<Explanation>

/** Makes the plans of an operation before anybody asks for it. */
export type PlanAhead = (exchange: Exchange, operation: Operation) => Promise<void>

export interface Engine {
  readonly resolve: Resolve
  readonly explain: Explain
  readonly readSources: ReadSources
  readonly answerKey: AnswerKey
  readonly plan: PlanAhead
}

/** One context for all: plans are kept under its settings. */
export function createEngine(options: ResolverOptions): Engine {
  const context = createContext(options)
  return {
    resolve: resolverOn(context),
    explain: (exchange, operation, wanted) => explainOperation(context, exchange, operation, wanted),
    readSources: (exchange, operation) => readSources(exchange, operation, context.settings),
    answerKey: (exchange, operation) => answerKey(exchange, operation, context.settings),
    plan: (exchange, operation) => planAhead(context, exchange, operation),
  }
}

/**
 * The innermost of the `resolve` stage: plans an operation and runs it.
 * @returns a function that throws (or rejects with) SvcError SERVICE_UNAVAILABLE, TIMEOUT, which fail the whole
 * request; all other failures are errors of the result, each with the path of its root
 */
export function createResolver(options: ResolverOptions): Resolve {
  return createEngine(options).resolve
}

function resolverOn(context: ExecuteContext): Resolve {
  return function resolve(exchange, operation) {
    return operation.template.masked === undefined
      ? run(exchange, operation)
      : resolveMasked(operation, () => run(exchange, operation))
  }

  function run(exchange: Exchange, operation: Operation): MaybePromise<Result> {
    if (operation.form !== undefined) return resolveStream(context, exchange, operation, operation.form)
    switch (operation.template.kind) {
      case 'query':
        return operation.template.hasCalls === true
          ? resolveWithCalls(exchange, operation, () => resolveRead(context, exchange, operation))
          : resolveRead(context, exchange, operation)
      case 'mutation':
        return resolveWrite(context, exchange, operation)
      case 'subscription':
        return resolveTold(context, exchange, operation)
    }
  }
}
