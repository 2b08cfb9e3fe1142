import type { Named } from './brand.ts'
import type { FieldsRecord } from './field.ts'
import { declareWithFields, type FieldsElement } from './fields-element.ts'
import { withKeyOptions } from './key-options.ts'
import type { InterfaceKeyOptions } from './option-interfaces.ts'
import { apart, type OptionRule, text } from './options.ts'
import { placeAbove } from './place.ts'
import { type AggregateFields, aggregateOption, type ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/** Options of the decorator `@interface_` and the function `interface_()`. */
export interface InterfaceOptions extends InterfaceKeyOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  /** View that contains the rows of all types that implement the interface. */
  readonly sqlSource?: string
  /** Column of the view whose value is the name of the row's object type. Default `__typename`. */
  readonly typeColumn?: string
  /**
   * `true`: svc adds queries that aggregate the rows of all types that implement the interface. An object limits the
   * fields of each function.
   */
  readonly aggregate?: boolean | AggregateFields
}

/** Second argument of `interface_('Person', …)`: the fields and options of the interface. */
export interface InterfaceDefinition extends Omit<InterfaceOptions, 'name'> {
  readonly fields: FieldsRecord
}

/**
 * The object that `interface_('Person', …)` returns. Spread its `fields` into the types that implement the interface.
 */
export type InterfaceHandle<Fields extends FieldsRecord = FieldsRecord> = Named<'interface'> & {
  readonly fields: Fields
}

const INTERFACE_RULES = {
  name: apart,
  description: text('description'),
  sqlSource: text('sql_source'),
  typeColumn: text('type_column'),
  aggregate: aggregateOption,
} satisfies Record<Exclude<keyof InterfaceOptions, keyof InterfaceKeyOptions>, OptionRule>

/**
 * What `interface_()` adds to the common declaration of types with fields: its list in `schema.json` and its options.
 */
export const INTERFACE: FieldsElement = {
  kind: 'interface',
  collection: 'interfaces',
  word: 'interface_',
  fields: 'output',
  rules: withKeyOptions(INTERFACE_RULES, ['interface']),
}

/**
 * Declares an interface: `@interface_ class Person`, or `interface_('Person', { fields: { name: String } })`. A type
 * names it in `implements` and has its fields: `class Author extends Person`, or `...Person.fields`.
 */
export function interface_(target: ClassSource, context: ClassDecoratorContext): void
export function interface_(options?: InterfaceOptions): ClassMark
export function interface_<Fields extends FieldsRecord>(
  name: string,
  definition: InterfaceDefinition & { readonly fields: Fields },
): InterfaceHandle<Fields>
export function interface_(first?: unknown, second?: unknown): unknown {
  return declareWithFields(INTERFACE, first, second, placeAbove(interface_))
}
