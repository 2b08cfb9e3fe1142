import { SvcError } from '../errors/svc-error.ts'
import type { Database } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import type { CommitEvent, MaybePromise } from '../kernel/stages.ts'
import { resolveWithCalls } from './call-root.ts'
import type { ExecuteContext } from './context.ts'
import { resolveRead } from './read.ts'
import { resolveWrite } from './write.ts'

export interface ResolverOptions {
  /** Asked per operation: the database may be opened after the resolver is made. */
  readonly database: () => Database
  readonly settings: {
    /** `svc.max_rows`; 0 = no bound. */
    readonly maxRows: number
  }
  /** `svc.max_response_bytes`; absent or 0 = no bound. */
  readonly maxResultBytes?: number
  /** Called after each COMMIT of a mutation root that wrote. Must not throw; nobody waits for it. */
  readonly onCommit?: (event: CommitEvent) => void
}

/**
 * The innermost of the `resolve` stage: plans an operation and runs it.
 * @returns a function that throws (or rejects with) SvcError SERVICE_UNAVAILABLE, TIMEOUT, which fail the whole
 * request; all other failures are errors of the result, each with the path of its root
 */
export function createResolver(
  options: ResolverOptions,
): (exchange: Exchange, operation: Operation) => MaybePromise<Result> {
  const { database, settings, onCommit = null } = options
  const maxResultBytes = options.maxResultBytes || Number.POSITIVE_INFINITY
  const context: ExecuteContext = {
    database,
    settings: {
      maxRows: settings.maxRows,
      get dialect() {
        return database().dialect
      },
    },
    maxResultBytes,
    onCommit,
  }
  return function resolve(exchange, operation) {
    switch (operation.template.kind) {
      case 'query':
        return operation.template.hasCalls === true
          ? resolveWithCalls(exchange, operation, () => resolveRead(context, exchange, operation))
          : resolveRead(context, exchange, operation)
      case 'mutation':
        return resolveWrite(context, exchange, operation)
      case 'subscription':
        throw new SvcError('REQUEST_ERROR', 'A subscription is a stream: it cannot be answered as one result.')
    }
  }
}
