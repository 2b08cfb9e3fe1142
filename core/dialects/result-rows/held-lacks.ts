import type { FieldSelection, ObjectSelection, Selection } from '../../contract/operation.ts'
import { isArrayText, readItems } from '../../engine/json/json-text.ts'
import { documentKeys } from '../../engine/plan/rows/document-keys.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import { needsSource } from '../needs-source.ts'
import { type HeldObject, membersOf } from './held-value.ts'

type SelectedField = Extract<FieldSelection, { kind: 'field' }>

/**
 * Does an object lack something of a selection, so that it has to be read from its source? What no source has cannot be
 * read from there either: it is not lacking, it is null.
 */
export function lacksSome(selection: ObjectSelection, object: HeldObject): boolean {
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

/** What is neither object nor list has nothing below it that could be lacking. */
function holdsValue(type: TypeRef, selection: Selection, json: string): boolean {
  if (selection === null || selection.kind !== 'object') return true
  if (type.kind === 'list') {
    return !isArrayText(json) || readItems(json).every((item) => holdsValue(type.of, selection, item))
  }
  const object = membersOf(json)
  if (object === null) return true
  return selection.fields.every((field) => field.kind !== 'field' || holds(field, object))
}
