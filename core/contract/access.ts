import type { SvcError } from '../base/errors/svc-error.ts'
import type { Setting } from './setting.ts'

/**
 * The third argument of an `authorize` hook. It restricts what an operation returns; a throw denies the whole operation instead.
 * Calls are valid until the hook returns or its promise settles. Restrictions of several hooks add up
 * (docs/guides/write-a-plugin.md#who-sees-what-access).
 */
export interface AccessControl {
  /**
   * Denies a field or a type for this request. A denied field is null in the response, with an error; its use in
   * `where` and `orderBy` is an error. A denied non-null field makes its object null, as in GraphQL.
   * @param target `User.email` or `User`. Of an interface or union it denies all its types. `node:User` denies the rows
   * of a relay type at the root field `node` alone
   * @param error error of the field; default: FORBIDDEN
   * @throws SvcError SVC_ACCESS_INVALID: unknown field or type
   */
  deny(target: string, error?: SvcError, options?: DenyOptions): void
  /**
   * Denies all targets of a set, which `denialSet` creates once. The call costs the same for sets of any size.
   * @throws SvcError SVC_ACCESS_INVALID: the set was made for another schema
   */
  deny(set: DenialSet): void
  /**
   * Masks a field for this request: all fronts show the result of `transform` instead of the value. Like a denied field, it cannot be used
   * in filters, orders, searches, keys, cursors, groups and aggregates. Transforms of several hooks apply in their order; `deny` wins.
   * @param target `User.email`: a scalar, an enum, or a list of these. Of an interface it masks the field of all its types
   * @param transform create it once and not per request, because plans and cached answers belong to the function
   * @throws SvcError SVC_ACCESS_INVALID: unknown field, a field of objects, or `transform` is no function
   */
  mask(target: string, transform: MaskTransform, error?: SvcError): void
  /**
   * Hides rows of a type for this request, wherever they are reached, unless they satisfy the condition.
   * @param condition a filter as in the argument `where` of the type's lists, or SQL made by `rowFilter`
   * @throws SvcError SVC_ACCESS_INVALID: unknown type or field, invalid condition; UNAUTHENTICATED, FORBIDDEN: a value in the condition is
   *   undefined or null, such as an absent claim
   */
  where(type: string, condition: FilterTree | RowFilter): void
  /**
   * Sets a session variable for the statements of this request. It is local to their transaction.
   * @param name such as `app.tenant_id`
   * @throws SvcError SVC_ACCESS_INVALID: invalid name or value, or a second value for one name; UNAUTHENTICATED, FORBIDDEN: the value is
   *   undefined or null
   */
  set(name: string, value: SettingValue): void
}

export interface DenyOptions {
  /**
   * Rows that satisfy this filter keep their value; other rows have null without an error. Only for nullable scalar and
   * enum fields. In filters, orders and aggregates the field is denied in all rows. If several hooks set filters, a row
   * must satisfy all of them.
   */
  readonly unless?: FilterTree
  /**
   * Effect on operations that select the field. `reject`: the operation fails as a whole. Default `mask`: the field is
   * null.
   */
  readonly onDeny?: 'mask' | 'reject'
}

/**
 * Computes the masked value from a value in its wire form: Decimal and BigInt are strings, times are ISO 8601 texts. It is called for each
 * non-null value or list item of visible rows. The result must be a value of the field's type. If it is not, or when the function throws
 * or returns a promise, the field is null with an error.
 */
export type MaskTransform = (value: unknown) => unknown

/** A denial, as an entry for `denialSet`. Members as in `access.deny`. */
export interface DenialOf {
  readonly target: string
  readonly error: SvcError
  readonly onDeny?: 'mask' | 'reject'
}

declare const DENIALS: unique symbol

/** Denials for all callers with the same rights. Made by `denialSet`, once for each schema. */
export interface DenialSet {
  readonly [DENIALS]: true
}

/** A filter: `{ owner: { _eq: 'ann' }, _or: [ … ] }`, with wire names and the operators of `where`. */
export type FilterTree = { readonly [key: string]: unknown }

declare const ROW_FILTER: unique symbol

/** A condition in SQL. Only `rowFilter` creates it, so that data from clients cannot be taken for one. */
export interface RowFilter {
  readonly [ROW_FILTER]: true
}

/** Value of a placeholder of a `RowFilter`. A list is one parameter: `= ANY({teams})`. */
export type RowFilterValue = Scalar | readonly Scalar[] | null | undefined
type Scalar = string | number | bigint | boolean
export type SettingValue = Scalar | null | undefined

/** Restrictions from the authorize hooks for one run of an operation. Immutable. */
export interface Access {
  /** Denials by `Type` and `Type.field` (wire names) of object types, and by `node:Type`. */
  readonly denied: ReadonlyMap<string, Denial>
  /** Row conditions by name of an object type. A row must satisfy all of them. */
  readonly conditions: ReadonlyMap<string, readonly RowCondition[]>
  /**
   * Values of the conditions. Under the name of a type, in the order of its conditions; under the target of a denied field, the filter of
   * `unless`.
   */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Session variables. Names are unique. */
  readonly settings: readonly Setting[]
  /**
   * Key for the restrictions that change the plan: denials, and row conditions without their values. Empty: no
   * restrictions.
   */
  readonly variant: string
  /**
   * Cache key part that is equal only for callers who see the same data. It includes {@link variant}, values, errors
   * and settings.
   */
  readonly key: string
}

export interface Denial {
  /** Denied field or type: `User.email` or `User`. */
  readonly target: string
  readonly error: SvcError
  /** The denial fails the whole operation. */
  readonly reject: boolean
  /** Rows that satisfy the filter in `Access.values` keep the value of the field. */
  readonly unless?: true
  /** The field is masked, not denied: these transforms apply in order. */
  readonly masks?: readonly MaskTransform[]
}

/** A row condition in the form that plans depend on: the values of the condition are not included. */
export type RowCondition = { readonly kind: 'filter' } | { readonly kind: 'authored'; readonly text: string }
