import type { SourceLocation } from '../schema/authored.ts'
import type { FieldOptions } from './field-options.ts'
import type { Rule } from './rules.ts'

/** The declaration of a field. */
export interface FieldSpec {
  readonly source: unknown
  readonly options: FieldOptions | undefined
  readonly place: SourceLocation
  /**
   * Decorator metadata of the class, if a decorator declares the field. It holds the settings of other decorators of
   * the member.
   */
  readonly metadata?: object
  /** Rules of `@validate`. */
  readonly rules?: readonly Rule[]
  /** Number of the declaration, in source order. */
  readonly order: number
}

/** The decorator contexts of fields: `name!: string`, `accessor name`, `get name()`. */
export type FieldContext<Value = unknown> =
  | ClassFieldDecoratorContext<unknown, Value>
  | ClassAccessorDecoratorContext<unknown, Value>
  | ClassGetterDecoratorContext<unknown, Value>
