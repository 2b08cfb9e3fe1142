import type { SourceLocation } from '../schema/authored.ts'
import type { FieldOptions } from './field-options.ts'
import type { Rule } from './rules.ts'

/** What a field was declared with. */
export interface FieldSpec {
  readonly source: unknown
  readonly options: FieldOptions | undefined
  readonly place: SourceLocation
  /** Of its class, when it is a decorator: what other decorators of the member left there. */
  readonly metadata?: object
  /** Those of `@validate`. */
  readonly rules?: readonly Rule[]
  /** Where it stands among the others. */
  readonly order: number
}

/** What decorator contexts a field stands on: `name!: string`, `accessor name`, `get name()`. */
export type FieldContext<Value = unknown> =
  | ClassFieldDecoratorContext<unknown, Value>
  | ClassAccessorDecoratorContext<unknown, Value>
  | ClassGetterDecoratorContext<unknown, Value>
