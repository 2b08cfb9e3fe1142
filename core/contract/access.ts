import type { SvcError } from '../base/errors/svc-error.ts'
import type { Setting } from './setting.ts'

/**
 * The third argument of an `authorize` hook. Its methods restrict what one operation may return or reach; to deny the
 * whole operation, the hook throws. The methods may be called until the hook returns or its promise settles.
 * Restrictions of several hooks add up (docs/guides/write-a-plugin.md#who-sees-what-access).
 */
export interface AccessControl {
  /**
   * Denies a field or a type for this request. A denied field is null in the response, with an error; its use in
   * `where` and `orderBy` is an error. A denied non-null field makes its object null, as in GraphQL.
   * @param target `User.email` or `User`. Of an interface or union it denies all its types. `node:User` denies access
   *   to rows of the type through the root field `node` only
   * @param error error of the field; default: FORBIDDEN
   * @throws SvcError SVC_ACCESS_INVALID: unknown field or type
   */
  deny(target: string, error?: SvcError, options?: DenyOptions): void
  /**
   * Denies all fields and types of a set made by `denialSet`. The size of the set does not affect the cost of the call.
   * @throws SvcError SVC_ACCESS_INVALID: the set was made for another schema
   */
  deny(set: DenialSet): void
  /**
   * Masks a field for this request: clients see the result of `transform` instead of the value. Like a denied field, it
   * cannot be used in filters, orders, searches, keys, cursors, groups and aggregates. If several hooks mask a field,
   * each transform gets the result of the previous one. `deny` has precedence.
   * @param target `User.email`: a scalar, an enum, or a list of these. Of an interface it masks the field of all its
   *   types
   * @param transform create it once and not per request, because plans and cached results are kept for the function
   * @param error error for a use that is not allowed, such as in a filter; default: FORBIDDEN
   * @throws SvcError SVC_ACCESS_INVALID: unknown field, a field of objects, or `transform` is no function
   */
  mask(target: string, transform: MaskTransform, error?: SvcError): void
  /**
   * Hides rows of a type from this request, wherever the operation reaches them, unless they satisfy the condition.
   * @param condition a filter as in the argument `where` of the type's lists, or SQL made by `rowFilter`
   * @throws SvcError SVC_ACCESS_INVALID: unknown type or field, invalid condition; UNAUTHENTICATED, FORBIDDEN: a value
   *   in the condition is undefined or null, such as an absent claim
   */
  where(type: string, condition: FilterTree | RowFilter): void
  /**
   * Sets a session variable of the database for the statements of this request. It ends with their transaction.
   * @param name such as `app.tenant_id`
   * @throws SvcError SVC_ACCESS_INVALID: invalid name or value, or a second value for one name; UNAUTHENTICATED,
   *   FORBIDDEN: the value is undefined or null
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
   * What happens to an operation that selects the field. `mask` (default): the field is null. `reject`: the operation
   * fails as a whole.
   */
  readonly onDeny?: 'mask' | 'reject'
}

/**
 * Computes the value that clients see instead of a masked one. It is called for each non-null value, or item of a list,
 * in the form of a JSON response: Decimal and BigInt are strings, times are ISO 8601 texts. The result must be a value
 * of the field's type. Otherwise, or when the function throws or returns a promise, the field is null with an error.
 */
export type MaskTransform = (value: unknown) => unknown

/**
 * An entry of a set of denials: an argument of `denialSet`. The members mean the same as the arguments of
 * `access.deny`.
 */
export interface DenialOf {
  readonly target: string
  readonly error: SvcError
  readonly onDeny?: 'mask' | 'reject'
}

declare const DENIALS: unique symbol

/**
 * A prepared set of denials, for a group of callers who lack the same rights. `denialSet` creates it once per schema,
 * and a hook passes it to `access.deny` in each request.
 */
export interface DenialSet {
  readonly [DENIALS]: true
}

/**
 * A filter in the form of the API's argument `where`, with field names as clients use them:
 * `{ owner: { _eq: 'ann' }, _or: [ … ] }`.
 */
export type FilterTree = { readonly [key: string]: unknown }

declare const ROW_FILTER: unique symbol

/**
 * A condition on rows in SQL, made by `rowFilter`. The type has no other source, so that data from clients cannot be
 * used as SQL.
 */
export interface RowFilter {
  readonly [ROW_FILTER]: true
}

/**
 * Value for a placeholder in the SQL of a `RowFilter`. A list is one parameter: `= ANY({teams})`. `undefined` and
 * `null` (an absent claim) deny the operation.
 */
export type RowFilterValue = Scalar | readonly Scalar[] | null | undefined
type Scalar = string | number | bigint | boolean
export type SettingValue = Scalar | null | undefined

/** The restrictions that all `authorize` hooks together put on one run of an operation. Immutable. */
export interface Access {
  /**
   * Denied and masked targets: `Type` and `Type.field` of object types, and `node:Type` for a type at the root field
   * `node`.
   */
  readonly denied: ReadonlyMap<string, Denial>
  /** Row conditions by name of the object type. A row is visible only if it satisfies all conditions of its type. */
  readonly conditions: ReadonlyMap<string, readonly RowCondition[]>
  /**
   * Values of the row conditions, for the parameters of the SQL. Key: the name of a type, with one value per condition
   * in the order of {@link conditions}; or a field with `unless` in its denial (`User.email`), with the values of these
   * filters.
   */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Session variables that the database gets for the statements of the operation. Each name occurs once. */
  readonly settings: readonly Setting[]
  /**
   * Text that is equal for two callers exactly if the same plan is correct for both. It is made of denials and of row
   * conditions without their values. Empty: no restrictions.
   */
  readonly variant: string
  /**
   * Part of a cache key: equal for two callers only if they see the same data. It is derived from {@link variant},
   * values, errors and settings.
   */
  readonly key: string
}

export interface Denial {
  /** The denied type or field: `User`, `User.email`. */
  readonly target: string
  readonly error: SvcError
  /** `true`: selecting the field fails the whole operation. `false`: the field is null, with an error. */
  readonly reject: boolean
  /**
   * `true`: the field is denied only in rows that do not satisfy a filter. The filter is in `Access.values`, under
   * {@link target}.
   */
  readonly unless?: true
  /** Present when the field is masked and not denied: the functions that replace its value, in order. */
  readonly masks?: readonly MaskTransform[]
}

/**
 * A row condition without its values, as plans depend on it: `filter` is a filter tree, `authored` the SQL text of a
 * `RowFilter`. The values are in `Access.values`.
 */
export type RowCondition = { readonly kind: 'filter' } | { readonly kind: 'authored'; readonly text: string }
