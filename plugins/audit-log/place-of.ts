import { argumentsOf, keyArguments } from '../../core/doors/front.ts'
import {
  type FieldSelection,
  type ObjectSelection,
  type Operation,
  type RootSelection,
  rootName,
  type Selection,
} from '../../core/doors/plugin.ts'

/** The field that an audit event is about, in names of the schema instead of aliases of the client. */
export interface Place {
  readonly resource: string
  /** Type that has the field; for a root field, the type that it returns. `null`: several types, or unknown. */
  readonly entityType: string | null
  /**
   * Id of the row, from the arguments of the root field. `null`: these have no id, or the field belongs to another row.
   */
  readonly entityId: string | null
}

/**
 * Converts the path of an error in the response to the schema field that it is about, for audit events.
 * @param path aliases and list indexes from the root down
 */
export function placeOf({ template, variables }: Operation, path: readonly (string | number)[]): Place {
  const [first, ...keys] = path.filter((part) => typeof part === 'string')
  const root = template.roots.find(({ responseKey }) => responseKey === first)
  if (root === undefined) return { resource: '', entityType: null, entityId: null }
  const names = [rootName(root)]
  const types = [...objectsOf(selectionOf(root))].map(({ type }) => type.name)
  let entityType = types.length === 1 ? (types[0] as string) : null
  let at: Selection = selectionOf(root)
  for (const key of keys) {
    const step = stepInto(at, key)
    names.push(step?.name ?? key)
    entityType = step?.type ?? entityType
    at = step?.selection ?? null
  }
  return { resource: names.join('.'), entityType, entityId: keys.length < 2 ? idOf(root, variables) : null }
}

/**
 * Returns the fields of an operation that access rules hide without an error. `BY_ROW`: null in some rows. `MASKED`: a
 * function replaces the value.
 * @returns reasons by `Type.field`
 */
export function fieldsShownInPart(template: Operation['template']): ReadonlyMap<string, 'BY_ROW' | 'MASKED'> {
  const found = new Map<string, 'BY_ROW' | 'MASKED'>()
  for (const root of template.roots) {
    for (const { type, fields } of objectsWithin(selectionOf(root))) {
      for (const field of fields) {
        if (field.kind !== 'field') continue
        if (field.unless !== undefined) found.set(field.unless, 'BY_ROW')
        else if (field.masks !== undefined) found.set(`${type.name}.${field.field.wireName}`, 'MASKED')
      }
    }
  }
  return found
}

function idOf(root: RootSelection, variables: Operation['variables']): string | null {
  if (root.kind !== 'operation') return null
  const ids = keyArguments(root.operation, argumentsOf(root, variables))
  return ids.length === 0 ? null : ids.join(' ')
}

function selectionOf(root: RootSelection): Selection {
  return 'selection' in root ? root.selection : null
}

interface Step {
  readonly name: string
  readonly type?: string
  readonly selection: Selection
}

function stepInto(selection: Selection, key: string): Step | null {
  if (selection?.kind === 'connection' || selection?.kind === 'list') {
    const field = selection.fields.find(({ responseKey }) => responseKey === key)
    return field === undefined ? null : { name: field.field, selection: 'selection' in field ? field.selection : null }
  }
  for (const object of objectsOf(selection)) {
    const field = object.fields.find(({ responseKey }) => responseKey === key)
    if (field !== undefined && field.kind !== 'typename') {
      return { name: field.field.wireName, type: object.type.name, selection: below(field) }
    }
  }
  return null
}

function below(field: FieldSelection): Selection {
  return field.kind === 'field' ? field.selection : null
}

/** Returns the object selections of a selection, without nested ones. */
function objectsOf(selection: Selection): readonly ObjectSelection[] {
  if (selection === null) return []
  if (selection.kind === 'object') return [selection]
  if (selection.kind === 'abstract') return [...selection.possible.values()]
  return selection.fields.flatMap((field) => {
    if (field.field === 'items') return objectsOf(field.selection)
    if (field.field !== 'edges') return []
    return field.members.flatMap((member) => (member.name === 'node' ? objectsOf(member.selection) : []))
  })
}

/** Returns the object selections of a selection, including nested ones. */
function objectsWithin(selection: Selection): readonly ObjectSelection[] {
  return objectsOf(selection).flatMap((object) => [
    object,
    ...object.fields.flatMap((field) => objectsWithin(below(field))),
  ])
}
