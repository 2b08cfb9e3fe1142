import type { Named } from './brand.ts'
import type { FieldsRecord } from './field.ts'
import { VALIDATE } from './field-options.ts'
import { declareWithFields, type FieldsElement } from './fields-element.ts'
import { apart, type OptionRule, text } from './options.ts'
import { placeAbove } from './place.ts'
import type { RuleSource } from './rules.ts'
import type { ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/** Options of the decorator `@input` and the function `input()`. */
export interface InputOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  /** Validation rules over several fields of the input: `{ oneOf: ['email', 'phone'] }`. */
  readonly validate?: RuleSource
}

/** Second argument of `input('CreateUser', …)`: the fields and options of the input type. */
export interface InputDefinition extends Omit<InputOptions, 'name'> {
  readonly fields: FieldsRecord
}

/** The object that `input('CreateUser', …)` returns, with the declared fields. */
export type InputHandle<Fields extends FieldsRecord = FieldsRecord> = Named<'input'> & { readonly fields: Fields }

const INPUT_RULES = {
  name: apart,
  description: text('description'),
  validate: VALIDATE,
} satisfies Record<keyof Required<InputOptions>, OptionRule>

/** What `input()` adds to the common declaration of types with fields: its list in `schema.json` and its options. */
export const INPUT: FieldsElement = {
  kind: 'input',
  collection: 'input_types',
  word: 'input',
  fields: 'input',
  rules: INPUT_RULES,
}

/**
 * Declares an input type: `@input class CreateUser`, or `input('CreateUser', { fields: { name: String } })`. Its fields
 * take the options `description`, `deprecated`, `default` and `validate`.
 */
export function input(target: ClassSource, context: ClassDecoratorContext): void
export function input(options?: InputOptions): ClassMark
export function input<Fields extends FieldsRecord>(
  name: string,
  definition: InputDefinition & { readonly fields: Fields },
): InputHandle<Fields>
export function input(first?: unknown, second?: unknown): unknown {
  return declareWithFields(INPUT, first, second, placeAbove(input))
}
