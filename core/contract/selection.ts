import type { FieldModel, ObjectType } from '../schema/model.ts'
import type { MaskTransform } from './access.ts'
import type { AggregateOf } from './aggregate-of.ts'
import type { ArgumentNode, Location } from './value-node.ts'

/**
 * What is selected below a field. `null`: the field is a leaf. Object types have one list of fields; interfaces and
 * unions have one list per possible concrete type.
 */
export type Selection = ObjectSelection | AbstractSelection | WrapperSelection | null

export interface ObjectSelection {
  readonly kind: 'object'
  readonly type: ObjectType
  readonly fields: readonly FieldSelection[]
  /** Of an interface or union: rows of the type are not shown. */
  readonly denied?: string
}

export interface AbstractSelection {
  readonly kind: 'abstract'
  /** By name of the concrete type; every member has an entry, perhaps with no fields. */
  readonly possible: ReadonlyMap<string, ObjectSelection>
}

/**
 * The generated wrappers: `{Type}Connection` (relay) and `{Type}List` (total_count). Their own fields in response
 * order; `nodes` is the selection of the wrapped rows.
 */
export interface WrapperSelection {
  readonly kind: 'connection' | 'list'
  readonly typeName: string
  readonly fields: readonly WrapperField[]
}

export type WrapperField =
  | { readonly field: '__typename' | 'totalCount'; readonly responseKey: string }
  /** `PageInfo` members and `__typename`, in response order. */
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
  /** Null, whatever is stored: what authorize denied. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly field: FieldModel; readonly target: string }
  | {
      readonly kind: 'field'
      readonly responseKey: string
      readonly field: FieldModel
      readonly arguments: readonly ArgumentNode[]
      readonly selection: Selection
      readonly location: Location | null
      /** Null in rows that do not fulfil what authorize said under this target. */
      readonly unless?: string
      /** The value is shown as these make it, one after the other. */
      readonly masks?: readonly MaskTransform[]
      /** Nobody asked for it by name: where it is denied it is left out, without an error. */
      readonly optional?: true | undefined
      /** The value is used, not shown: one that is masked, or is in some rows, is denied in all, so that nothing else is taken for it. */
      readonly unmasked?: true | undefined
    }
  /** Numbers about the rows that a relation to many leads to. May always be null. */
  | ({
      readonly kind: 'aggregate'
      readonly responseKey: string
      /** The relation. */
      readonly field: FieldModel
      readonly location: Location | null
      /** Answered with null: what authorize denied. */
      readonly denied?: string
    } & AggregateOf)
