import type { Session } from '../contract/database.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { FieldSelection, ObjectSelection, Operation } from '../contract/operation.ts'
import type { ObjectType } from '../schema/model.ts'
import { toSnakeCase } from '../util/naming.ts'
import type { ExecuteContext } from './context.ts'
import { prepareRowsByKeys } from './prepare-read.ts'

/**
 * A row of a type's source for those who are told of writes, inside the transaction of one. Never part of an answer: no
 * rules are laid on it.
 * @returns JSON text, `null`: there is no such row
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

/** All that the source holds of the type but rows of others, under the declared names. */
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
