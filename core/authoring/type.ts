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

/** An interface, as class, handle or name. */
export type InterfaceSource = ClassSource | Named<'interface'> | string

/** Options of an object type (docs/reference/authoring.md#type). */
export interface TypeOptions extends TypeKeyOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  /** View or table with the rows of the type. */
  readonly sqlSource?: string
  /** JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonbColumn?: string
  /**
   * Columns of its source that identify a row: `'sku'`, `['order_no', 'line_no']`. Pages of a relay type are sorted by them.
   * Default: `pk_<entity>`, otherwise a key that the catalog proves.
   */
  readonly key?: string | readonly string[]
  readonly implements?: readonly InterfaceSource[]
  /** Implements `Node`, and allows `relay: true` on queries. The view needs `pk_<entity>`, or the type a `key`. */
  readonly relay?: boolean
  /** Values of the type are stored in the document of a parent type, so the type has no source of its own. */
  readonly embedded?: boolean
  /** Name of the type's database in `[databases]` of svc.toml. Default: the database of `[database]`. */
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Role that every read of the type requires; one of them, if it is a list. */
  readonly requiresRole?: string | readonly string[]
  readonly isError?: boolean
  /**
   * Column → claim of the caller's token that the column must equal: `{ tenant_id: 'jwt:tenant' }`. Applies to every read of
   * the type: queries, relations, filters across relations, `node`, results of mutations.
   */
  readonly inject?: Readonly<Record<string, `jwt:${string}`>>
  /**
   * SQL condition on the columns of the type's source, with `{name}` placeholders filled from the request's context.
   * Applies to every read of the type.
   */
  readonly rowFilter?: string
  /**
   * Allows reads of the type's rows that bypass the rules of its queries (`inject`, `rowFilter`): through relations,
   * results of mutations, `node`.
   */
  readonly open?: boolean
  /**
   * Adds aggregate queries of its rows: `postsAggregate { count }`, `postsGroups(groupBy: [author])`. `true`: all functions of all suitable
   * fields. An object limits functions to fields: `{ sum: ['total'], groupBy: ['country'] }`.
   */
  readonly aggregate?: boolean | AggregateFields
  /** Keys of plugins, spelled as in schema.json: `{ label: 'Customer' }`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** The fields that each function applies to. An absent function applies to all suitable fields; `[]`: to none. */
export interface AggregateFields {
  readonly groupBy?: readonly string[]
  readonly countDistinct?: readonly string[]
  readonly sum?: readonly string[]
  readonly avg?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
}

/** Second argument of `type()` as a plain function: its fields and options. */
export interface TypeDefinition extends Omit<TypeOptions, 'name'> {
  readonly fields: FieldsRecord
}

/** The return value of `type()` as a plain function: a type and its fields. */
export type TypeHandle<Fields extends FieldsRecord = FieldsRecord> = Named<'type'> & { readonly fields: Fields }

/** Reads the names of interfaces. */
export const interfaceNames = rule('a list of interfaces: classes, results of interface_(), or names', (value) => {
  if (!Array.isArray(value)) return undefined
  const names = value.map((one: unknown) => (typeof one === 'string' ? one : brandOf(one)?.name))
  return names.includes(undefined) ? undefined : names
})

const AGGREGATE_RULES = {
  groupBy: texts('group_by'),
  countDistinct: texts('count_distinct'),
  sum: texts('sum'),
  avg: texts('avg'),
  min: texts('min'),
  max: texts('max'),
} satisfies Record<keyof Required<AggregateFields>, OptionRule>

/** The option `aggregate` of types and interfaces. */
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

const TYPE: FieldsElement = {
  kind: 'type',
  collection: 'types',
  word: 'type',
  fields: 'output',
  rules: withKeyOptions(TYPE_RULES, ['type']),
}

/** A standard class decorator. */
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
