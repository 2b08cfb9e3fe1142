import { toSnakeCase } from '../../../base/util/naming.ts'
import type { AbstractSelection, ObjectSelection, Selection } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteTarget } from '../../../contract/prepared-write.ts'
import { documentKeys } from '../../../engine/plan/rows/document-keys.ts'
import { isPart } from '../../../engine/plan/write/write-parts.ts'
import {
  identifier,
  join,
  escapedLiteral as literal,
  NULL,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import type { FieldModel, MutationModel, ObjectType } from '../../../schema/model.ts'
import { slotOf } from '../../../schema/payload-slot.ts'
import type { ReturnForm } from '../../../schema/return-form.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { raiseFault } from './fault.ts'
import { type Lacks, lacksOf, lacksOfOneOf } from './lacks.ts'
import { type Fallbacks, projectColumns, projectObject, projectValue } from './project.ts'

/**
 * A field of a mutation's result that holds a written row (entity), with a SQL test for selected fields that the
 * function did not return. Such fields are read from the view or table of the row's type.
 */
export interface EntityTarget extends WriteTarget {
  readonly lacks: Lacks
}

/**
 * SQL that builds the JSON result of a mutation from what its function returned. Its expressions refer to two
 * subqueries by alias: `m` has one row per entity with the columns `document`, `slot`, `entity_type` and others; `c`
 * has the columns of the function's result.
 */
export interface EntityPlan {
  readonly data: SqlFragment
  /**
   * Simpler form of `data`, which is correct only if `m.document` is a single object with all selected fields; `null`:
   * there is no simpler form.
   */
  readonly whole: SqlFragment | null
  /**
   * Select list of the subquery {@link ROW}, from which `data` builds the object; `null`: `data` does not read that
   * subquery.
   */
  readonly columns: SqlFragment | null
  readonly targets: readonly EntityTarget[]
  /**
   * SQL of type `jsonb` over `c` for the column `m.document`: the object that the function returned, `{}` if it
   * returned none.
   */
  readonly document: SqlFragment
  /**
   * SQL of type `jsonb` over `c` for the column `m.slot`: the written row that belongs in a field of the payload type;
   * `null`: the result type is not a payload.
   */
  readonly slot: SqlFragment | null
}

const ENTITY: SqlFragment = sql`c.entity`
const EMPTY_OBJECT: SqlFragment = sql`'{}'::jsonb`
const DOCUMENT: SqlFragment = sql`m.document`
/** Members of the record that a payload type may declare as fields. */
const PARTS: ReadonlyMap<string, SqlFragment> = new Map([
  ['updated_fields', sql`coalesce(m.updated_fields, '[]'::jsonb)`],
  ['cascade', sql`m.cascade`],
  ['status', sql`to_jsonb(m.status)`],
  ['message', sql`to_jsonb(m.message)`],
  ['entity_id', sql`to_jsonb(m.svc_id)`],
  ['entity_type', sql`to_jsonb(m.svc_type)`],
  ['metadata', sql`m.metadata`],
])
/**
 * Writes the SQL for the result of a mutation that returns objects.
 * @param isRuled returns `true` if access rules restrict the rows of a type. The written rows are then read again under
 * these rules
 */
export function planEntity(selection: Exclude<Selection, null>, isRuled: IsRuled): EntityPlan {
  if (selection.kind === 'object') {
    const slot = selection.type.source === null ? slotOf(selection.type) : null
    return slot === null ? planPlain(selection, isRuled) : planWrapped(selection, slot, isRuled)
  }
  return planAbstract(selection as AbstractSelection, isRuled)
}

type IsRuled = WritePlan['isRuled']

function planPlain(selection: ObjectSelection, isRuled: IsRuled): EntityPlan {
  const { columns, text } = project(selection, partOf)
  return {
    data: whenPresent(selection, text),
    whole: text,
    columns,
    targets: targetsOf(null, selection, DOCUMENT, isRuled),
    document: objectOr(ENTITY, EMPTY_OBJECT),
    slot: null,
  }
}

function planAbstract(selection: AbstractSelection, isRuled: IsRuled): EntityPlan {
  const typeName = sql`m.svc_type`
  let cases = sql``
  for (const [name, member] of selection.possible) {
    const shown = member.denied === undefined
    cases = sql`${cases} WHEN ${literal(name)} THEN ${!shown ? NULL : whenPresent(member, projectObject(member, DOCUMENT, partOf))}`
  }
  const unknown = sql`CASE WHEN m.entity IS NOT NULL THEN ${raiseFault('unknown-type', typeName)} END`
  return {
    data: selection.possible.size === 0 ? unknown : sql`CASE ${typeName}${cases} ELSE ${unknown} END`,
    whole: null,
    columns: null,
    targets: targetsOf(null, selection, DOCUMENT, isRuled),
    document: objectOr(ENTITY, EMPTY_OBJECT),
    slot: null,
  }
}

/**
 * Alias of the subquery whose row becomes the JSON object of a mutation's result. It contains a space, so that no
 * response key equals it.
 */
export const ROW: SqlFragment = identifier('svc row')

function project(selection: ObjectSelection, fallbacks: Fallbacks): { columns: SqlFragment | null; text: SqlFragment } {
  const columns = projectColumns(selection, DOCUMENT, fallbacks)
  return {
    columns,
    text: columns === null ? projectObject(selection, DOCUMENT, fallbacks) : sql`row_to_json(${ROW})::text`,
  }
}

/** Makes the object NULL if there is no entity, unless its type consists of the record's members. */
function whenPresent({ type }: ObjectSelection, data: SqlFragment): SqlFragment {
  const standsAlone = type.source === null && [...type.fields.values()].some((field) => isPart(field, type))
  return standsAlone ? data : sql`CASE WHEN m.entity IS NOT NULL THEN ${data} END`
}

/** Plans a payload: the record's members with an entity in one field. The function may have returned the payload itself. */
function planWrapped(selection: ObjectSelection, slot: FieldModel, isRuled: IsRuled): EntityPlan {
  const keys = join(documentKeys(slot).map(literal), ', ')
  const wrapped = sql`coalesce(${ENTITY} ?| ARRAY[${keys}], false)`
  const inner = join(
    documentKeys(slot).map((key) => sql`${ENTITY} -> ${literal(key)}`),
    ', ',
  )
  const targets: EntityTarget[] = []
  for (const field of selection.fields) {
    if (field.kind !== 'field' || field.field !== slot || field.selection === null) continue
    targets.push(...targetsOf(field.responseKey, field.selection, sql`coalesce(m.slot, ${EMPTY_OBJECT})`, isRuled))
  }
  const typed =
    slot.named.kind === 'object'
      ? ENTITY
      : sql`CASE WHEN ${ENTITY} IS NOT NULL
        THEN jsonb_strip_nulls(jsonb_build_object('__typename', c.entity_type)) || ${ENTITY} END`
  const { columns, text } = project(selection, (field, type) => (field === slot ? sql`m.slot` : partOf(field, type)))
  return {
    data: text,
    whole: null,
    columns,
    targets,
    document: sql`CASE WHEN ${wrapped} THEN ${ENTITY} ELSE ${EMPTY_OBJECT} END`,
    slot: objectOr(sql`CASE WHEN ${wrapped} THEN coalesce(${inner}) ELSE ${typed} END`, NULL),
  }
}

/** Makes a target of a position in the response, if one of its possible types has a source. */
function targetsOf(
  at: string | null,
  selection: Selection,
  document: SqlFragment,
  isRuled: IsRuled,
): readonly EntityTarget[] {
  if (selection?.kind === 'object') {
    if (selection.type.source === null) return []
    const ruled = isRuled(selection.type)
    const lacks = ruled ? READ_AGAIN : lacksOf(selection, document)
    return [{ at, possible: new Map([[selection.type.name, selection]]), ruled, lacks }]
  }
  if (selection?.kind !== 'abstract') return []
  const members = [...selection.possible].filter(
    ([, member]) => member.type.source !== null && member.denied === undefined,
  )
  if (members.length === 0) return []
  const ruled = members.some(([, member]) => isRuled(member.type))
  const lacks = members.map(([name, member]) => [name, lacksOf(member, document)] as const)
  return [{ at, possible: new Map(members), ruled, lacks: ruled ? READ_AGAIN : lacksOfOneOf(sql`m.svc_type`, lacks) }]
}

/** Always reads the entity from its source. */
const READ_AGAIN: Lacks = { always: true, any: null }

function partOf(field: FieldModel, type: ObjectType): SqlFragment | null {
  return isPart(field, type) ? (PARTS.get(toSnakeCase(field.name)) ?? null) : null
}

function objectOr(value: SqlFragment, otherwise: SqlFragment): SqlFragment {
  return sql`CASE WHEN jsonb_typeof(${value}) = 'object' THEN ${value} ELSE ${otherwise} END`
}

/**
 * Writes the SQL for the result of a mutation that returns a scalar or an enum
 * (docs/guides/mutations.md#plain-results).
 * @param form form in which the function returns its result
 * @param perRow `true`: the function returns one row for each item of the list; `false`: one row with the whole result
 */
export function planLeaf(operation: MutationModel, form: ReturnForm, perRow: boolean): EntityPlan {
  const { type, named } = operation
  const value = leafOf(operation, form)
  const of = perRow && type.kind === 'list' ? { name: operation.name, named, type: type.of } : operation
  return {
    data: projectValue(of, null, value),
    whole: null,
    columns: null,
    targets: [],
    document: sql`c.entity`,
    slot: null,
  }
}

/** Returns the value as `jsonb` over `m`. */
function leafOf({ named, type }: MutationModel, form: ReturnForm): SqlFragment {
  if (form === 'scalar' || form === 'rows' || named.kind !== 'scalar' || type.kind === 'list') return sql`m.entity`
  const { group, wire } = scalarOf(named)
  if (group === 'boolean') {
    return sql`CASE WHEN jsonb_typeof(m.entity) = 'boolean' THEN m.entity ELSE 'true'::jsonb END`
  }
  if (group === 'id' || wire === 'string') {
    const own = sql`CASE WHEN jsonb_typeof(m.entity) IN ('string', 'number') THEN m.entity END`
    return group === 'id' ? sql`coalesce(${own}, to_jsonb(m.svc_id))` : own
  }
  return sql`m.entity`
}
