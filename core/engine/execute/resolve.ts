import { isPromise } from '../../base/util/promise.ts'
import type { Database } from '../../contract/database.ts'
import type { Executor } from '../../contract/engine.ts'
import type { CommitEvent } from '../../contract/engine-stages.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { MutationHooksOf } from '../../contract/mutation-hooks.ts'
import type { Operation, OperationTemplate } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import type { OwnedContribution } from '../../contract/write-contribution.ts'
import { maskedErrors } from '../access/masked-errors.ts'
import type { ObservePlan } from '../plan/context/settings.ts'
import { answerKey } from './answer-key.ts'
import { resolveChangedRows } from './changes/resolve-changed-rows.ts'
import type { ExecuteContext } from './context/context.ts'
import { explainInDatabases } from './databases/explain-in-databases.ts'
import { partsBehind } from './databases/operation-part.ts'
import { type RunPart, resolveInDatabases } from './databases/resolve-in-databases.ts'
import { splitOperation } from './databases/split-operation.ts'
import { explainOperation } from './explain.ts'
import { planAhead } from './plan-ahead.ts'
import { resolveRead } from './read/read.ts'
import { readSources } from './read/read-sources.ts'
import { resolveStream } from './stream/resolve-stream.ts'
import { resolveWithCalls } from './write/call-root.ts'
import { resolveWrite } from './write/write.ts'

export interface ExecutorOptions {
  /**
   * Returns the default database. It is called per operation, because the database may be opened after the executor is
   * created.
   */
  readonly database: () => Database
  /** The databases of `[databases]` by name. Absent: there is only the default database. */
  readonly databases?: ReadonlyMap<string, Database>
  readonly settings: {
    /** `svc.max_rows`; 0 = no limit. */
    readonly maxRows: number
    /** `svc.max_sort_keys`, `svc.max_group_keys`; absent: their defaults. */
    readonly maxSortKeys?: number | undefined
    readonly maxGroupKeys?: number | undefined
  }
  /** Called around the creation of each plan, for plugins that measure it; absent or `null`: none. */
  readonly observePlan?: ObservePlan | null
  /** Maximum length of a result's JSON text in bytes (`svc.max_response_bytes`); absent or 0: no limit. */
  readonly maxResultBytes?: number
  /**
   * Milliseconds that a stream waits until its reader takes the next batch (`server.request_timeout_ms`); absent or 0:
   * no limit.
   */
  readonly streamIdleMs?: number
  /** Returns the hooks of a mutation; absent or `null`: no mutation has hooks. */
  readonly mutationHooks?: MutationHooksOf | null
  /** What plugins add to mutations (`scope.writes`), such as an INSERT for each written row. */
  readonly contributions?: readonly OwnedContribution[]
  /**
   * Called after each COMMIT of a mutation that wrote rows. The executor does not wait for it, and it must not throw.
   */
  readonly onCommit?: (event: CommitEvent) => void
}

/** @param of the database whose roots the context answers; absent: all */
function createContext(options: ExecutorOptions, of?: ExecuteContext['settings']['of']): ExecuteContext {
  const { database, settings, onCommit = null, mutationHooks = null, contributions = [] } = options
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
    mutationHooks,
    contributions,
  }
}

/** Creates the part of the engine that plans, runs and explains authorized operations on the configured databases. */
export function createExecutor(options: ExecutorOptions): Executor {
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

function resolverOn(run: Executor['resolve']): Executor['resolve'] {
  return function resolve(exchange, operation) {
    return operation.template.masked === undefined
      ? run(exchange, operation)
      : resolveMasked(operation, () => run(exchange, operation))
  }
}

/** Runs root fields that plugins answer concurrently with those of the databases. */
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
    if (operation.changed !== undefined) return resolveChangedRows(context, exchange, operation)
    switch (operation.template.kind) {
      case 'query':
        return operation.template.hasCalls === true
          ? resolveWithCalls(exchange, operation, () => resolveRead(context, exchange, operation))
          : resolveRead(context, exchange, operation)
      case 'mutation':
        return resolveWrite(context, exchange, operation)
      case 'subscription':
        return resolveChangedRows(context, exchange, operation)
    }
  }
}

/**
 * Runs an operation with denied parts and adds their errors to the result. When a non-null root field is denied, nothing runs and nothing
 * is written.
 */
function resolveMasked(operation: Operation, run: () => MaybePromise<Result>): MaybePromise<Result> {
  const errors = maskedErrors(operation)
  const { masked, roots } = operation.template
  // A stream has a single root. If it is denied, there is nothing to stream.
  const isNothing = operation.form !== undefined && roots.some((root) => 'denied' in root && root.denied !== undefined)
  if (masked?.fails === true || isNothing) return { data: null, errors }
  const tell = ({ data, errors: others, stream, writes }: Result): Result => ({
    data,
    errors: [...(others ?? []), ...errors],
    ...(stream === undefined ? {} : { stream }),
    ...(writes === undefined ? {} : { writes }),
  })
  const result = run()
  return isPromise(result) ? result.then(tell) : tell(result)
}
