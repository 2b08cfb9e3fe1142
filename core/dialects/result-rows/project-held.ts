import type { ObjectSelection, Selection } from '../../contract/operation.ts'
import { isArrayText, readItems, stringOf, writeMembers } from '../../engine/json/json-text.ts'
import { UNKNOWN_TYPE } from '../../engine/json/unknown-type.ts'
import { documentKeys } from '../../engine/plan/rows/document-keys.ts'
import type { FieldModel, ObjectType } from '../../schema/model.ts'
import { needsSource } from '../needs-source.ts'
import { documentOf, type HeldObject, type HeldValue, membersOf } from './held-value.ts'
import { leafText, type TimeForms, type ValueType } from './leaf-text.ts'

/**
 * Returns the value of a field that the returned object has no key for, such as `status` of a payload; `undefined`: the
 * field has no other value.
 */
export type Fallbacks = (field: FieldModel, type: ObjectType) => HeldValue | null | undefined

const NO_FALLBACKS: Fallbacks = () => undefined

/**
 * Writes the JSON text of a response object: the selected fields of an object that a function returned, in the order of
 * the selection.
 * @param times convert stored times to the form of the response
 */
export function projectHeld(
  selection: ObjectSelection,
  object: HeldObject,
  times: TimeForms,
  fallbacks: Fallbacks = NO_FALLBACKS,
): string {
  return writeMembers(
    selection.fields.map((field): [string, string] => {
      if (field.kind === 'typename') return [field.responseKey, JSON.stringify(selection.type.name)]
      if (field.kind !== 'field' || needsSource(field)) return [field.responseKey, 'null']
      const value = heldValueOf(field.field, object) ?? fallbacks(field.field, selection.type) ?? null
      return [field.responseKey, valueText(field.field, field.selection, value, times)]
    }),
  )
}

/**
 * Returns the value of a field in an object that a function returned. A field may have several possible keys; the first
 * one that the object has counts. `undefined`: it has none of them.
 */
export function heldValueOf(field: FieldModel, object: HeldObject): HeldValue | undefined {
  const key = documentKeys(field).find((name) => object.has(name))
  return key === undefined ? undefined : object.get(key)
}

/**
 * Converts a value that a function returned to the JSON of the response: a scalar, an object with its selected fields,
 * or a list of them.
 * @param of the field or mutation that the value belongs to
 * @param times convert stored times to the form of the response
 */
export function valueText(of: ValueType, selection: Selection, value: HeldValue | null, times: TimeForms): string {
  if (value === null) return 'null'
  if (selection === null) return leafText(of, value, times)
  const json = documentOf(value, `The value of "${of.name}"`)
  return json === null ? 'null' : objectsText(of, selection, json, times)
}

function objectsText(of: ValueType, selection: Exclude<Selection, null>, json: string, times: TimeForms): string {
  const { type } = of
  if (type.kind === 'list') {
    // A value that is neither a list nor an object stays unchanged, so that the completion of the answer rejects it.
    if (!isArrayText(json)) return json
    const items = readItems(json).map((item) => objectsText({ ...of, type: type.of }, selection, item, times))
    return `[${items.join(',')}]`
  }
  const object = membersOf(json)
  if (object === null) return json
  if (selection.kind === 'object') return projectHeld(selection, object, times)
  if (selection.kind !== 'abstract') return 'null'
  const name = stringOf(object.get('__typename')?.text) ?? ''
  const member = selection.possible.get(name)
  if (member === undefined) return JSON.stringify(UNKNOWN_TYPE + name)
  return member.denied === undefined ? projectHeld(member, object, times) : 'null'
}
