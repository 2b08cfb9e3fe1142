import type { ModelColumn } from '../../contract/database-model.ts'
import type { FunctionNames } from './function-names.ts'
import { quoteName, quoteText } from './quote-name.ts'
import { isRequired, shownColumns, type TableWrites, type WrittenColumn } from './table-writes.ts'

/** SQLite's default limit of arguments, for pairs of a key and a value. */
const MOST_PAIRS = 60

/** Types of parameters by the type of the column. Others take the type of their argument. */
const TYPES: Readonly<Record<string, string>> = {
  int8: 'integer',
  text: 'text',
  float8: 'real',
  numeric: 'numeric',
  bool: 'boolean',
  date: 'date',
  time: 'time',
  timestamptz: 'datetime',
  uuid: 'uuid',
  json: 'json',
}

/** Returns why a generated SQLite script cannot write a column; `null`: it can. */
export function sqliteProblem({ type }: ModelColumn): string | null {
  return type === 'bytea' ? 'is a BLOB, and scripts get texts' : null
}

/**
 * Returns SQLite scripts that create, update, delete and upsert rows of a table. SQLite has no stored functions, so svc
 * runs a script where other databases call a function.
 * @param names name of the function for each kind of write; `null`: no script is written for it
 * @returns text of each script, by the name of the function that it replaces
 */
export function sqliteScripts(writes: TableWrites, names: FunctionNames): ReadonlyMap<string, string> {
  const scripts = new Map<string, string>()
  if (names.create !== null) scripts.set(names.create, createScript(writes))
  if (names.update !== null) scripts.set(names.update, updateScript(writes))
  if (names.delete !== null) scripts.set(names.delete, deleteScript(writes))
  if (names.upsert !== null) scripts.set(names.upsert, upsertScript(writes))
  return scripts
}

function createScript(writes: TableWrites): string {
  const create = writes.create!
  const head = create.map((column) => {
    const fallback = (column.column.default ?? 'NULL').replace(/\s+/g, ' ')
    return declare(column, isRequired(column) ? '' : ` = ${fallback}`)
  })
  const values =
    create.length === 0
      ? 'DEFAULT VALUES'
      : `(${namesOf(create)})\nVALUES (${create.map(({ key }) => `:${key}`).join(', ')})`
  return `${head.join('')}INSERT INTO ${tableOf(writes)} ${values}\n${returning(writes, 'created')};\n`
}

function updateScript(writes: TableWrites): string {
  const fields = '(SELECT json_group_array(key) FROM json_each(:input)) AS updated_fields'
  return `${writes.key.map((column) => declare(column)).join('')}-- :input json
${raiseUnlessThere(writes)}
UPDATE ${tableOf(writes)}
SET ${assignments(writes.update!)}
WHERE ${isKey(writes.key)}
${returning(writes, 'updated')}, ${fields};
`
}

function deleteScript(writes: TableWrites): string {
  return `${writes.key.map((column) => declare(column)).join('')}${raiseUnlessThere(writes)}
DELETE FROM ${tableOf(writes)} WHERE ${isKey(writes.key)}
RETURNING 'deleted' AS status, ${identity(writes)}, ${entity(writes)};
`
}

/** Changes the row with the key, or inserts it. Nothing else writes in between, because SQLite has one writer. */
function upsertScript(writes: TableWrites): string {
  const create = writes.create!
  const { on, set } = writes.upsert!
  const where = on.map(({ column, key }) => `${quoteName(column.name)} = :input ->> '$.${key}'`).join(' AND ')
  const first = quoteName(on[0]!.column.name)
  const values = create.map(({ column, key }) => {
    const value = storedValue(column, key)
    return column.default === undefined ? value : `iif(${isAbsent(key)}, ${column.default}, ${value})`
  })
  return `-- :input json
UPDATE ${tableOf(writes)}
SET ${set.length === 0 ? `${first} = ${first}` : assignments(set)}
WHERE ${where};

-- changes(): how many rows the last statement that writes has changed.
INSERT INTO ${tableOf(writes)} (${namesOf(create)})
SELECT ${values.join(',\n  ')}
WHERE changes() = 0;

SELECT iif(changes() = 1, 'created', 'updated') AS status, ${identity(writes)}${entityIfNeeded(writes)}
FROM ${tableOf(writes)} WHERE ${where};
`
}

function declare({ column, key }: WrittenColumn, fallback = ''): string {
  const type = TYPES[column.type]
  return `-- :${key}${type === undefined ? '' : ` ${type}`}${fallback}\n`
}

function raiseUnlessThere(writes: TableWrites): string {
  const { key, subject } = writes
  const shown = key.map((column) => `:${column.key}`).join(" || ', ' || ")
  return `SELECT svc_raise('NOT_FOUND', ${quoteText(`There is no ${subject.type} `)} || ${shown})
WHERE NOT EXISTS (SELECT 1 FROM ${tableOf(writes)} WHERE ${isKey(key)});
`
}

/** Sets columns to the values of the input; those that it lacks keep theirs, and null sets NULL. */
function assignments(columns: readonly WrittenColumn[]): string {
  return columns
    .map(({ column, key }) => {
      const name = quoteName(column.name)
      return `${name} = iif(${isAbsent(key)}, ${name}, ${storedValue(column, key)})`
    })
    .join(',\n  ')
}

function isAbsent(key: string): string {
  return `json_type(:input, '$.${key}') IS NULL`
}

/** The value of the input as the column stores it. */
function storedValue({ type }: ModelColumn, key: string): string {
  const isJson = type === 'json' || type === 'jsonb'
  return isJson ? `iif(json_type(:input, '$.${key}') = 'null', NULL, :input -> '$.${key}')` : `:input ->> '$.${key}'`
}

function returning(writes: TableWrites, status: string): string {
  return `RETURNING ${quoteText(status)} AS status, ${identity(writes)}${entityIfNeeded(writes)}`
}

function identity({ id, subject }: TableWrites): string {
  const value = id === null ? 'NULL' : quoteName(id.name)
  return `NULL AS message, ${value} AS entity_id, ${quoteText(subject.type)} AS entity_type`
}

/** svc reads the row by its id, if it has one. */
function entityIfNeeded(writes: TableWrites): string {
  return writes.id === null ? `, ${entity(writes)}` : ''
}

function entity({ subject }: TableWrites): string {
  const pairs = shownColumns(subject).shown.map(({ name, type }) => {
    const value = type === 'json' || type === 'jsonb' ? `json(${quoteName(name)})` : quoteName(name)
    return `${quoteText(name)}, ${value}`
  })
  return `${objectOf(pairs)} AS entity`
}

/** A function takes a limited number of arguments, so that the members of a large object are added in several steps. */
function objectOf(pairs: readonly string[]): string {
  let object = `json_object(${pairs.slice(0, MOST_PAIRS).join(', ')})`
  for (let start = MOST_PAIRS; start < pairs.length; start += MOST_PAIRS) {
    const members = pairs.slice(start, start + MOST_PAIRS).join(', ')
    object = `json(substr(${object}, 1, length(${object}) - 1) || ',' || substr(json_object(${members}), 2))`
  }
  return object
}

function isKey(key: readonly WrittenColumn[]): string {
  return key.map((column) => `${quoteName(column.column.name)} = :${column.key}`).join(' AND ')
}

function tableOf({ subject }: TableWrites): string {
  return quoteName(subject.relation.name)
}

function namesOf(columns: readonly WrittenColumn[]): string {
  return columns.map(({ column }) => quoteName(column.name)).join(', ')
}
