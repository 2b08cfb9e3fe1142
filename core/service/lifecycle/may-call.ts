import { SvcError } from '../../base/errors/svc-error.ts'
import { isPromise } from '../../base/util/promise.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation, OperationTemplate, Selection } from '../../contract/operation.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { defaultSelection } from '../../engine/inputs/default-selection.ts'
import type { NamedType, OperationModel } from '../../schema/model.ts'

/** The part of the engine (`scope.engine`) that authorizes operations without running them. */
export interface Guards {
  authorize(exchange: Exchange, operation: Operation): MaybePromise<Operation>
}

const templates = new WeakMap<OperationModel, OperationTemplate>()

/**
 * Tests whether a caller may use an operation, for lists of tools, links and menus. It runs the same `authorize` hooks
 * as a call, without arguments and with the default selection. A call with arguments is authorized again.
 * @param guards `scope.engine`
 * @returns `false`: the operation is denied (UNAUTHENTICATED, FORBIDDEN, a code of the schema's author), or all of its
 * selection
 * @throws errors of hooks that fail, which neither allow nor deny
 */
export function mayCall(guards: Guards, exchange: Exchange, operation: OperationModel): MaybePromise<boolean> {
  return unlessRefused(
    () => {
      const allowed = guards.authorize(exchange, { template: outlineOf(operation), variables: {} })
      return isPromise(allowed) ? allowed.then(isOpen) : isOpen(allowed)
    },
    // Errors about missing arguments come after the guards have allowed the operation.
    ({ code }) => code === 'VALIDATION_ERROR',
  )
}

/**
 * Runs an authorization and converts a denial, which is an SvcError with a status below 500, to a result.
 * @param ask runs the authorization
 * @param otherwise returns the result for a denial
 * @throws all other errors
 */
export function unlessRefused<T>(ask: () => MaybePromise<T>, otherwise: (refusal: SvcError) => T): MaybePromise<T> {
  const failed = (error: unknown): T => {
    if (error instanceof SvcError && error.status < 500) return otherwise(error)
    throw error
  }
  try {
    const answer = ask()
    return isPromise(answer) ? answer.catch(failed) : answer
  } catch (error) {
    return failed(error)
  }
}

function outlineOf(operation: OperationModel): OperationTemplate {
  let template = templates.get(operation)
  if (template === undefined) {
    const { kind, wireName: responseKey, named } = operation
    const selection = shownOf(named)
    const root = { kind: 'operation', responseKey, operation, arguments: [], selection, location: null } as const
    template = { kind, name: null, roots: [root], variables: [] }
    templates.set(operation, template)
  }
  return template
}

/** Returns the selection for the test. Of an interface or union it is empty, so that denied fields of its types do not matter. */
function shownOf(named: NamedType): Selection {
  if (named.kind === 'object') return defaultSelection(named)
  if (named.kind !== 'interface' && named.kind !== 'union') return null
  return {
    kind: 'abstract',
    possible: new Map(named.members.map((type) => [type.name, { kind: 'object', type, fields: [] }])),
  }
}

function isOpen({ template }: Operation): boolean {
  return (
    template.masked?.fails !== true && !template.roots.some((root) => 'denied' in root && root.denied !== undefined)
  )
}
