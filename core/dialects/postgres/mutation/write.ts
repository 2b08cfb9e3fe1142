import { createHash } from 'node:crypto'
import { SvcError } from '../../../errors/svc-error.ts'
import type { Parameter, Statement } from '../../../front/database.ts'
import type { MutationRoot, ObjectSelection } from '../../../front/operation.ts'
import { weighPlan } from '../../../plan/plan-weight.ts'
import { type PreparedCall, prepareCall } from '../../../plan/write-call.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import { type BindInput, render, type Slot, type SqlFragment, sql } from '../../../sql/fragment.ts'
import { cascadeKeys, type EntityTarget, planEntity } from './entity.ts'
import { planLeaf } from './leaf.ts'
import { FUNCTION_ALIAS, failureColumns, recordOf, returnFormOf, VALUE } from './record.ts'
import {
  columnsOf,
  type EmittedWrite,
  emitDocuments,
  type WriteColumn,
  type WriteMode,
  type WriteSource,
} from './statement.ts'

export interface BoundWrite {
  readonly statement: Statement
  readonly parameters: readonly Parameter[]
  /** Position of each column in a row. */
  readonly columns: ReadonlyMap<WriteColumn, number>
}

/** One mutation root, ready to run. */
export interface PreparedWrite {
  readonly root: MutationRoot
  /** `ids`: the function gives ids only, `data` holds them, and the objects have to be read. `void`: no rows matter. */
  readonly kind: 'documents' | 'ids' | 'void'
  readonly list: boolean
  readonly targets: readonly EntityTarget[]
  /** Is the transaction needed whatever the function answers? */
  readonly readsAgain: boolean
  /** Does no row mean that nothing was found? */
  readonly rowsMatter: boolean
  /** The members of a union that stand for failures. */
  readonly errorMembers: readonly ObjectSelection[]
  /** Response keys whose documents go out with keys in camelCase. */
  readonly cascadeKeys: readonly string[]
  /** @throws SvcError UNAUTHENTICATED, FORBIDDEN, BAD_USER_INPUT */
  bind(input: BindInput, mode: WriteMode): BoundWrite
}

export interface WriteOptions {
  /** Give what a `CommitEvent` wants. */
  readonly events: boolean
  /** Told how many bytes of statements have come to hang on it (fewer: negative). */
  readonly onPlanned?: ((bytes: number) => void) | undefined
}

/**
 * @param returns what the function gives back: from the artifact, or as `describeWrite` found it
 * @throws SvcError INTERNAL_SERVER_ERROR when function and declared result cannot fit
 */
export function prepareWrite(root: MutationRoot, returns: CompiledReturn, options: WriteOptions): PreparedWrite {
  const { operation, selection } = root
  const call = prepareCall(root)
  const form = returnFormOf(operation.function, returns)
  const list = operation.type.kind === 'list'
  if (selection !== null && form === 'scalar') return prepareIds(root, call, options)
  if (form === 'void') return prepareVoid(root, call, options)
  const document = operation.named.kind === 'object' ? operation.named.document : null
  const record = recordOf(form, returns, document)
  const rows = form === 'rows' || (form === 'scalar' && returns.set)
  const plan = selection === null ? planLeaf(operation, form, list && rows) : planEntity(selection)
  const errorMembers =
    selection?.kind === 'abstract' ? [...selection.possible.values()].filter(({ type }) => type.isError) : []
  const abstract = operation.named.kind === 'union' || operation.named.kind === 'interface'
  const source: WriteSource = {
    form,
    record,
    plan,
    spread: list && !rows && selection !== null,
    plain: form === 'record' && returns.columns.every(({ type }) => type !== 'json'),
    failure: form === 'record' ? failureColumns(returns.columns) : [],
    typeColumn: abstract ? (operation.named as { typeColumn: string }).typeColumn : '__typename',
  }
  const emit = (target: SqlFragment, mode: WriteMode) =>
    emitDocuments(target, mode, source, columnsOf(source, mode, errorMembers.length > 0, options.events))
  return {
    root,
    kind: 'documents',
    list: list && (rows || selection !== null),
    targets: plan.targets,
    rowsMatter: form === 'rows',
    readsAgain: plan.targets.some((target) => target.lacks.always),
    errorMembers,
    cascadeKeys: cascadeKeys(selection),
    bind: bindWith(call, emit, options),
  }
}

/** Statements kept per root: one per combination of optional arguments that came. */
const MOST_STATEMENTS = 64

/** Statements by shape and mode: rendered once. */
function bindWith(
  call: PreparedCall,
  emit: (target: SqlFragment, mode: WriteMode) => EmittedWrite,
  { onPlanned }: WriteOptions,
): PreparedWrite['bind'] {
  const rendered = new Map<
    string,
    { statement: Statement; slots: readonly Slot[]; columns: Map<WriteColumn, number>; bytes: number }
  >()
  return (input, mode) => {
    const shape = call.shapeOf(input)
    const key = mode + shape
    let known = rendered.get(key)
    if (known === undefined) {
      const { sql: fragment, columns } = emit(call.emit(shape), mode)
      const finished = render(fragment)
      const { text, slots } = finished
      const bytes = weighPlan(finished)
      const name = `w_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
      const positions = new Map(columns.map((column, index) => [column, index] as const))
      known = { statement: { name, text }, slots, columns: positions, bytes }
      const dropped = rendered.size >= MOST_STATEMENTS ? dropOldest(rendered) : 0
      rendered.set(key, known)
      onPlanned?.(bytes - dropped)
    }
    return {
      statement: known.statement,
      parameters: known.slots.map((slot) => slot.read(input)),
      columns: known.columns,
    }
  }
}

/** @returns what it weighed */
function dropOldest(rendered: Map<string, { readonly bytes: number }>): number {
  for (const [key, { bytes }] of rendered) {
    rendered.delete(key)
    return bytes
  }
  return 0
}

function prepareVoid(root: MutationRoot, call: PreparedCall, options: WriteOptions): PreparedWrite {
  const { operation } = root
  const emit = (target: SqlFragment): EmittedWrite => ({
    sql: operation.function.kind === 'procedure' ? sql`CALL ${target}` : sql`SELECT FROM ${target}`,
    columns: [],
  })
  return { ...plainWrite(root), kind: 'void', bind: bindWith(call, emit, options) }
}

function prepareIds(root: MutationRoot, call: PreparedCall, options: WriteOptions): PreparedWrite {
  const { operation } = root
  if (operation.named.kind !== 'object' || operation.named.source === null) {
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      `${operation.wireName}: function "${operation.function.name}" returns a single value, and ${operation.named.name} has no source to read it from.`,
    )
  }
  const emit = (target: SqlFragment): EmittedWrite => ({
    sql: sql`SELECT to_json(${VALUE})::text FROM ${target} AS ${FUNCTION_ALIAS}(${VALUE})`,
    columns: ['data'],
  })
  const selection = root.selection as ObjectSelection
  const lacks = { always: true, any: null }
  return {
    ...plainWrite(root),
    kind: 'ids',
    targets: [{ at: null, possible: new Map([[selection.type.name, selection]]), lacks }],
    readsAgain: true,
    bind: bindWith(call, emit, options),
  }
}

function plainWrite(root: MutationRoot): Omit<PreparedWrite, 'bind' | 'kind'> {
  const list = root.operation.type.kind === 'list'
  return {
    root,
    list,
    targets: [],
    rowsMatter: true,
    readsAgain: false,
    errorMembers: [],
    cascadeKeys: cascadeKeys(root.selection),
  }
}
