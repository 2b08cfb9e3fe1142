import type { ModelColumn } from '../../contract/database-model.ts'
import type { FunctionNames } from './function-names.ts'
import { GENERATED } from './postgres-functions.ts'
import { quoteText, quoteWithBackticks } from './quote-name.ts'
import { isRequired, shownColumns, type TableWrites, type WrittenColumn } from './table-writes.ts'

/** Returns why a generated procedure cannot write a column; `null`: it can. */
export function mysqlProblem({ type, sqlType }: ModelColumn): string | null {
  if (type === 'bytea') return 'holds bytes, and procedures get texts'
  return type === 'bit' ? `is of the type ${sqlType}, which has no text` : null
}

/**
 * Writes the SQL script that creates the procedures for a table's writes in MariaDB and MySQL. It replaces existing
 * procedures of these names, so that it can run again. Both svc and the command-line client can run it.
 */
export function mysqlProcedures(writes: TableWrites, names: FunctionNames): string {
  const texts: string[] = []
  if (names.create !== null) texts.push(procedure(names.create, ['p_input'], createBody(writes)))
  if (names.update !== null) {
    texts.push(procedure(names.update, [...writes.key.map(parameterOf), 'p_input'], updateBody(writes)))
  }
  if (names.delete !== null) texts.push(procedure(names.delete, writes.key.map(parameterOf), deleteBody(writes)))
  if (names.upsert !== null) texts.push(procedure(names.upsert, ['p_input'], upsertBody(writes)))
  return texts.length === 0 ? '' : `DELIMITER //\n\n${texts.join('\n')}\nDELIMITER ;\n`
}

function procedure(name: string, parameters: readonly string[], body: string): string {
  const declared = parameters.map((one) => `IN ${one}${one === 'p_input' ? ' JSON' : ''}`).join(', ')
  return `DROP PROCEDURE IF EXISTS ${quoteWithBackticks(name)}//
CREATE PROCEDURE ${quoteWithBackticks(name)}(${declared})
  MODIFIES SQL DATA
  COMMENT ${quoteText(GENERATED)}
BEGIN
${body}END//
`
}

function createBody(writes: TableWrites): string {
  const create = writes.create!
  const made = madeKeys(writes)
  const values = create.map((column) => (made.has(column.column.name) ? variable(column) : newValue(column)))
  return `${declare(writes, made)}  INSERT INTO ${tableOf(writes)} (${namesOf(create)})
  VALUES (${values.join(',\n    ')});
${select(writes, "'created'", rowOfKey(writes, made))}`
}

function updateBody(writes: TableWrites): string {
  return `${raiseUnlessThere(writes, ' FOR UPDATE')}  UPDATE ${tableOf(writes)}
  SET ${assignments(writes.update!)}
  WHERE ${isKey(writes.key)};
${select(writes, "IF(JSON_LENGTH(p_input) = 0, 'noop', 'updated')", isKey(writes.key), ', JSON_KEYS(p_input) AS updated_fields')}`
}

/** The row is selected before it is deleted. Nobody changes it in between. */
function deleteBody(writes: TableWrites): string {
  return `${raiseUnlessThere(writes, ' FOR UPDATE')}${select(writes, "'deleted'", isKey(writes.key), '', true)}  DELETE FROM ${tableOf(writes)} WHERE ${isKey(writes.key)};
`
}

/** Changes the row with the key, or inserts it. */
function upsertBody(writes: TableWrites): string {
  const create = writes.create!
  const { on, set } = writes.upsert!
  const where = on.map((column) => `${quoteWithBackticks(column.column.name)} = ${storedValue(column)}`).join(' AND ')
  const change =
    set.length === 0 ? '' : `    UPDATE ${tableOf(writes)}\n    SET ${assignments(set)}\n    WHERE ${where};\n`
  return `  DECLARE v_there INT DEFAULT 0;
  SELECT COUNT(*) INTO v_there FROM ${tableOf(writes)} WHERE ${where} FOR UPDATE;
  IF v_there > 0 THEN
${change === '' ? '    DO 0;\n' : change}  ELSE
    INSERT INTO ${tableOf(writes)} (${namesOf(create)})
    VALUES (${create.map(newValue).join(',\n      ')});
  END IF;
${select(writes, "IF(v_there > 0, 'updated', 'created')", where)}`
}

/**
 * Key columns whose value the procedure has to know after the INSERT: all but those that the server numbers. Empty: the
 * server numbers the row.
 */
function madeKeys(writes: TableWrites): ReadonlySet<string> {
  const { relation } = writes.subject
  if (relation.columns.some(({ name, identity }) => identity === true && relation.primaryKey.includes(name)))
    return new Set()
  const keys = relation.primaryKey.length > 0 ? relation.primaryKey : (relation.uniqueKeys[0] ?? [])
  return new Set(keys.filter((key) => writes.create!.some(({ column }) => column.name === key)))
}

function declare({ create }: TableWrites, made: ReadonlySet<string>): string {
  return create!
    .filter(({ column }) => made.has(column.name))
    .map((column) => `  DECLARE ${variable(column)} ${typeOf(column.column)} DEFAULT ${newValue(column)};\n`)
    .join('')
}

/** Condition for the row that was inserted. */
function rowOfKey({ subject, create }: TableWrites, made: ReadonlySet<string>): string {
  const { relation } = subject
  const identity = relation.columns.find(({ name, identity: is }) => is === true && relation.primaryKey.includes(name))
  if (identity !== undefined) {
    const given = create!.find(({ column }) => column === identity)
    const value = given === undefined ? 'LAST_INSERT_ID()' : `COALESCE(${storedValue(given)}, LAST_INSERT_ID())`
    return `${quoteWithBackticks(identity.name)} = ${value}`
  }
  const keys = create!.filter(({ column }) => made.has(column.name))
  return keys.map((column) => `${quoteWithBackticks(column.column.name)} = ${variable(column)}`).join(' AND ')
}

/** Selects the result of the write: what svc reads as a `mutation_response`. */
function select(writes: TableWrites, status: string, where: string, more = '', withEntity = false): string {
  const { id, subject } = writes
  const key = id === null ? 'NULL' : quoteWithBackticks(id.name)
  // svc reads the row by its id, if it has one and is still there.
  const entity = id === null || withEntity ? `, ${entityOf(writes)} AS entity` : ''
  return `  SELECT ${status} AS status, NULL AS message, ${key} AS entity_id, ${quoteText(subject.type)} AS entity_type${more}${entity}
  FROM ${tableOf(writes)} WHERE ${where};
`
}

function entityOf({ subject }: TableWrites): string {
  const pairs = shownColumns(subject).shown.map(({ name, type }) => {
    const column = quoteWithBackticks(name)
    // MariaDB and MySQL take text for JSON only from a function that returns JSON.
    const flag = `CASE WHEN ${column} THEN 'true' WHEN NOT ${column} THEN 'false' ELSE 'null' END`
    const json = type === 'bool' ? flag : type === 'json' ? column : null
    return `${quoteText(name)}, ${json === null ? column : `JSON_EXTRACT(${json}, '$')`}`
  })
  return `JSON_OBJECT(${pairs.join(', ')})`
}

function raiseUnlessThere(writes: TableWrites, lock: string): string {
  const { key, subject } = writes
  const shown = key.map(referenceOf).join(", ', ', ")
  return `  DECLARE v_there INT DEFAULT 0;
  DECLARE v_message TEXT DEFAULT CONCAT('NOT_FOUND: There is no ${subject.type} ', ${shown});
  SELECT COUNT(*) INTO v_there FROM ${tableOf(writes)} WHERE ${isKey(key)}${lock};
  IF v_there = 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = v_message; END IF;
`
}

/** Sets columns to the values of the input; those that it lacks keep theirs, and null sets NULL. */
function assignments(columns: readonly WrittenColumn[]): string {
  return columns
    .map((column) => {
      const name = quoteWithBackticks(column.column.name)
      return `${name} = IF(${isThere(column)}, ${storedValue(column)}, ${name})`
    })
    .join(',\n      ')
}

/** The value of a new row: the default, if the input has none. */
function newValue(column: WrittenColumn): string {
  const value = storedValue(column)
  if (isRequired(column) || column.column.default === undefined) return value
  return `IF(${isThere(column)}, ${value}, ${column.column.default})`
}

function isThere({ key }: WrittenColumn): string {
  return `JSON_CONTAINS_PATH(p_input, 'one', ${pathOf(key)})`
}

/** The value of the input as the column stores it. */
function storedValue({ column, key }: WrittenColumn): string {
  const json = `JSON_EXTRACT(p_input, ${pathOf(key)})`
  if (column.type === 'bool') return `(CASE JSON_UNQUOTE(${json}) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)`
  if (column.type === 'json') return `(CASE WHEN JSON_TYPE(${json}) <> 'NULL' THEN ${json} END)`
  const text = `JSON_UNQUOTE(${json})`
  const stored = column.type.startsWith('timestamp') ? `REPLACE(${text}, '+00:00', '')` : text
  return `(CASE WHEN JSON_TYPE(${json}) <> 'NULL' THEN ${stored} END)`
}

function pathOf(key: string): string {
  return quoteText(`$.${key}`)
}

function isKey(key: readonly WrittenColumn[]): string {
  return key.map((column) => `${quoteWithBackticks(column.column.name)} = ${referenceOf(column)}`).join(' AND ')
}

function parameterOf(column: WrittenColumn): string {
  return `${referenceOf(column)} ${typeOf(column.column)}`
}

function referenceOf({ key }: WrittenColumn): string {
  return quoteWithBackticks(`p_${key}`)
}

function variable({ key }: WrittenColumn): string {
  return quoteWithBackticks(`v_${key}`)
}

/** Type of a parameter or variable for the values of a column. */
function typeOf({ sqlType, type }: ModelColumn): string {
  return type === 'json' ? 'LONGTEXT' : sqlType
}

function tableOf({ subject }: TableWrites): string {
  return quoteWithBackticks(subject.relation.name)
}

function namesOf(columns: readonly WrittenColumn[]): string {
  return columns.map(({ column }) => quoteWithBackticks(column.name)).join(', ')
}
