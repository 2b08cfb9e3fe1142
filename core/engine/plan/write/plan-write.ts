import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { MutationRoot } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteContribution } from '../../../contract/write-contribution.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { returnFormOf, writeKindOf } from '../../../schema/return-form.ts'
import { refuseRuledCopies } from '../rows/refuse-ruled-copies.ts'
import { hasRules } from '../rows/type-rules.ts'
import { planCall } from './write-call.ts'
import { cascadeKeys } from './write-parts.ts'
import { writtenTypes } from './written-types.ts'

export interface PlanWriteOptions {
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
  /** The decision of `authorize` for the operation. */
  readonly access?: Access | undefined
  /** Requests of plugins for this mutation. */
  readonly contributions?: readonly WriteContribution[]
}

/**
 * Plans a root field of a mutation.
 * @param returns result columns of the function, from the artifact or as the database described them
 * @throws SvcError INTERNAL_SERVER_ERROR when the function cannot return the declared result
 */
export function planWrite(root: MutationRoot, returns: CompiledReturn, options: PlanWriteOptions): WritePlan {
  const { operation, selection } = root
  const form = returnFormOf(operation.function, returns)
  const kind = writeKindOf(operation, form)
  if (kind === 'ids' && (operation.named.kind !== 'object' || operation.named.source === null)) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `${operation.wireName}: function "${operation.function.name}" returns a single value, and ${operation.named.name} has no source to read it from.`,
    )
  }
  const { contributions = [] } = options
  const isRuled = (type: ObjectType): boolean => hasRules(type, options.access)
  refuseRuledCopies(root, isRuled)
  const types = writtenTypes(operation)
  const members = kind === 'documents' && selection?.kind === 'abstract' ? [...selection.possible.values()] : []
  return {
    root,
    call: planCall(root),
    returns,
    form,
    kind,
    list: operation.type.kind === 'list',
    perRow: form === 'rows' || (form === 'scalar' && returns.set),
    errorMembers: members.filter(({ type, denied }) => type.isError && denied === undefined),
    cascadeKeys: cascadeKeys(selection),
    events: options.events,
    isRuled,
    types,
    // `before` and `entity` need a type whose rows can be read by an id.
    before: types.length > 0 && operation.operation !== 'CREATE' && contributions.some(({ before }) => before === true),
    entity: types.length > 0 && operation.operation !== 'DELETE' && contributions.some(({ entity }) => entity === true),
    inserts: contributions.flatMap(({ insert }) => (insert === undefined ? [] : [insert])),
  }
}
