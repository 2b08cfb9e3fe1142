import type { Access } from '../../contract/access.ts'
import type { MutationRoot, ObjectSelection } from '../../contract/operation.ts'
import type { WriteContribution, WriteInsert } from '../../contract/write-contribution.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { CompiledReturn } from '../../schema/compiled.ts'
import type { ObjectType } from '../../schema/model.ts'
import { refuseRuledCopies } from '../rows/refuse-ruled-copies.ts'
import { hasRules } from '../rows/type-rules.ts'
import { type PlannedCall, planCall } from './write-call.ts'
import { type ReturnForm, returnFormOf, type WriteKind, writeKindOf } from './write-form.ts'
import { cascadeKeys } from './write-parts.ts'
import { writtenTypes } from './written-types.ts'

/** One mutation root: what to call, and what is to come of its result. No SQL. */
export interface WritePlan {
  readonly root: MutationRoot
  readonly call: PlannedCall
  /** What the function gives back: from the artifact, or as the database described it. */
  readonly returns: CompiledReturn
  readonly form: ReturnForm
  readonly kind: WriteKind
  /** The declared result is a list. */
  readonly list: boolean
  /** One row per object, rather than one document. */
  readonly perRow: boolean
  /** The members of a union that stand for failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys whose documents go out with keys in camelCase. */
  readonly cascadeKeys: readonly string[]
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
  /**
   * Have rows of the type rules? Then what a function says of one is read again under them, and is not written where the
   * caller may not see it.
   */
  readonly isRuled: (type: ObjectType) => boolean
  /** The types that a row which is written may be of, as far as the declared result says. */
  readonly types: readonly ObjectType[]
  /** Give each row as it was before. */
  readonly before: boolean
  /** An entity that the function does not give is to be read from its source. */
  readonly entity: boolean
  /** Rows that are written beside each row. */
  readonly inserts: readonly WriteInsert[]
}

export interface PlanWriteOptions {
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
  /** Of the operation. */
  readonly access?: Access | undefined
  /** What plugins want of this mutation. */
  readonly contributions?: readonly WriteContribution[]
}

/**
 * @param returns what the function gives back: from the artifact, or as the database described it
 * @throws SvcError INTERNAL_SERVER_ERROR when function and declared result cannot fit
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
