import { SvcError } from '../errors/svc-error.ts'
import type { MutationRoot, ObjectSelection } from '../front/operation.ts'
import type { CompiledReturn } from '../schema/compiled.ts'
import { type PlannedCall, planCall } from './write-call.ts'
import { type ReturnForm, returnFormOf, type WriteKind, writeKindOf } from './write-form.ts'
import { cascadeKeys } from './write-parts.ts'

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
}

export interface WriteOptions {
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
}

/**
 * @param returns what the function gives back: from the artifact, or as the database described it
 * @throws SvcError INTERNAL_SERVER_ERROR when function and declared result cannot fit
 */
export function planWrite(root: MutationRoot, returns: CompiledReturn, options: WriteOptions): WritePlan {
  const { operation, selection } = root
  const form = returnFormOf(operation.function, returns)
  const kind = writeKindOf(operation, form)
  if (kind === 'ids' && (operation.named.kind !== 'object' || operation.named.source === null)) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `${operation.wireName}: function "${operation.function.name}" returns a single value, and ${operation.named.name} has no source to read it from.`,
    )
  }
  const members = kind === 'documents' && selection?.kind === 'abstract' ? [...selection.possible.values()] : []
  return {
    root,
    call: planCall(root),
    returns,
    form,
    kind,
    list: operation.type.kind === 'list',
    perRow: form === 'rows' || (form === 'scalar' && returns.set),
    errorMembers: members.filter(({ type }) => type.isError),
    cascadeKeys: cascadeKeys(selection),
    events: options.events,
  }
}
