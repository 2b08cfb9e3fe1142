import { toSnakeCase } from '../../base/util/naming.ts'
import type { Session } from '../../contract/database.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { FieldSelection, ObjectSelection, Operation } from '../../contract/operation.ts'
import type { ObjectType } from '../../schema/model.ts'
import type { ExecuteContext } from './context.ts'
import { prepareRowsByKeys } from './prepare-read.ts'

/**
 * Reads a row of a type's source inside the transaction of a write, for reports about the write. No rules are applied, so it must never be
 * part of an answer.
 * @returns JSON text; `null`: there is no such row
 */
export async function readStoredRow(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  session: Session,
  type: ObjectType,
  id: string,
): Promise<string | null> {
  const { dialect } = context.settings
  if (dialect.storedRow !== undefined) {
    const { rows } = await session.query(dialect.storedRow(type), [id])
    return rows[0]?.[0] ?? null
  }
  const read = { key: type.name, type, selection: leavesOf(type), many: false }
  const kind = `stored ${type.name}`
  const prepared = prepareRowsByKeys(operation, kind, read, exchange.generation.schema, context.settings)
  if (prepared.statement === null) throw new Error('Rows are read with a statement')
  const { rows } = await session.query(
    prepared.statement,
    prepared.bind(operation.variables, exchange, [id], operation.access),
  )
  return rows[0]?.[0] ?? null
}

const selections = new WeakMap<ObjectType, ObjectSelection>()

/** Returns a selection of all fields of scalars and enums that the source stores, under their declared names. */
function leavesOf(type: ObjectType): ObjectSelection {
  let selection = selections.get(type)
  if (selection === undefined) {
    const fields: FieldSelection[] = []
    for (const field of type.fields.values()) {
      const isLeaf = field.named.kind === 'scalar' || field.named.kind === 'enum'
      if (!isLeaf || field.read === null || field.read.from === 'relation') continue
      const responseKey = toSnakeCase(field.name)
      fields.push({ kind: 'field', responseKey, field, arguments: [], selection: null, location: null })
    }
    selection = { kind: 'object', type, fields }
    selections.set(type, selection)
  }
  return selection
}
