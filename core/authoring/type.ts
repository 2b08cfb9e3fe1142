import { brandOf, type Named } from './brand.ts'
import type { FieldsRecord } from './field.ts'
import { declareWithFields, type FieldsElement } from './fields-element.ts'
import { withKeyOptions } from './key-options.ts'
import { injectMap } from './operation.ts'
import type { TypeKeyOptions } from './option-interfaces.ts'
import {
  apart,
  either,
  extra,
  flag,
  type OptionRule,
  oneOf,
  record,
  rule,
  text,
  textOrTexts,
  texts,
} from './options.ts'
import { placeAbove } from './place.ts'
import type { ClassSource } from './type-source.ts'

/** An interface that a type implements: its class, the result of `interface_()`, or its name. */
export type InterfaceSource = ClassSource | Named<'interface'> | string

/** Options of an object type (docs/reference/authoring.md#type). */
export interface TypeOptions extends TypeKeyOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  /** View or table that contains the rows of the type. */
  readonly sqlSource?: string
  /** Column that contains the row as a JSON document, if the view has the columns `id` and `data`. Default `data`. */
  readonly jsonbColumn?: string
  /**
   * Columns of the type's view or table that identify a row: `'sku'`, `['order_no', 'line_no']`. Relay pages are sorted
   * by them. Default: `pk_<entity>`, otherwise a unique key that svc finds in the database catalog.
   */
  readonly key?: string | readonly string[]
  readonly implements?: readonly InterfaceSource[]
  /**
   * `true`: the type implements the Relay interface `Node`, and its queries may have `relay: true`. The view needs a
   * column `pk_<entity>`, or the type the option `key`.
   */
  readonly relay?: boolean
  /**
   * `true`: the values of the type are part of the JSON document of another type, so the type has no view or table of
   * its own.
   */
  readonly embedded?: boolean
  /**
   * Name of the database in `[databases]` of svc.toml that contains the rows of the type. Default: the database of
   * `[database]`.
   */
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Role that a caller needs for every read of the type. Of a list, the caller needs one role. */
  readonly requiresRole?: string | readonly string[]
  readonly isError?: boolean
  /**
   * Limits every read of the type (queries, relations, filters across relations, `node`, results of mutations) to rows
   * whose column equals a claim of the caller's token: `{ tenant_id: 'jwt:tenant' }`.
   */
  readonly inject?: Readonly<Record<string, `jwt:${string}`>>
  /**
   * SQL condition on the columns of the type's view or table, which applies to every read of the type. Each `{name}`
   * placeholder is filled with the value of that name in the request's context.
   */
  readonly rowFilter?: string
  /**
   * `true`: rows can also be read through relations, results of mutations and `node`, where the rules of the type's
   * queries (`inject`, `rowFilter`) do not apply.
   */
  readonly open?: boolean
  /**
   * `true`: svc adds queries that aggregate the rows of the type, with all suitable functions and fields:
   * `postsAggregate { count }`, `postsGroups(groupBy: [author])`. An object limits the fields of each function:
   * `{ sum: ['total'], groupBy: ['country'] }`.
   */
  readonly aggregate?: boolean | AggregateFields
  /**
   * Keys of plugins for this type that have no option of their own, spelled as in `schema.json`:
   * `{ label: 'Customer' }`.
   */
  readonly extra?: Readonly<Record<string, unknown>>
}

/**
 * The fields that each aggregate function offers to clients. An absent function offers all suitable fields; `[]` offers
 * none.
 */
export interface AggregateFields {
  readonly groupBy?: readonly string[]
  readonly countDistinct?: readonly string[]
  readonly sum?: readonly string[]
  readonly avg?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
}

/** Second argument of `type('User', …)`: the fields and options of the type. */
export interface TypeDefinition extends Omit<TypeOptions, 'name'> {
  readonly fields: FieldsRecord
}

/** The object that `type('User', …)` returns, with the declared fields. */
export type TypeHandle<Fields extends FieldsRecord = FieldsRecord> = Named<'type'> & { readonly fields: Fields }

/**
 * Rule for an option that lists interfaces, such as `implements`. Converts each class or `interface_()` result to its
 * name.
 */
export const interfaceNames = rule(
  'interfaces',
  'a list of interfaces: classes, results of interface_(), or names',
  (value) => {
    if (!Array.isArray(value)) return undefined
    const names = value.map((one: unknown) => (typeof one === 'string' ? one : brandOf(one)?.name))
    return names.includes(undefined) ? undefined : names
  },
)

const AGGREGATE_RULES = {
  groupBy: texts('group_by'),
  countDistinct: texts('count_distinct'),
  sum: texts('sum'),
  avg: texts('avg'),
  min: texts('min'),
  max: texts('max'),
} satisfies Record<keyof Required<AggregateFields>, OptionRule>

/** Rule for the option `aggregate` of types and interfaces: `true`, `false`, or {@link AggregateFields}. */
export const aggregateOption = either(flag, record(AGGREGATE_RULES))('aggregate')

const TYPE_RULES = {
  name: apart,
  description: text('description'),
  sqlSource: text('sql_source'),
  jsonbColumn: text('jsonb_column'),
  key: textOrTexts('key'),
  implements: interfaceNames('implements'),
  relay: flag('relay'),
  embedded: flag('embedded'),
  database: text('database'),
  dataplane: oneOf('graphql', 'arrow')('dataplane'),
  requiresRole: textOrTexts('requires_role'),
  isError: flag('is_error'),
  inject: injectMap('inject'),
  rowFilter: text('row_filter'),
  open: flag('open'),
  aggregate: aggregateOption,
  extra,
} satisfies Record<Exclude<keyof TypeOptions, keyof TypeKeyOptions>, OptionRule>

/** What `type()` adds to the common declaration of types with fields: its list in `schema.json` and its options. */
export const TYPE: FieldsElement = {
  kind: 'type',
  collection: 'types',
  word: 'type',
  fields: 'output',
  rules: withKeyOptions(TYPE_RULES, ['type']),
}

/** The class decorator that `type()`, `union()` and others return. */
export type ClassMark = (target: ClassSource, context: ClassDecoratorContext) => void

/**
 * Declares an object type: `@type class Shelf`, `@type({ relay: true }) class User`, or
 * `type('User', { relay: true, fields: { id: ID } })`.
 */
export function type(target: ClassSource, context: ClassDecoratorContext): void
export function type(options?: TypeOptions): ClassMark
export function type<Fields extends FieldsRecord>(
  name: string,
  definition: TypeDefinition & { readonly fields: Fields },
): TypeHandle<Fields>
export function type(first?: unknown, second?: unknown): unknown {
  return declareWithFields(TYPE, first, second, placeAbove(type))
}
