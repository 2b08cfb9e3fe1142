import { isPromise } from '../../base/util/promise.ts'
import type { Access, AccessControl, DenialSet } from '../../contract/access.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { AccessCollector } from '../../engine/access/collect-access.ts'
import { isDataRoot } from '../../engine/access/masked-root.ts'
import { NO_ACCESS } from '../../engine/access/no-access.ts'
import { refuseMasked } from '../../engine/access/refuse-masked.ts'
import type { SessionVariables } from '../../engine/access/session-variables.ts'
import { baseOf, variantOf } from '../../engine/access/template-variants.ts'
import { hasRules, validateOperation } from '../../engine/validation/validate-operation.ts'
import type { DefaultPolicyCheck } from './default-policy.ts'

export interface OperationStages<R = Result> {
  /** Checks `security.default_policy`, before all other checks. */
  readonly defaultPolicy: DefaultPolicyCheck
  /** Runs the `authorize` hooks of plugins; `null`: there are none. */
  readonly authorize: ((exchange: Exchange, operation: Operation, access: AccessControl) => MaybePromise<void>) | null
  /** Runs the `resolve` hooks of plugins around `innermost`; `null`: there are none. */
  readonly resolve:
    | ((
        exchange: Exchange,
        operation: Operation,
        innermost: (instead?: Operation) => MaybePromise<R>,
      ) => MaybePromise<R>)
    | null
  /**
   * Returns the configured session variables and the database role of a caller; `null` or absent: none are configured.
   */
  readonly sessionVariables?: SessionVariables | null
  /** Plans and runs an operation that was authorized and validated. */
  readonly innermost: (exchange: Exchange, operation: Operation) => MaybePromise<R>
}

/**
 * Creates the function that runs the operations of all protocols: default policy, `authorize` hooks, validation rules,
 * and `resolve` hooks around plan and execution.
 * @returns a function that throws errors of authorization and validation, SERVICE_UNAVAILABLE and TIMEOUT; all other
 * errors are part of the result
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
  // Validation runs after authorize, so that denied callers learn nothing about rules, and before resolve, so that no cache answers
  // invalid input.
  const run = (exchange: Exchange, operation: Operation): MaybePromise<R> => {
    if (operation.write?.complete === true) refuseMasked(operation)
    if (hasRules(operation)) validateOperation(exchange, operation)
    // A request that was rejected before this point has not begun: it can be corrected and sent with the same idempotency key.
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
    // Hooks get the original operation, without the restrictions of an earlier run.
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

/** Tests whether an operation reads data. Introspection does not, and roots of plugins run operations of their own. */
function asksDatabase({ template }: Operation): boolean {
  return template.roots.some(isDataRoot)
}

/** Returns the operation with an access, in place of the access of an earlier run, which may belong to another caller. */
function withAccess(operation: Operation, access: Access): Operation {
  if (access !== NO_ACCESS) return { ...operation, template: variantOf(operation.template, access), access }
  if (operation.access === undefined) return operation
  const { access: _, ...rest } = operation
  return { ...rest, template: baseOf(operation.template) }
}
