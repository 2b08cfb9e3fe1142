import type { FieldModel, ObjectType } from '../schema/model.ts'
import type { MaskTransform } from './access.ts'
import type { AggregateOf } from './aggregate-of.ts'
import type { ArgumentNode, Location } from './value-node.ts'

/**
 * Selection of a field. `null`: the field is a leaf. Object types have one list of fields; interfaces and unions have one list for each
 * possible object type.
 */
export type Selection = ObjectSelection | AbstractSelection | WrapperSelection | null

export interface ObjectSelection {
  readonly kind: 'object'
  readonly type: ObjectType
  readonly fields: readonly FieldSelection[]
  /** For a type of an interface or union: the target that authorize denied. Rows of the type are hidden. */
  readonly denied?: string
}

export interface AbstractSelection {
  readonly kind: 'abstract'
  /** Selections by name of the object type. Every possible type has an entry, if necessary without fields. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
}

/**
 * Selection of a generated wrapper type, `{Type}Connection` (relay) or `{Type}List` (`total_count`): its fields in response order.
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
