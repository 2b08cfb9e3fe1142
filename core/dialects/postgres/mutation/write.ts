import { createHash } from 'node:crypto'
import type { ObjectSelection } from '../../../contract/operation.ts'
import type { PlannedCall } from '../../../contract/plan/planned-call.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { OnWritten, PreparedWrite, WriteColumn, WriteMode } from '../../../contract/prepared-write.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { Statement } from '../../../contract/statement.ts'
import { documentKeys } from '../../../engine/plan/rows/document-keys.ts'
import { idKeys } from '../../../engine/plan/write/id-keys.ts'
import { render, type SqlFragment, sql, weighStatement } from '../../../engine/sql/fragment.ts'
import type { CompiledReturn } from '../../../schema/compiled.ts'
import type { NamedType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import { PRIMITIVES } from '../primitives/primitives.ts'
import { callText } from './call.ts'
import { planEntity, planLeaf } from './entity.ts'
import { FUNCTION_ALIAS, failureColumns, type RowForm, recordOf, VALUE } from './record.ts'
import { columnsOf, type EmittedWrite, emitDocuments, type WriteSource } from './statement.ts'

/**
 * Prepares the statement of a mutation in PostgreSQL. It calls the mutation's function and returns the selected fields
 * of the result as JSON.
 * @param onWritten called with the change in bytes when the cache of rendered statements grows
 */
export function writeMutation(plan: WritePlan, onWritten?: OnWritten): PreparedWrite {
  switch (plan.kind) {
    case 'ids':
      return writeIds(plan, onWritten)
    case 'void':
      return writeVoid(plan, onWritten)
    case 'documents':
      return writeDocuments(plan, onWritten)
  }
}

function writeDocuments(write: WritePlan, onWritten?: OnWritten): PreparedWrite {
  const { root, call, returns, form, list, perRow, errorMembers, cascadeKeys } = write
  const { operation, selection } = root
  const record = recordOf(form, returns, rowFormOf(operation.named, returns))
  const plan = selection === null ? planLeaf(operation, form, list && perRow) : planEntity(selection, write.isRuled)
  const slot = operation.named.kind === 'object' && operation.named.source === null ? slotOf(operation.named) : null
  const abstract = operation.named.kind === 'union' || operation.named.kind === 'interface'
  const source: WriteSource = {
    write,
    form,
    record,
    plan,
    spread: list && !perRow && selection !== null,
    plain: form === 'record' && returns.columns.every(({ type }) => type !== 'json'),
    failure: form === 'record' ? failureColumns(returns.columns) : [],
    idKeys: idKeys(slot?.named ?? operation.named),
    typeColumn: abstract ? (operation.named as { typeColumn: string }).typeColumn : '__typename',
  }
  const emit = (target: SqlFragment, mode: WriteMode) => emitDocuments(target, mode, source, columnsOf(source, mode))
  return {
    root,
    kind: 'documents',
    list: list && (perRow || selection !== null),
    targets: plan.targets,
    rowsMatter: form === 'rows',
    readsAgain: plan.targets.some((target) => target.lacks.always),
    errorMembers,
    cascadeKeys,
    contributes: true,
    bind: bindWith(call, emit, onWritten),
  }
}

/** Types with a cast to JSON, which applies when a row is converted to JSON. A read of the column returns text instead. */
const CAST_TO_JSON: ReadonlySet<string> = new Set(['hstore'])

function rowFormOf(named: NamedType, returns: CompiledReturn): RowForm {
  if (named.kind !== 'object') return { document: null, texts: [], empty: false }
  const shown = new Set(
    [...named.fields.values()]
      .filter((field) => !(field.named.kind === 'scalar' && field.named.base === 'JSON'))
      .flatMap(documentKeys),
  )
  const texts = returns.columns.filter(({ name, type }) => CAST_TO_JSON.has(type) && shown.has(name))
  // An empty set has no rows, while a null value is a row of nulls. Stored rows have a key, so theirs is never all null.
  const empty = returns.set && named.source === null
  return { document: named.document, texts: texts.map(({ name }) => name), empty }
}

/** Limit of cached statements per root: one for each combination of optional arguments. */
const MOST_STATEMENTS = 64

/** Returns a function that renders the statement of a shape and mode once, and binds its parameters. */
function bindWith(
  call: PlannedCall,
  emit: (target: SqlFragment, mode: WriteMode) => EmittedWrite,
  onWritten: OnWritten | undefined,
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
      const { sql: fragment, columns } = emit(callText(call, shape), mode)
      const finished = render(fragment, PRIMITIVES.placeholder)
      const { text, slots } = finished
      const bytes = weighStatement(finished)
      const name = `w_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
      const positions = new Map(columns.map((column, index) => [column, index] as const))
      known = { statement: { name, text, functionCall: true }, slots, columns: positions, bytes }
      const dropped = rendered.size >= MOST_STATEMENTS ? dropOldest(rendered) : 0
      rendered.set(key, known)
      onWritten?.(bytes - dropped)
    }
    return {
      statement: known.statement,
      parameters: known.slots.map((slot) => slot.read(input)),
      columns: known.columns,
    }
  }
}

/** Evicts the oldest statement. @returns its weight in bytes */
function dropOldest(rendered: Map<string, { readonly bytes: number }>): number {
  for (const [key, { bytes }] of rendered) {
    rendered.delete(key)
    return bytes
  }
  return 0
}

function writeVoid({ root, call, list, cascadeKeys }: WritePlan, onWritten?: OnWritten): PreparedWrite {
  const emit = (target: SqlFragment): EmittedWrite => ({
    sql: root.operation.function.kind === 'procedure' ? sql`CALL ${target}` : sql`SELECT FROM ${target}`,
    columns: [],
  })
  const bind = bindWith(call, emit, onWritten)
  return {
    root,
    kind: 'void',
    list,
    targets: [],
    rowsMatter: true,
    readsAgain: false,
    errorMembers: [],
    cascadeKeys,
    bind,
  }
}

function writeIds({ root, call, list, cascadeKeys, isRuled }: WritePlan, onWritten?: OnWritten): PreparedWrite {
  const emit = (target: SqlFragment): EmittedWrite => ({
    sql: sql`SELECT to_json(${VALUE})::text FROM ${target} AS ${FUNCTION_ALIAS}(${VALUE})`,
    columns: ['data'],
  })
  const selection = root.selection as ObjectSelection
  return {
    root,
    kind: 'ids',
    list,
    targets: [{ at: null, possible: new Map([[selection.type.name, selection]]), ruled: isRuled(selection.type) }],
    rowsMatter: true,
    readsAgain: true,
    errorMembers: [],
    cascadeKeys,
    bind: bindWith(call, emit, onWritten),
  }
}
