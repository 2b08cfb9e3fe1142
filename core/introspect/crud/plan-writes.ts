import { toSnakeCase } from '../../base/util/naming.ts'
import type { ModelColumn, ModelRelation } from '../../contract/database-model.ts'
import { camelName } from '../name-fields.ts'
import { NameTable } from '../names/name-table.ts'
import { looksLikeSecret } from '../names/secret-names.ts'
import { argumentsOf } from '../propose-queries.ts'
import { qualified } from '../qualified.ts'
import { isReservedField } from '../reserved-names.ts'
import type { ColumnField, Layout, Subject } from '../subject.ts'
import { isRequired, type TableWrites, type Upsert, type WrittenColumn } from './table-writes.ts'

const TABLES: ReadonlySet<string> = new Set(['table', 'partitioned table', 'foreign table'])

/**
 * Decides which writes (create, update, delete, upsert) svc generates for a table, and reports those that are
 * impossible.
 * @param problemOf returns why the dialect cannot write a column; `null`: it can
 * @returns `null`: no write is possible, or the relation is a view
 */
export function planWrites(
  layout: Layout,
  subject: Subject,
  problemOf: (column: ModelColumn) => string | null = () => null,
): TableWrites | null {
  const { relation } = subject
  if (!TABLES.has(relation.kind)) return null
  const skip = (operation: string, reason: string): null => {
    layout.report.push({ kind: operation, name: qualified(relation), reason })
    return null
  }
  const columns = writtenColumns(layout, subject, problemOf)
  const key = keyOf(subject, columns)
  const create = planCreate(subject, columns, skip)
  const changeable = columns.filter(({ column }) => !(subject.key ?? []).includes(column.name) && mayUpdate(column))
  const canUpdate = relation.privileges.update && changeable.length > 0
  if (key.length === 0 && (canUpdate || relation.privileges.delete)) skip('update and delete', keyProblem(subject))
  if (!relation.privileges.update) skip('update', 'is not permitted to the role')
  if (!relation.privileges.delete) skip('delete', 'is not permitted to the role')
  const update = canUpdate && key.length > 0 ? changeable : null
  const writes = {
    subject,
    key,
    id: idOf(subject),
    create,
    update,
    delete: relation.privileges.delete && key.length > 0,
  }
  const upsert = create === null ? null : planUpsert(relation, create, changeable)
  const isNothing = create === null && update === null && !writes.delete
  return isNothing ? null : { ...writes, upsert }
}

function keyProblem({ key }: Subject): string {
  return key === null
    ? 'need a key, and the table has none'
    : 'need the key of a row as arguments, and one of its columns cannot be an argument'
}

/** Returns the columns that inputs have, with their names there, and reports the others. */
function writtenColumns(
  { report }: Layout,
  subject: Subject,
  problemOf: (column: ModelColumn) => string | null,
): readonly WrittenColumn[] {
  const table = new NameTable(isReservedField)
  const named = subject.columns.filter((field) => subject.names.has(field))
  for (const field of named) table.claim(subject.names.get(field)!)
  const keys = new NameTable()
  return subject.columns.flatMap((field: ColumnField) => {
    const { column, type } = field
    const reason = looksLikeSecret(column) ? 'looks like a secret' : problemOf(column)
    if (reason !== null) {
      report.push({ kind: 'input', name: `${qualified(subject.relation)}.${column.name}`, reason })
      return []
    }
    const name = subject.names.get(field) ?? table.claim(camelName(column.name), `${camelName(column.name)}Value`)
    const written = { column, name, type, key: keys.claim(toSnakeCase(name)) }
    return column.generated === true || written.key !== toSnakeCase(name) ? [] : [written]
  })
}

function mayUpdate({ refuses = [], generated }: ModelColumn): boolean {
  return generated !== true && !refuses.includes('update')
}

function planCreate(
  { relation, columns: readable }: Subject,
  columns: readonly WrittenColumn[],
  skip: (operation: string, reason: string) => null,
): readonly WrittenColumn[] | null {
  if (!relation.privileges.insert) return skip('create', 'is not permitted to the role')
  const settable = columns.filter(({ column }) => !isNumbered(column) && column.refuses?.includes('insert') !== true)
  const missing = relation.columns.find(
    (column) => !column.hasDefault && !settable.some((written) => written.column === column),
  )
  if (missing !== undefined) return skip('create', `${reasonFor(missing, readable)}, and a row needs it`)
  return [...settable.filter(isRequired), ...settable.filter((written) => !isRequired(written))]
}

function reasonFor(column: ModelColumn, readable: readonly ColumnField[]): string {
  const { name } = column
  if (column.refuses?.includes('insert') === true) return `cannot set ${name} with the privileges of the role`
  if (looksLikeSecret(column)) return `has no input for ${name}, which looks like a secret`
  return readable.some((field) => field.column === column)
    ? `has no input for ${name}`
    : `has no input for ${name}, which svc does not read`
}

/** Does the database number the rows by the column? Then clients do not set it. */
function isNumbered(column: ModelColumn): boolean {
  return column.identity === true || /^nextval\(/i.test(column.default ?? '')
}

/** Returns the columns of the key as arguments; none when one of them cannot be an argument. */
function keyOf(subject: Subject, columns: readonly WrittenColumn[]): readonly WrittenColumn[] {
  const { key } = subject
  const args = key === null ? null : argumentsOf(subject, key)
  if (key === null || args === null) return []
  return key.map((name, i) => {
    const known = columns.find(({ column }) => column.name === name)
    const argument = args[i]!.name
    const column = known?.column ?? subject.relation.columns.find((one) => one.name === name)!
    return { column, name: argument, type: args[i]!.type.replace(/!$/, ''), key: toSnakeCase(argument) }
  })
}

function idOf({ columns, names }: Subject): ModelColumn | null {
  return columns.find((field) => names.get(field) === 'id')?.column ?? null
}

/** Finds a key whose columns clients set: the primary key, else a unique key. */
function planUpsert(
  { kind, primaryKey, uniqueKeys, privileges }: ModelRelation,
  create: readonly WrittenColumn[],
  changeable: readonly WrittenColumn[],
): Upsert | null {
  if (kind !== 'table' || !privileges.update) return null
  for (const key of [primaryKey, ...uniqueKeys]) {
    const on = key.map((name) => create.find(({ column }) => column.name === name))
    // A key with a default or NULL need not be in the input, so that a repeated call would add a row.
    if (key.length === 0 || on.some((one) => one === undefined || !isRequired(one))) continue
    const set = changeable.filter(
      ({ column }) => !key.includes(column.name) && create.some((one) => one.column === column),
    )
    return { on: on as readonly WrittenColumn[], set }
  }
  return null
}
