import type { Database } from '../contract/database.ts'
import type { Executor } from '../contract/engine.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation, OperationTemplate } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import type { CommitEvent, MaybePromise } from '../kernel/stages.ts'
import type { MomentsOf } from '../kernel/write-moments.ts'
import type { ObservePlan } from '../plan/settings.ts'
import { answerKey } from './answer-key.ts'
import { resolveWithCalls } from './call-root.ts'
import type { ExecuteContext } from './context.ts'
import { explainInDatabases } from './databases/explain-in-databases.ts'
import { partsBehind } from './databases/operation-part.ts'
import { type RunPart, resolveInDatabases } from './databases/resolve-in-databases.ts'
import { splitOperation } from './databases/split-operation.ts'
import { explainOperation } from './explain.ts'
import { planAhead } from './plan-ahead.ts'
import { resolveRead } from './read.ts'
import { readSources } from './read-sources.ts'
import { resolveMasked } from './resolve-masked.ts'
import { resolveTold } from './resolve-told.ts'
import { resolveStream } from './stream/resolve-stream.ts'
import { resolveWrite } from './write.ts'

export interface ResolverOptions {
  /** Called for each operation, because the database may be opened after the resolver is created. */
  readonly database: () => Database
  /** Databases of `[databases]`, by name. Absent: none. */
  readonly databases?: ReadonlyMap<string, Database>
  readonly settings: {
    /** `svc.max_rows`; 0: no limit. */
    readonly maxRows: number
    /** `svc.max_sort_keys`, `svc.max_group_keys`; absent: their defaults. */
    readonly maxSortKeys?: number | undefined
    readonly maxGroupKeys?: number | undefined
  }
  /** Observes the creation of plans; absent: no observer. */
  readonly observePlan?: ObservePlan | null
  /** `svc.max_response_bytes`; absent or 0: no limit. */
  readonly maxResultBytes?: number
  /** `server.request_timeout_ms`, within which each batch of a stream must be taken; absent or 0: no limit. */
  readonly streamIdleMs?: number
  /** Hooks of mutations; `null`: there are none. */
  readonly moments?: MomentsOf | null
  /** Contributions of plugins (`scope.writes`). */
  readonly contributions?: readonly OwnedContribution[]
  /** Called after each COMMIT with writes. It must not throw and is not awaited. */
  readonly onCommit?: (event: CommitEvent) => void
}

/** @param of database whose root fields the context answers; absent: all root fields */
function createContext(options: ResolverOptions, of?: ExecuteContext['settings']['of']): ExecuteContext {
  const { database, settings, onCommit = null, moments = null, contributions = [] } = options
  const maxResultBytes = options.maxResultBytes || Number.POSITIVE_INFINITY
  return {
    database,
    settings: {
      maxRows: settings.maxRows,
      maxSortKeys: settings.maxSortKeys,
      maxGroupKeys: settings.maxGroupKeys,
      observePlan: options.observePlan ?? null,
      ...(of === undefined ? {} : { of }),
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
/** Returns the names of the views and tables that a query reads. */
export type ReadSources = (exchange: Exchange, operation: Operation) => readonly string[]
/** Returns the cache key of an answer; `null`: it must not be cached. */
export type AnswerKey = (exchange: Exchange, operation: Operation) => string | null
export type Explain = (exchange: Exchange, operation: Operation, options: ExplainOptions) => Promise<Explanation>

/** Creates the plans of an operation ahead of its first request. */
export type PlanAhead = (exchange: Exchange, operation: Operation) => Promise<void>

export interface Engine {
  readonly resolve: Resolve
  readonly explain: Explain
  readonly readSources: ReadSources
  readonly answerKey: AnswerKey
  readonly plan: PlanAhead
}

/** Creates the engine, with one context for each database, because plans are cached by its settings. */
export function createEngine(options: ResolverOptions): Engine {
  const { databases = new Map<string, Database>() } = options
  const isOne = databases.size === 0
  const context = createContext(options)
  const own = isOne ? context : createContext(options, { database: undefined })
  const others = new Map(
    [...databases].map(([name, database]) => [
      name,
      createContext({ ...options, database: () => database }, { database: name }),
    ]),
  )
  const contextOf = (database: string | undefined): ExecuteContext =>
    database === undefined ? own : (others.get(database) ?? own)
  const run = runnerOn(contextOf)
  return {
    resolve: resolverOn(
      isOne
        ? (exchange, operation) => run(exchange, operation, undefined)
        : (exchange, operation) => runApart(exchange, operation, context.maxResultBytes, run),
    ),
    explain: (exchange, operation, wanted) =>
      isOne
        ? explainOperation(context, exchange, operation, wanted)
        : explainInDatabases(exchange, operation, (part, database) =>
            explainOperation(contextOf(database), exchange, part, wanted),
          ),
    sourcesOf: (exchange, operation) => readSources(exchange, operation, context.settings),
    answerKey: (exchange, operation) => answerKey(exchange, operation, context.settings),
    async plan(exchange, operation) {
      if (isOne) return planAhead(context, exchange, operation)
      const isWrite = operation.template.kind === 'mutation'
      for (const part of splitOperation(operation, exchange.generation.schema, isWrite).flatMap(partsBehind)) {
        await planAhead(contextOf(part.database), exchange, { ...operation, template: part.template })
      }
    },
  }
}

/**
 * Creates the innermost function of the stage `resolve`, which plans and runs operations.
 * @returns a function that throws, or rejects with, SvcError SERVICE_UNAVAILABLE and TIMEOUT, which fail the whole request. All other
 *   failures are errors of the result, with the path of their root field
 */
export function createResolver(options: ResolverOptions): Resolve {
  return createEngine(options).resolve
}

function resolverOn(run: Resolve): Resolve {
  return function resolve(exchange, operation) {
    return operation.template.masked === undefined
      ? run(exchange, operation)
      : resolveMasked(operation, () => run(exchange, operation))
  }
}

/** Runs the root fields of plugins concurrently with those of the databases. */
function runApart(
  exchange: Exchange,
  operation: Operation,
  maxResultBytes: number,
  run: RunPart,
): MaybePromise<Result> {
  const { schema } = exchange.generation
  if (schema.databases.size === 0) return run(exchange, operation, undefined)
  const { kind, hasCalls } = operation.template
  const read = () => resolveInDatabases(exchange, operation, maxResultBytes, run)
  if (kind !== 'query' || hasCalls !== true || operation.form !== undefined) return read()
  const { hasCalls: _, ...template } = operation.template
  const alone = { ...operation, template: withoutCalls(operation.template, template) }
  return resolveWithCalls(exchange, operation, () => resolveInDatabases(exchange, alone, maxResultBytes, run))
}

const withoutCallsOf = new WeakMap<OperationTemplate, OperationTemplate>()

function withoutCalls(template: OperationTemplate, rest: Omit<OperationTemplate, 'hasCalls'>): OperationTemplate {
  let own = withoutCallsOf.get(template)
  if (own === undefined) {
    own = rest
    withoutCallsOf.set(template, own)
  }
  return own
}

function runnerOn(contextOf: (database: string | undefined) => ExecuteContext): RunPart {
  return function run(exchange: Exchange, operation: Operation, database?: string): MaybePromise<Result> {
    const context = contextOf(database)
    if (operation.form !== undefined) return resolveStream(context, exchange, operation, operation.form)
    if (operation.told !== undefined) return resolveTold(context, exchange, operation)
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
