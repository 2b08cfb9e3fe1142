import type { Exchange } from '../contract/exchange.ts'
import type { Operation, OperationTemplate, Selection } from '../contract/operation.ts'
import { SvcError } from '../errors/svc-error.ts'
import { defaultSelection } from '../inputs/default-selection.ts'
import type { MaybePromise } from '../kernel/stages.ts'
import type { NamedType, OperationModel } from '../schema/model.ts'
import { isPromise } from '../util/promise.ts'

/** What guards an operation: `scope`. */
export interface Guards {
  authorize(exchange: Exchange, operation: Operation): MaybePromise<Operation>
}

const templates = new WeakMap<OperationModel, OperationTemplate>()

/**
 * May this caller use an operation at all? For lists of tools, links and menus: asked of the same guards as a call, without arguments,
 * with what its rows show by default. What a call with arguments is allowed is decided when it is made.
 * @param guards `scope`
 * @returns `false` where they refuse it (UNAUTHENTICATED, FORBIDDEN, an error of the author's), or mask all of it
 * @throws what a guard failed with: who cannot be asked says neither yes nor no
 */
export function mayCall(guards: Guards, exchange: Exchange, operation: OperationModel): MaybePromise<boolean> {
  return unlessRefused(
    () => {
      const allowed = guards.authorize(exchange, { template: outlineOf(operation), variables: {} })
      return isPromise(allowed) ? allowed.then(isOpen) : isOpen(allowed)
    },
    // What is wrong with arguments, which there are none of here, is said behind the guards.
    ({ code }) => code === 'VALIDATION_ERROR',
  )
}

/**
 * Asks guards.
 * @param otherwise what a refusal means
 * @throws the error, where it is no refusal
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

/** Of an interface or union nothing by name: what its members hide does not hide it. */
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
