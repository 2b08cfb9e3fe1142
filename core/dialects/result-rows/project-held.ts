import type { ObjectSelection, Selection } from '../../contract/operation.ts'
import { isArrayText, readItems, stringOf, writeMembers } from '../../engine/json/json-text.ts'
import { documentKeys } from '../../engine/plan/rows/document-keys.ts'
import type { FieldModel, ObjectType } from '../../schema/model.ts'
import { needsSource } from '../needs-source.ts'
import { documentOf, type HeldObject, type HeldValue, membersOf } from './held-value.ts'
import { leafText, type TimeForms, type ValueType } from './leaf-text.ts'

/** Returns the value of a field whose keys the object lacks; `undefined`: there is no such value. */
export type Fallbacks = (field: FieldModel, type: ObjectType) => HeldValue | null | undefined

const NO_FALLBACKS: Fallbacks = () => undefined

/** Writes the selected fields of an object as JSON text, in the order of the selection. */
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
 * Returns the value of a field, under the first of the field's possible keys that the object has; `undefined`: the
 * object has none of these keys.
 */
export function heldValueOf(field: FieldModel, object: HeldObject): HeldValue | undefined {
  const key = documentKeys(field).find((name) => object.has(name))
  return key === undefined ? undefined : object.get(key)
}

/** Writes a value with its selected fields as JSON text. */
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
  const member = selection.possible.get(stringOf(object.get('__typename')?.text) ?? '')
  return member === undefined || member.denied !== undefined ? 'null' : projectHeld(member, object, times)
}
