import type { SvcError } from '../errors/svc-error.ts'
import type { Setting } from './setting.ts'

/**
 * The third argument of an `authorize` hook. It restricts what an operation returns; a throw denies the whole operation instead.
 * Calls are valid until the hook returns or its promise settles. Restrictions of several hooks add up
 * (docs/guides/write-a-plugin.md#who-sees-what-access).
 */
export interface AccessControl {
  /**
   * Masks a field or a type for this request: null in its place, with this error, wherever it is reached; closed in `where` and
   * `orderBy`. A field that may not be null takes its object along.
   * @param target `User.email`, `User`; of an interface or union it means every type that belongs to it. `node:User`: the rows
   * of a relay type that the root `node` gives, and they alone
   * @param error default: FORBIDDEN
   * @throws SvcError SVC_ACCESS_INVALID: there is no such field or type
   */
  deny(target: string, error?: SvcError, options?: DenyOptions): void
  /**
   * The same of many at once that were put together before, by `denialSet`: costs nothing per field.
   * @throws SvcError SVC_ACCESS_INVALID: it was made for another schema
   */
  deny(set: DenialSet): void
  /**
   * Shows something else in the place of a field's value, on every way in: the caller gets what `transform` makes of it and
   * never the value. In filters, orders, searches, keys, cursors, groups and numbers the field is closed as if it were denied.
   * What several hooks say is applied in their order; `deny` wins.
   * @param target `User.email`: a scalar or enum, or a list of such; of an interface it means the field of every type of it
   * @param transform make it once, not per request: plans and cached answers are kept per function
   * @throws SvcError SVC_ACCESS_INVALID: there is no such field, it holds objects, or the transform is no function
   */
  mask(target: string, transform: MaskTransform, error?: SvcError): void
  /**
   * Rows of the type that do not fulfil the condition do not exist for this request, whichever way they are reached.
   * @param condition a filter as in the argument `where` of the type's lists, or SQL by `rowFilter`
   * @throws SvcError SVC_ACCESS_INVALID: no such type or field, no condition; UNAUTHENTICATED, FORBIDDEN: a value in it is
   * undefined or null, as that of a claim that is not there
   */
  where(type: string, condition: FilterTree | RowFilter): void
  /**
   * A session variable for the statements of this request: transaction-local, on their own connection.
   * @param name `app.tenant_id`
   * @throws SvcError SVC_ACCESS_INVALID: that is no name, no value, or has another value already; UNAUTHENTICATED,
   * FORBIDDEN: the value is undefined or null
   */
  set(name: string, value: SettingValue): void
}

export interface DenyOptions {
  /**
   * Of a field, a scalar or enum that may be null: rows that fulfil it keep their value, the others answer null, without an
   * error, as if nothing were stored. In filters, orders and numbers the field is closed like every denied one. Several hooks that
   * deny a field so: all of it has to be fulfilled.
   */
  readonly unless?: FilterTree
  /** `reject`: an operation that selects it fails as a whole. Default `mask`. */
  readonly onDeny?: 'mask' | 'reject'
}

/**
 * Makes what a caller is shown out of a value, as answers have it: a Decimal and a BigInt are strings, a time is ISO text. It is
 * called for each value and item but null, and never for a row that a rule hides. What it gives has to be a value of the
 * field's type; where it is none, throws or gives a promise, the field is null with an error and the value is shown to nobody.
 */
export type MaskTransform = (value: unknown) => unknown

/** One thing that is denied, as `access.deny` is told of it. */
export interface DenialOf {
  readonly target: string
  readonly error: SvcError
  readonly onDeny?: 'mask' | 'reject'
}

declare const DENIALS: unique symbol

/** What is denied to everybody who has the same rights. Made by `denialSet`, once per schema. */
export interface DenialSet {
  readonly [DENIALS]: true
}

/** `{ owner: { _eq: 'ann' }, _or: [ … ] }`: names as on the wire, operators as in `where`. */
export type FilterTree = { readonly [key: string]: unknown }

declare const ROW_FILTER: unique symbol

/** A condition in SQL. Made by `rowFilter` alone, so that no data can pass for one. */
export interface RowFilter {
  readonly [ROW_FILTER]: true
}

/** A list travels as one parameter: `= ANY({teams})`. */
export type RowFilterValue = Scalar | readonly Scalar[] | null | undefined
type Scalar = string | number | bigint | boolean
export type SettingValue = Scalar | null | undefined

/** What authorize decided about one run of an operation. Immutable. */
export interface Access {
  /** By `Type` and `Type.field` (wire names) of object types, and `node:Type`. */
  readonly denied: ReadonlyMap<string, Denial>
  /** By name of an object type. All of them hold. */
  readonly conditions: ReadonlyMap<string, readonly RowCondition[]>
  /**
   * What the conditions compare with: by name of the type, in the order of its conditions. By target: the rows that keep the
   * value of a denied field.
   */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Session variables, each name once. */
  readonly settings: readonly Setting[]
  /** What plans depend on: what is denied, and the conditions without their values. Empty = nothing. */
  readonly variant: string
  /**
   * Equal for those who see the same, and for nobody else: {@link variant}, the values, errors and settings. Part of the key of
   * whatever is kept of a result or shared.
   */
  readonly key: string
}

export interface Denial {
  /** `User.email`, `User`. */
  readonly target: string
  readonly error: SvcError
  readonly reject: boolean
  /** Rows that fulfil what `Access.values` has under the target keep their value. */
  readonly unless?: true
  /** The value is shown as these make it, one after the other. */
  readonly masks?: readonly MaskTransform[]
}

/** A condition without its values. */
export type RowCondition = { readonly kind: 'filter' } | { readonly kind: 'authored'; readonly text: string }
