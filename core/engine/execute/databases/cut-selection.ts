import type {
  EdgeMember,
  FieldSelection,
  ObjectSelection,
  SelectedRelation,
  Selection,
  WrapperField,
} from '../../../contract/operation.ts'
import { isAcross } from '../../../schema/link/link-fields.ts'
import type { FieldModel, SchemaModel } from '../../../schema/model.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'

/**
 * A selected relation to rows of another database. The statement of the first database returns in its position the key
 * of the related rows; a later statement reads the rows by this key.
 */
export interface Link {
  /**
   * Name (`@0`) under which the first statement returns the key of the related rows. It cannot collide with a response
   * key of a client. In the statement that reads the rows, the root field has the same name.
   */
  readonly key: string
  readonly relation: SelectedRelation
  /** Response keys from the root field to the relation, without list indexes. */
  readonly path: readonly string[]
}

/**
 * Positions of relations to other databases in a response, as a tree: for each response key, the relation, or the
 * positions below that key.
 */
export type Places = ReadonlyMap<string, Link | Places>

/**
 * Rewrites a selection for one database: each relation to another database becomes a field that reads the key of the
 * related rows.
 */
export class SelectionCutter {
  /** Replaced relations, in the order of the document. */
  readonly links: Link[] = []
  readonly #schema: SchemaModel

  constructor(schema: SchemaModel) {
    this.#schema = schema
  }

  /** Replaces the relations in a selection. @returns the same selection, with `places` empty, when there are none */
  cut<T extends Selection>(selection: T, path: readonly string[], places: Map<string, Link | Places>): T {
    if (selection === null) return selection
    switch (selection.kind) {
      case 'object':
        return this.#object(selection, path, places) as T
      case 'abstract': {
        const members = [...selection.possible].map(
          ([name, member]) => [name, this.#object(member, path, places)] as const,
        )
        return places.size === 0 ? selection : { ...selection, possible: new Map(members) }
      }
      default: {
        const fields = selection.fields.map((field) => this.#wrapper(field, path, places))
        return places.size === 0 ? selection : { ...selection, fields }
      }
    }
  }

  #object(selection: ObjectSelection, path: readonly string[], places: Map<string, Link | Places>): ObjectSelection {
    const fields = selection.fields.map((field) => this.#field(field, path, places))
    return fields.every((field, index) => field === selection.fields[index]) ? selection : { ...selection, fields }
  }

  #field(field: FieldSelection, path: readonly string[], places: Map<string, Link | Places>): FieldSelection {
    if (field.kind !== 'field' || field.selection === null) return field
    const { responseKey } = field
    const at = [...path, responseKey]
    if (isAcross(field.field.read)) {
      const link = { key: `@${this.links.length}`, relation: field, path: at }
      this.links.push(link)
      places.set(link.key, link)
      return {
        kind: 'field',
        responseKey: link.key,
        field: keyField(field, this.#schema),
        arguments: [],
        selection: null,
        location: field.location,
      }
    }
    const cut = this.#below(responseKey, field.selection, at, places)
    return cut === field.selection ? field : { ...field, selection: cut }
  }

  #wrapper(field: WrapperField, path: readonly string[], places: Map<string, Link | Places>): WrapperField {
    const { responseKey } = field
    const at = [...path, responseKey]
    if (field.field === 'items') {
      return { ...field, selection: this.#below(responseKey, field.selection, at, places) }
    }
    if (field.field !== 'edges') return field
    const inner = new Map<string, Link | Places>()
    const members = field.members.map((member): EdgeMember => {
      if (member.name !== 'node') return member
      const selection = this.#below(member.responseKey, member.selection, [...at, member.responseKey], inner)
      return { ...member, selection }
    })
    if (inner.size === 0) return field
    places.set(responseKey, inner)
    return { ...field, members }
  }

  /** Cuts a nested selection. Types of a union may share a response key, with different links below it. */
  #below<T extends Selection>(
    key: string,
    selection: T,
    path: readonly string[],
    places: Map<string, Link | Places>,
  ): T {
    const inner = new Map<string, Link | Places>()
    const cut = this.cut(selection, path, inner)
    const known = places.get(key)
    if (inner.size > 0) places.set(key, known === undefined ? inner : merge(known as Places, inner))
    return cut
  }
}

function merge(one: Places, other: Places): Places {
  const merged = new Map(one)
  for (const [key, place] of other) {
    const known = merged.get(key)
    merged.set(key, known === undefined ? place : merge(known as Places, place as Places))
  }
  return merged
}

const TEXT: TypeRef = { kind: 'named', name: 'ID', nullable: true }

/** Returns a field that reads the key of a relation as text, by which the other database finds its rows. */
function keyField({ field }: SelectedRelation, schema: SchemaModel): FieldModel {
  const { read } = field
  const named = schema.types.get('ID')
  if (read?.from !== 'relation' || named === undefined) throw new Error(`${field.name} is no relation`)
  const { from_column: name, from_document: document, column_type } = read
  return {
    ...field,
    name,
    wireName: name,
    type: TEXT,
    named,
    list: false,
    read:
      document === undefined
        ? { from: 'column', column: name, column_type, not_null: false }
        : { from: 'document', document, key: name },
  }
}
