import { AccessCollector } from '../access/collect-access.ts'
import { isDataRoot } from '../access/masked-root.ts'
import { NO_ACCESS } from '../access/no-access.ts'
import { refuseMasked } from '../access/refuse-masked.ts'
import type { SessionVariables } from '../access/session-variables.ts'
import { baseOf, variantOf } from '../access/template-variants.ts'
import type { Access, AccessControl, DenialSet } from '../contract/access.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { Result } from '../contract/result.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import { isPromise } from '../util/promise.ts'
import { hasRules, validateOperation } from '../validation/validate-operation.ts'
import type { DefaultPolicyCheck } from './default-policy.ts'

export interface OperationStages<R = Result> {
  /** The kernel's own check; always runs, first. */
  readonly defaultPolicy: DefaultPolicyCheck
  /** Sealed chain of the authorize hooks; `null` = none. */
  readonly authorize: ((exchange: Exchange, operation: Operation, access: AccessControl) => MaybePromise<void>) | null
  /** Sealed chain of the resolve hooks around the innermost; `null` = none. */
  readonly resolve:
    | ((
        exchange: Exchange,
        operation: Operation,
        innermost: (instead?: Operation) => MaybePromise<R>,
      ) => MaybePromise<R>)
    | null
  /** What the configuration gives the statements of every request; `null` or absent = nothing. */
  readonly sessionVariables?: SessionVariables | null
  /** Plan and execute. */
  readonly innermost: (exchange: Exchange, operation: Operation) => MaybePromise<R>
}

/**
 * The one guarded way to data, whatever the front: default policy → authorize → rules for what was sent → resolve( … →
 * plan → execute ).
 * Decided once which parts exist; a stage that nobody hooked costs nothing.
 */
export function createOperationRunner<R = Result>(
  stages: OperationStages<R>,
): (exchange: Exchange, operation: Operation) => MaybePromise<R> {
  const { defaultPolicy, authorize, resolve, sessionVariables = null, innermost } = stages
  const answer =
    resolve === null
      ? innermost
      : (exchange: Exchange, operation: Operation) =>
          resolve(exchange, operation, (instead = operation) => innermost(exchange, instead))
  // Behind authorize: who may not ask learns nothing of the rules. Before resolve: what breaks them is in no cache.
  const run = (exchange: Exchange, operation: Operation): MaybePromise<R> => {
    if (operation.write?.complete === true) refuseMasked(operation)
    if (hasRules(operation)) validateOperation(exchange, operation)
    // What was refused until here has not begun: the same key of idempotency may come with what is mended.
    operation.write?.begins?.()
    return answer(exchange, operation)
  }
  if (authorize === null && sessionVariables === null) {
    return (exchange, operation) => {
      const closed = defaultPolicy(exchange, operation)
      if (closed === undefined) return run(exchange, withAccess(operation, NO_ACCESS))
      return run(exchange, withAccess(operation, denying(exchange, closed).take()))
    }
  }
  function runAllowed(exchange: Exchange, operation: Operation, collector: AccessCollector): MaybePromise<R> {
    if (sessionVariables !== null && asksDatabase(operation)) collector.give(sessionVariables(exchange))
    return run(exchange, withAccess(operation, collector.take()))
  }
  return (exchange, given) => {
    // Hooks look at what was asked for, not at what was left of it for somebody else.
    const operation = withAccess(given, NO_ACCESS)
    const closed = defaultPolicy(exchange, operation)
    const collector = closed === undefined ? new AccessCollector(exchange) : denying(exchange, closed)
    const allowed = authorize === null ? undefined : authorize(exchange, operation, collector)
    if (!isPromise(allowed)) return runAllowed(exchange, operation, collector)
    return allowed.then(() => runAllowed(exchange, operation, collector))
  }
}

function denying(exchange: Exchange, denials: DenialSet): AccessCollector {
  const collector = new AccessCollector(exchange)
  collector.deny(denials)
  return collector
}

/** Introspection runs as nobody; what a plugin answers comes here by itself where it asks for data. */
function asksDatabase({ template }: Operation): boolean {
  return template.roots.some(isDataRoot)
}

/** What an operation carried before (it may have been run for somebody else) counts for nothing. */
function withAccess(operation: Operation, access: Access): Operation {
  if (access !== NO_ACCESS) return { ...operation, template: variantOf(operation.template, access), access }
  if (operation.access === undefined) return operation
  const { access: _, ...rest } = operation
  return { ...rest, template: baseOf(operation.template) }
}
