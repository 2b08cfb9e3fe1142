import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { MutationRoot } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteContribution } from '../../../contract/write-contribution.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import type { MutationModel, NamedType, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import { returnFormOf, writeKindOf } from '../../../schema/return-form.ts'
import { refuseRuledCopies } from '../sources/refuse-ruled-copies.ts'
import { hasRules } from '../sources/type-rules.ts'
import { planCall } from './write-call.ts'
import { cascadeKeys } from './write-parts.ts'

export interface PlanWriteOptions {
  /** `true`: the statement returns the columns that hooks and events need. */
  readonly events: boolean
  /** Restrictions that `authorize` hooks declared for the operation. */
  readonly access?: Access | undefined
  /** What plugins add to the mutation (`scope.writes`), such as an INSERT for each written row. */
  readonly contributions?: readonly WriteContribution[]
}

/**
 * Plans a root field of a mutation: the call of its function, and what to read from the result.
 * @param returns result columns of the function, from the compiled schema, or as the database described them
 * @throws SvcError INTERNAL_SERVER_ERROR if the function cannot return the declared result
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

/**
 * Returns the possible types of a written row, by the declared result: those with a source whose rows can be read by id. None for
 * scalars, and for payloads without a single field that holds the entity.
 */
function writtenTypes({ named }: Pick<MutationModel, 'named'>): readonly ObjectType[] {
  return possibleTypes(named).filter((type) => type.source !== null && isKey(type))
}

function possibleTypes(named: NamedType): readonly ObjectType[] {
  switch (named.kind) {
    case 'object': {
      if (named.source !== null) return [named]
      const slot = slotOf(named)
      return slot === null ? [] : possibleTypes(slot.named)
    }
    case 'interface':
    case 'union':
      return named.members
    default:
      return []
  }
}

function isKey({ fields }: ObjectType): boolean {
  const id = fields.get('id')
  return id !== undefined && id.named.kind === 'scalar' && id.read !== null && id.read.from !== 'relation'
}
