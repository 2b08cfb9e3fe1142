import type {
  AggregateField,
  AggregateOf,
  FieldSelection,
  Measure,
  ObjectSelection,
  RootSelection,
  Selection,
} from '../../../contract/operation.ts'
import type { LeafRule } from '../../../contract/prepared-stream.ts'
import type { NamedType } from '../../../schema/model.ts'
import { answerOf } from '../../../schema/scalars.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'
import { leafRule } from '../../json/leaf-rule.ts'
import type { MemberShape, ValueShape } from '../../json/value-shape.ts'

const LEAF: ValueShape = { nullable: true, items: null, members: null, leaf: null, serialize: null, masks: null }

/**
 * Returns the form that the JSON of a root field must have, for checks of the response. @param type name of the root
 * type: `Query`, `Mutation`
 */
export function rootShape(root: RootSelection, type: string): MemberShape {
  if (root.kind === 'typename' || root.kind === 'literal') return { place: type, shape: LEAF, locations: undefined }
  const locations = root.location === null ? undefined : [root.location]
  if (root.kind === 'node') {
    return { place: `${type}.node`, shape: { ...LEAF, members: membersOf([root.selection]) }, locations }
  }
  if (root.kind === 'rows') {
    const item = { ...LEAF, members: membersOf([root.selection]) }
    return { place: `${type}.${root.responseKey}`, shape: { ...LEAF, items: item }, locations }
  }
  if (root.kind === 'related') {
    const { field, selection } = root.relation
    const each = { ...shapeOf(field.type, field.named, [selection]), nullable: true }
    return { place: `${type}.${field.wireName}`, shape: { ...LEAF, items: each }, locations }
  }
  if (root.kind === 'aggregate') {
    return { place: `${type}.${root.responseKey}`, shape: aggregateShape(root.operation.named, root), locations }
  }
  const { operation, selection } = root
  return {
    place: `${type}.${operation.wireName}`,
    shape: shapeOf(operation.type, operation.named, [selection]),
    locations,
  }
}

/** Returns the form that the JSON of a non-null object with this selection must have, for checks of the response. */
export function objectShape(selection: ObjectSelection): MemberShape {
  const shape = { ...LEAF, nullable: false, members: membersOf([selection]) }
  return { place: selection.type.name, shape, locations: undefined }
}

function aggregateShape({ name }: NamedType, { groupBy, fields }: AggregateOf): ValueShape {
  const object = { ...LEAF, nullable: false, members: aggregateMembers(name, fields) }
  return groupBy === null ? { ...object, nullable: true } : { ...LEAF, items: object }
}

function aggregateMembers(type: string, fields: readonly AggregateField[]): ReadonlyMap<string, MemberShape> {
  const members = new Map<string, MemberShape>()
  for (const field of fields) {
    const shape =
      field.kind === 'object'
        ? { ...LEAF, nullable: false, members: aggregateMembers(type, field.fields) }
        : field.kind === 'key'
          ? keyShape(field)
          : field.kind === 'measure'
            ? { ...LEAF, leaf: measureRule(field) }
            : LEAF
    const place = field.kind === 'key' || field.kind === 'measure' ? (field.field?.wireName ?? 'count') : field.kind
    members.set(field.responseKey, { place: `${type}.${place}`, shape, locations: undefined })
  }
  return members
}

/** Returns the shape of a group key. A period has a scalar type of its own. */
function keyShape({ field, period }: Extract<AggregateField, { kind: 'key' }>): ValueShape {
  if (period == null) return shapeOf(field.type, field.named, [null])
  return { ...LEAF, nullable: field.type.nullable }
}

/** Returns the rule for an aggregate. Exact sums may exceed the range of BigInt, and floats may be NaN or infinite. */
function measureRule({ function: measure, field }: Measure): LeafRule | null {
  if (field === null || measure === 'count' || measure === 'countDistinct') return null
  const isFloat = field.named.kind === 'scalar' && field.named.base === 'Float'
  return isFloat || measure === 'min' || measure === 'max' ? leafRule(field.named) : exactNumber
}

const exactNumber: LeafRule = (token) => (/^"-?\d/.test(token) ? token : null)

/**
 * Tests whether values of this form contain custom scalars or masks at any depth, so that svc must convert every
 * response.
 */
export function isRewritten(shape: ValueShape): boolean {
  if (shape.serialize !== null || shape.masks !== null) return true
  if (shape.items !== null) return isRewritten(shape.items)
  if (shape.members === null) return false
  for (const member of shape.members.values()) if (isRewritten(member.shape)) return true
  return false
}

/** Returns the shape of a field. Members of a union with the same response key contribute several selections to one shape. */
function shapeOf(
  type: TypeRef,
  named: NamedType,
  selections: readonly Selection[],
  masks: ValueShape['masks'] = null,
): ValueShape {
  const wrapped = selections[0]?.kind === 'connection' || selections[0]?.kind === 'list'
  if (type.kind === 'list' && !wrapped) {
    return {
      nullable: type.nullable,
      items: shapeOf(type.of, named, selections, masks),
      members: null,
      leaf: null,
      serialize: null,
      masks: null,
    }
  }
  const serialize =
    named.kind === 'scalar' && named.codec?.serialize !== undefined
      ? answerOf(named.name, 'serialize', named.codec.serialize)
      : null
  return {
    nullable: type.nullable,
    items: null,
    members: membersOf(selections),
    leaf: leafRule(named),
    serialize,
    masks,
  }
}

function membersOf(selections: readonly Selection[]): ReadonlyMap<string, MemberShape> | null {
  const objects: ObjectSelection[] = []
  for (const selection of selections) {
    if (selection === null) return null
    if (selection.kind === 'object') objects.push(selection)
    else if (selection.kind === 'abstract') objects.push(...selection.possible.values())
    else return wrapperMembers(selection)
  }
  const members = new Map<string, MemberShape>()
  const byKey = new Map<string, { type: string; field: Extract<FieldSelection, { kind: 'field' }> }[]>()
  for (const object of objects) {
    for (const field of object.fields) {
      if (field.kind === 'aggregate' && field.denied === undefined) {
        const place = `${object.type.name}.${field.responseKey}`
        const locations = field.location === null ? undefined : [field.location]
        members.set(field.responseKey, { place, shape: aggregateShape(field.field.named, field), locations })
      }
      if (field.kind !== 'field') continue
      const same = byKey.get(field.responseKey)
      if (same === undefined) byKey.set(field.responseKey, [{ type: object.type.name, field }])
      else same.push({ type: object.type.name, field })
    }
  }
  for (const [key, entries] of byKey) {
    const { type, field } = entries[0]!
    const shape = shapeOf(
      field.field.type,
      field.field.named,
      entries.map((entry) => entry.field.selection),
      masksOf(entries.map((entry) => entry.field)),
    )
    const locations = field.location === null ? undefined : [field.location]
    members.set(key, { place: `${type}.${field.field.wireName}`, shape, locations })
  }
  return members
}

/**
 * Merges the masks of fields with one response key. The JSON text does not tell the type of a row, so masks of all members of an interface
 * or union apply to each row.
 */
function masksOf(fields: readonly Extract<FieldSelection, { kind: 'field' }>[]): ValueShape['masks'] {
  const all = new Set(fields.flatMap(({ masks = [] }) => masks))
  return all.size === 0 ? null : [...all]
}

/** Shapes of connection and list wrappers: `edges: [Edge!]!`, `node: T!`, `items: [T!]!`. */
function wrapperMembers(selection: Extract<Selection, { kind: 'connection' | 'list' }>): Map<string, MemberShape> {
  const members = new Map<string, MemberShape>()
  const put = (key: string, place: string, shape: ValueShape) =>
    members.set(key, { place, shape, locations: undefined })
  for (const field of selection.fields) {
    const place = `${selection.typeName}.${field.field}`
    if (field.field === 'items') put(field.responseKey, place, listOf(membersOf([field.selection])))
    else if (field.field === 'edges') {
      const edge = new Map<string, MemberShape>()
      for (const member of field.members) {
        if (member.name !== 'node') continue
        const shape = { ...LEAF, nullable: false, members: membersOf([member.selection]) }
        const typeName = selection.typeName.replace(/Connection$/, 'Edge')
        edge.set(member.responseKey, { place: `${typeName}.node`, shape, locations: undefined })
      }
      put(field.responseKey, place, listOf(edge))
    }
  }
  return members
}

function listOf(members: ReadonlyMap<string, MemberShape> | null): ValueShape {
  return { ...LEAF, nullable: false, items: { ...LEAF, nullable: false, members } }
}
