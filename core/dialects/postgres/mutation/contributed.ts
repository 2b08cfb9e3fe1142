import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteColumn } from '../../../contract/prepared-write.ts'
import type { Slot, WriteStamp } from '../../../contract/slot.ts'
import type { WriteInsert, WriteValue } from '../../../contract/write-contribution.ts'
import { kindsByStatus } from '../../../engine/plan/write/write-kind.ts'
import { SUCCESS } from '../../../engine/plan/write/write-status.ts'
import {
  identifier,
  integer,
  join,
  escapedLiteral as literal,
  NULL,
  parameter,
  qualified,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import { storedRow } from './stored-row.ts'

/** Alias of the write, for the inserts and the outer select. */
const WRITE: SqlFragment = identifier('svc_write')
const ID: Slot = { read: ({ event }) => stampOf(event).id }
const TIME: Slot = { read: ({ event }) => stampOf(event).time }

/**
 * Writes a subquery of type `jsonb` that returns the stored row of the written entity, as it was before the function of
 * the mutation ran. The row is visible because the statement's snapshot does not include changes by functions that it
 * calls. The statement must have the subquery `m` with the id (`svc_id`) and type (`svc_type`) of the entity.
 */
export function rowBefore({ types }: Pick<WritePlan, 'types'>): SqlFragment {
  const [only, ...others] = types
  if (only === undefined) return sql`${NULL}::jsonb`
  if (others.length === 0) return storedRow(only, sql`m.svc_id`)
  let cases = sql``
  for (const type of types) cases = sql`${cases} WHEN ${literal(type.name)} THEN ${storedRow(type, sql`m.svc_id`)}`
  return sql`CASE m.svc_type${cases} END`
}

/** Columns that the statement returns as text, and that inserts of plugins store as JSON. */
const JSON_COLUMNS: ReadonlyMap<WriteColumn, SqlFragment> = new Map([
  ['entity', sql`m.entity`],
  ['updated_fields', sql`m.updated_fields`],
  ['cascade', sql`m.cascade`],
])

/** Column with the status of the function, up to its colon and in lower case. Computed once for all inserts. */
const WORD: SqlFragment = identifier('svc_word')

/**
 * Writes the statement of a mutation to which plugins add INSERTs, such as an outbox row for each write. The call of
 * the function is a materialized WITH query, so that it runs once; each INSERT reads from it.
 * @param isOne `true`: the function returns one row, which needs no numbering and sorting (half of the cost that
 * inserts add)
 * @param list the columns that the statement returns, with the SQL of their values
 * @param rest ` FROM …` of the result rows of the function
 */
export function withInserts(
  plan: WritePlan,
  isOne: boolean,
  list: readonly (readonly [column: WriteColumn, value: SqlFragment])[],
  rest: SqlFragment,
): SqlFragment {
  const json = new Map(JSON_COLUMNS)
  if (plan.before) json.set('before', rowBefore(plan))
  const columns = list
    .filter(([column]) => !json.has(column))
    .map(([column, value]) => sql`${value} AS ${identifier(column)}`)
  for (const [column, value] of json) columns.push(sql`${value} AS ${identifier(column)}`)
  columns.push(sql`lower(split_part(m.status, ':', 1)) AS ${WORD}`)
  if (!isOne) columns.push(sql`row_number() OVER () AS svc_n`)
  let inserts = sql``
  for (const [index, insert] of plan.inserts.entries()) {
    inserts = sql`${inserts}, ${identifier(`svc_insert_${index}`)} AS (${insertInto(plan, isOne, insert)})`
  }
  const outer = join(
    list.map(([column]) => (json.has(column) ? sql`${identifier(column)}::text` : identifier(column))),
    ', ',
  )
  const inner = sql`SELECT ${join(columns, ', ')}${rest}`
  const order = isOne ? sql`` : sql` ORDER BY svc_n`
  return sql`WITH ${WRITE} AS MATERIALIZED (${inner})${inserts} SELECT ${outer} FROM ${WRITE}${order}`
}

/** Tests whether the row counts as written: not for failures and `noop`. */
const WRITTEN: SqlFragment = sql`${WORD} = ANY (ARRAY[${join(
  SUCCESS.filter((word) => word !== 'noop').map(literal),
  ', ',
)}])`

function insertInto(plan: WritePlan, isOne: boolean, { table, columns }: WriteInsert): SqlFragment {
  const entries = Object.entries(columns)
  const [first, second] = table.split('.') as [string, string?]
  const target = second === undefined ? qualified(undefined, first) : qualified(first, second)
  const names = join(
    entries.map(([name]) => identifier(name)),
    ', ',
  )
  const values = join(
    entries.map(([, value]) => (typeof value === 'function' ? given(value) : partOf(plan, isOne, value))),
    ', ',
  )
  return sql`INSERT INTO ${target} (${names}) SELECT ${values} FROM ${WRITE} WHERE ${WRITTEN}`
}

function given(value: WriteValue): SqlFragment {
  return parameter({
    read: ({ event }) => {
      const { exchange, operation } = stampOf(event)
      return value(exchange, operation)
    },
  })
}

/** Writes a member of `CommittedWrite`, with the same value as `toCommitted` (core/engine/execute/write/committed.ts). */
function partOf(plan: WritePlan, isOne: boolean, part: keyof CommittedWrite): SqlFragment {
  const { operation } = plan.root
  const isDelete = operation.operation === 'DELETE'
  switch (part) {
    case 'id': {
      if (isOne) return sql`${parameter(ID)}::uuid`
      const id = sql`${parameter(ID)}::text`
      return sql`(left(${id}, 24) || lpad(to_hex(('x' || right(${id}, 12))::bit(48)::bigint + svc_n - 1), 12, '0'))::uuid`
    }
    case 'time':
      return sql`${parameter(TIME)}::timestamptz`
    case 'mutation':
      return sql`${literal(operation.wireName)}::text`
    case 'kind': {
      if (isDelete) return sql`'DELETE'::text`
      let cases = sql``
      for (const [word, kind] of kindsByStatus) cases = sql`${cases} WHEN ${literal(word)} THEN ${literal(kind)}`
      return sql`CASE ${WORD}${cases} ELSE ${literal(operation.operation)} END::text`
    }
    case 'entityType': {
      const only = plan.types.length === 1 ? plan.types[0] : undefined
      return only === undefined ? sql`entity_type` : sql`coalesce(entity_type, ${literal(only.name)})`
    }
    case 'entityId':
      return sql`entity_id`
    case 'entity':
      return isDeleted(isDelete, sql`${NULL}::jsonb`, sql`entity`)
    case 'before':
      return plan.before
        ? sql`coalesce(before, ${isDeleted(isDelete, sql`entity`, NULL)})`
        : isDeleted(isDelete, sql`entity`, sql`${NULL}::jsonb`)
    case 'updatedFields':
      return sql`updated_fields`
    case 'cascade':
      return isOne ? sql`cascade` : sql`CASE WHEN svc_n = ${integer(1)} THEN cascade END`
  }
}

function isDeleted(always: boolean, then: SqlFragment, otherwise: SqlFragment): SqlFragment {
  if (always) return then
  return sql`CASE ${WORD} WHEN 'deleted' THEN ${then} ELSE ${otherwise} END`
}

function stampOf(event: WriteStamp | undefined): WriteStamp {
  if (event === undefined) throw new Error('A reported write has a stamp')
  return event
}
