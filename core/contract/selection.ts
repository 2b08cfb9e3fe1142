import type { FieldModel, ObjectType } from '../schema/model.ts'
import type { MaskTransform } from './access.ts'
import type { AggregateOf } from './aggregate-of.ts'
import type { ArgumentNode, Location } from './value-node.ts'

/**
 * The subfields that an operation selects of a field. An object type has one list of fields, an interface or union one
 * per object type. `null`: the field is a scalar or enum, which has no subfields.
 */
export type Selection = ObjectSelection | AbstractSelection | WrapperSelection | null

export interface ObjectSelection {
  readonly kind: 'object'
  readonly type: ObjectType
  readonly fields: readonly FieldSelection[]
  /** Set on a member of an interface or union: the type that `authorize` denied. Rows of the type are hidden. */
  readonly denied?: string
}

export interface AbstractSelection {
  readonly kind: 'abstract'
  /**
   * Selection on each object type of the interface or union, by type name. A type on which nothing is selected has an
   * entry without fields.
   */
  readonly possible: ReadonlyMap<string, ObjectSelection>
}

/**
 * Selection on a type that svc generates around a list: `{Type}Connection` (relay) or `{Type}List` (with total count).
 */
export interface WrapperSelection {
  readonly kind: 'connection' | 'list'
  readonly typeName: string
  readonly fields: readonly WrapperField[]
}

export type WrapperField =
  | { readonly field: '__typename' | 'totalCount'; readonly responseKey: string }
  /** `members`: fields of `PageInfo`, in response order. */
  | {
      readonly field: 'pageInfo'
      readonly responseKey: string
      readonly members: readonly { readonly name: string; readonly responseKey: string }[]
    }
  | { readonly field: 'edges'; readonly responseKey: string; readonly members: readonly EdgeMember[] }
  | { readonly field: 'items'; readonly responseKey: string; readonly selection: Selection }

export type EdgeMember =
  | { readonly name: 'cursor' | '__typename'; readonly responseKey: string }
  | { readonly name: 'node'; readonly responseKey: string; readonly selection: Selection }

export type FieldSelection =
  | { readonly kind: 'typename'; readonly responseKey: string }
  /** Null, because authorize denied the target. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly field: FieldModel; readonly target: string }
  | {
      readonly kind: 'field'
      readonly responseKey: string
      readonly field: FieldModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      /** Target in `Access.values`: the field is null in rows that do not satisfy its filter. */
      readonly unless?: string
      /** Transforms of a masked value, applied in order. */
      readonly masks?: readonly MaskTransform[]
      /** The client did not select the field by name. If it is denied, it is omitted without an error. */
      readonly optional?: true | undefined
      /** The value is used and not shown. A field that is masked, or denied in some rows, is denied in all rows. */
      readonly unmasked?: true | undefined
    }
  /** Aggregates over the rows of a to-many relation. Always nullable. */
  | ({
      readonly kind: 'aggregate'
      readonly responseKey: string
      /** The relation. */
      readonly field: FieldModel
      readonly location: Location | null
      /** Target that authorize denied: the answer is null. */
      readonly denied?: string
    } & AggregateOf)
