import type { FieldsRecord } from './field.ts'
import { declareWithFields, type FieldsElement } from './fields-element.ts'
import { apart, extra, type OptionRule, text } from './options.ts'
import { placeAbove } from './place.ts'
import { type ClassMark, interfaceNames, type TypeHandle, type TypeOptions } from './type.ts'
import type { ClassSource } from './type-source.ts'

/** Options of the decorator `@error` and the function `error()`, which declare a typed error. */
export type ErrorOptions = Pick<TypeOptions, 'name' | 'description' | 'implements' | 'extra'>

/** Second argument of `error('OutOfStock', …)`: the fields and options of the error type. */
export interface ErrorDefinition extends Omit<ErrorOptions, 'name'> {
  readonly fields: FieldsRecord
}

/** The object that `error('OutOfStock', …)` returns; an error type is an object type with fields. */
export type ErrorHandle<Fields extends FieldsRecord = FieldsRecord> = TypeHandle<Fields>

const ERROR_RULES = {
  name: apart,
  description: text('description'),
  implements: interfaceNames('implements'),
  extra,
} satisfies Record<keyof Required<ErrorOptions>, OptionRule>

/**
 * What `error()` adds to the common declaration of types with fields: its list in `schema.json`, its options, and fixed
 * keys.
 */
export const ERROR: FieldsElement = {
  kind: 'type',
  collection: 'types',
  word: 'error',
  fields: 'output',
  rules: ERROR_RULES,
  fixed: { is_error: true },
}

/**
 * Declares a typed error: `@error class OutOfStock { @field(String) message!: string }`, or
 * `error('OutOfStock', { fields: { message: String } })`. A mutation whose result is a union with this type returns a
 * failed status as data: the fields come from `metadata`, besides `code`, `message` and `status`
 * (docs/guides/mutations.md#errors-as-data).
 */
export function error(target: ClassSource, context: ClassDecoratorContext): void
export function error(options?: ErrorOptions): ClassMark
export function error<Fields extends FieldsRecord>(
  name: string,
  definition: ErrorDefinition & { readonly fields: Fields },
): ErrorHandle<Fields>
export function error(first?: unknown, second?: unknown): unknown {
  return declareWithFields(ERROR, first, second, placeAbove(error))
}
