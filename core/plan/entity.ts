import { listText } from '../dialects/postgres/json-text.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Parameter, Statement } from '../front/database.ts'
import type { AbstractSelection, ObjectSelection } from '../front/operation.ts'
import type { ObjectType, SchemaModel } from '../schema/model.ts'
import { EMPTY, parameter, sql } from '../sql/fragment.ts'
import { comparable, toText } from './operand.ts'
import { below, createPlanContext, type ReadGuard } from './plan-context.ts'
import { type BindExchange, finishStatement } from './prepare.ts'
import { fieldValue, openRow } from './row.ts'
import { rowsFrom } from './rows.ts'
import { project, subquery } from './selection.ts'
import type { PlanSettings } from './settings.ts'

/** What to read again after a write. */
export interface EntityRead {
  readonly schema: SchemaModel
  readonly settings: PlanSettings
  /** Of the request that is planned (`cachedPlan` gives the same plan to all of one shape). */
  readonly variables: Readonly<Record<string, unknown>>
  /** Of the root, for the paths of errors. */
  readonly responseKey: string
  readonly type: ObjectType
  readonly selection: ObjectSelection | AbstractSelection
  /** `false`: one object. `true`: a list, in the order of the ids, without those that do not exist. */
  readonly many: boolean
  /** Prepare the statement by name? */
  readonly keep: boolean
}

/** Rows of a type, read by id. */
export interface PreparedEntityRead {
  /** One row with one text column: the JSON of the object, or of the list. No row: the object does not exist. */
  readonly statement: Statement
  readonly bind: (
    ids: readonly string[],
    variables: Readonly<Record<string, unknown>>,
    exchange: BindExchange,
  ) => readonly Parameter[]
  readonly nullScan: readonly string[]
  readonly guards: readonly ReadGuard[]
  /** About the memory that it holds. */
  readonly bytes: number
}

/** Key under which the ids travel through the variables; no GraphQL name has a space. */
const IDS = 'svc ids'

/**
 * Reads a type's source by the id column. The security conditions of queries are not applied: the function has decided
 * what its caller may see.
 * @throws SvcError INTERNAL_SERVER_ERROR when the type has no source with an id
 */
export function prepareEntityRead(request: EntityRead): PreparedEntityRead {
  const { schema, settings, type, many } = request
  const context = createPlanContext(schema, settings, request.variables)
  const id = type.fields.get('id')
  if (type.source === null || id === undefined || id.named.kind !== 'scalar') {
    throw new SvcError('INTERNAL_SERVER_ERROR', `${type.name} cannot be read again: it has no source with an id.`)
  }
  const at = below(context, request.responseKey)
  const row = openRow(at, type.source, type.document)
  const stored = fieldValue(row, id)
  if (stored === null) throw new SvcError('INTERNAL_SERVER_ERROR', `The id of ${type.name} is not stored.`)
  const { named } = id
  const target = comparable(named, stored)
  const slot = parameter({
    read: ({ variables }) => (variables[IDS] as readonly string[]).map((value) => toText(value, named, null)),
  })
  const ids = target.list(slot)
  const projection = project(at, request.selection, row, '__typename')
  const order = many ? sql`array_position(${ids}, ${target.value})` : null
  const condition = sql`${target.value} = ANY(${ids})`
  const rows = rowsFrom(row, { conditions: [condition], order, page: many ? EMPTY : sql` LIMIT 1` })
  const select = subquery(projection, rows)
  const { value } = projection
  const statement = many
    ? sql`SELECT ${listText(value, sql` FROM ${select}`, null)}`
    : sql`SELECT to_json(${value})::text FROM ${select}`
  const finished = finishStatement(statement, request.keep)
  return {
    statement: finished.statement,
    bind: (given, variables, exchange) => finished.bind({ ...variables, [IDS]: given }, exchange),
    nullScan: [...context.nulls],
    guards: context.guards,
    bytes: finished.bytes,
  }
}
