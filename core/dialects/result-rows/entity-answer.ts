import { toSnakeCase } from '../../base/util/naming.ts'
import type { FieldSelection, ObjectSelection, Selection } from '../../contract/operation.ts'
import type { WritePlan } from '../../contract/plan/write-plan.ts'
import type { WriteTarget } from '../../contract/prepared-write.ts'
import { isArrayText, readItems } from '../../engine/json/json-text.ts'
import { documentKeys } from '../../engine/plan/rows/document-keys.ts'
import { idKeys } from '../../engine/plan/write/id-keys.ts'
import { isPart } from '../../engine/plan/write/write-parts.ts'
import type { FieldModel, NamedType } from '../../schema/model.ts'
import { slotOf } from '../../schema/payload-slot.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import { needsSource } from '../needs-source.ts'
import { type HeldObject, type HeldValue, membersOf, NO_MEMBERS, textOf } from './held-value.ts'
import type { TimeForms } from './leaf-text.ts'
import { type Fallbacks, projectHeld } from './project-held.ts'
import { ResultFault } from './result-fault.ts'
import type { ResultRecord } from './result-record.ts'

/**
 * The response data that svc makes from one result row of a mutation's function, in databases where svc, not SQL,
 * builds the JSON.
 */
export interface EntityAnswer {
  /**
   * Id of the written entity: `entity_id` of the result, otherwise the id field of the entity; `null`: neither is
   * present.
   */
  readonly id: string | null
  readonly type: string | null
  /** JSON text of the selected fields; `null`: the function returned no entity. */
  readonly data: string | null
  /**
   * One flag for each of `targets`: `true` if the returned row lacks a selected field, so that it must be read from its
   * view or table.
   */
  readonly lacks: readonly boolean[]
}

/**
 * Converts the results of a mutation that returns objects to response data. `targets` are the fields of the result that
 * hold written rows, which may have to be read again.
 */
export interface EntityPlan {
  readonly targets: readonly WriteTarget[]
  /**
   * Converts one result of the function. @throws ResultFault if the entity's type is not among the possible types of
   * the mutation
   */
  answer(record: ResultRecord): EntityAnswer
}

/**
 * Prepares the conversion of results for the selection of a mutation.
 * @param named the declared result type of the mutation
 * @param typeColumn key of the entity that contains its type name
 * @param times convert stored times to the form of the response
 * @param isRuled returns `true` if access rules restrict the rows of a type. The written rows are then read again under
 * these rules
 */
export function planEntity(
  selection: Exclude<Selection, null>,
  named: NamedType,
  typeColumn: string,
  times: TimeForms,
  isRuled: WritePlan['isRuled'],
): EntityPlan {
  const slot = selection.kind === 'object' && selection.type.source === null ? slotOf(selection.type) : null
  if (slot !== null) return planWrapped(selection as ObjectSelection, slot, typeColumn, times, isRuled)
  const targets = targetsOf(null, selection, isRuled)
  const ids = idKeys(named)
  return {
    targets,
    answer(record) {
      const object = record.entity?.members ?? NO_MEMBERS
      const type = typeOf(record, typeColumn)
      const id = record.entityId ?? idIn(object, ids)
      const member = selection.kind === 'object' ? selection : memberOf(selection, type)
      if (member === undefined && record.entity !== null) throw new ResultFault('unknown-type', type)
      const parts = partsOf(record, id, type)
      const isShown = member !== undefined && member.denied === undefined && isThere(member, record)
      const data = isShown ? projectHeld(member, object, times, parts) : null
      return { id, type, data, lacks: targets.map((target) => lacksAt(target, object, type)) }
    },
  }
}

function idIn(object: HeldObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOf(object.get(key))
    if (text !== null) return text
  }
  return null
}

function memberOf(selection: Exclude<Selection, null>, type: string | null): ObjectSelection | undefined {
  return selection.kind === 'abstract' ? selection.possible.get(type ?? '') : undefined
}

/** Tests whether there is an object: there is an entity, or its type consists of the record's members. */
function isThere({ type }: ObjectSelection, record: ResultRecord): boolean {
  return (
    record.entity !== null || (type.source === null && [...type.fields.values()].some((field) => isPart(field, type)))
  )
}

/** Plans a payload: the record's members with an entity in one field. The function may have returned the payload itself. */
function planWrapped(
  selection: ObjectSelection,
  slot: FieldModel,
  typeColumn: string,
  times: TimeForms,
  isRuled: WritePlan['isRuled'],
): EntityPlan {
  const keys = documentKeys(slot)
  const ids = idKeys(slot.named)
  const targets = selection.fields.flatMap((field) =>
    field.kind === 'field' && field.field === slot ? targetsOf(field.responseKey, field.selection, isRuled) : [],
  )
  return {
    targets,
    answer(record) {
      const whole = record.entity?.members ?? NO_MEMBERS
      const key = keys.find((name) => whole.has(name))
      const type = typeOf(record, typeColumn)
      const text = key === undefined ? typedJson(record, slot, type) : whole.get(key)!.text
      const inner = membersOf(text)
      const id = record.entityId ?? idIn(inner ?? NO_MEMBERS, ids)
      const parts = partsOf(record, id, type)
      const value: HeldValue | null = text === null || inner === null ? null : { from: 'json', text }
      const data = projectHeld(selection, key === undefined ? NO_MEMBERS : whole, times, (field, owner) =>
        field === slot ? value : parts(field, owner),
      )
      return { id, type, data, lacks: targets.map((target) => lacksAt(target, inner ?? NO_MEMBERS, type)) }
    },
  }
}

function typeOf(record: ResultRecord, typeColumn: string): string | null {
  return record.entityType ?? textOf(record.entity?.members?.get(typeColumn))
}

/** Returns the entity, with the name of its type if the field does not determine it. */
function typedJson({ entity }: ResultRecord, { named }: FieldModel, type: string | null): string | null {
  if (entity === null) return null
  const { json, members } = entity
  if (named.kind === 'object' || type === null || members === null || members.has('__typename')) return json
  return `{"__typename":${JSON.stringify(type)}${members.size === 0 ? '' : ','}${json.slice(json.indexOf('{') + 1)}`
}

function lacksAt({ possible, ruled }: WriteTarget, object: HeldObject, type: string | null): boolean {
  if (ruled) return true
  const [only, ...others] = possible.values()
  const selection = others.length === 0 ? only : possible.get(type ?? '')
  return selection !== undefined && lacksSome(selection, object)
}

/** Makes a target of a position in the response, if one of its possible types has a source. */
function targetsOf(at: string | null, selection: Selection, isRuled: WritePlan['isRuled']): readonly WriteTarget[] {
  if (selection?.kind !== 'object' && selection?.kind !== 'abstract') return []
  const members = selection.kind === 'object' ? [[selection.type.name, selection] as const] : [...selection.possible]
  const possible = new Map(members.filter(([, { type, denied }]) => type.source !== null && denied === undefined))
  const ruled = [...possible.values()].some(({ type }) => isRuled(type))
  return possible.size === 0 ? [] : [{ at, possible, ruled }]
}

/** Returns members of the record that a payload type may declare as fields. */
function partsOf(record: ResultRecord, id: string | null, type: string | null): Fallbacks {
  const parts: Readonly<Record<string, string | null>> = {
    updated_fields: record.updatedFields ?? '[]',
    cascade: record.cascade,
    status: quoted(record.status),
    message: quoted(record.message),
    entity_id: quoted(id),
    entity_type: quoted(type),
    metadata: record.metadata,
  }
  return (field, owner) => {
    const text = isPart(field, owner) ? parts[toSnakeCase(field.name)] : undefined
    return text === undefined || text === null ? undefined : { from: 'json', text }
  }
}

function quoted(text: string | null): string | null {
  return text === null ? null : JSON.stringify(text)
}

type SelectedField = Extract<FieldSelection, { kind: 'field' }>

/**
 * Tests whether an object lacks selected fields, so that it must be read from its source. A field that no source has is not missing: it
 * is null.
 */
function lacksSome(selection: ObjectSelection, object: HeldObject): boolean {
  return selection.fields.some((field) => {
    if (field.kind === 'aggregate') return true
    if (field.kind !== 'field' || field.field.read === null) return false
    return needsSource(field) || !holds(field, object)
  })
}

function holds({ field, selection }: SelectedField, object: HeldObject): boolean {
  const key = documentKeys(field).find((name) => object.has(name))
  return key !== undefined && holdsValue(field.type, selection, object.get(key)!.text)
}

/** Tests a value for its selected subfields. A value that is neither an object nor a list lacks nothing. */
function holdsValue(type: TypeRef, selection: Selection, json: string): boolean {
  if (selection === null || selection.kind !== 'object') return true
  if (type.kind === 'list') {
    return !isArrayText(json) || readItems(json).every((item) => holdsValue(type.of, selection, item))
  }
  const object = membersOf(json)
  if (object === null) return true
  return selection.fields.every((field) => field.kind !== 'field' || holds(field, object))
}
