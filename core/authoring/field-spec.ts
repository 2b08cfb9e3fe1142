import type { SourceLocation } from '../schema/authored.ts'
import type { FieldOptions } from './field-options.ts'
import type { Rule } from './rules.ts'

/** A field as the author declared it with `field()`, before it is converted to an entry of `schema.json`. */
export interface FieldSpec {
  readonly source: unknown
  readonly options: FieldOptions | undefined
  readonly place: SourceLocation
  /**
   * Decorator metadata of the class, where other decorators of the same member store their keys. Absent: the field was
   * declared by a plain function.
   */
  readonly metadata?: object
  /** Validation rules from `@validate` decorators of the field. */
  readonly rules?: readonly Rule[]
  /** Position among all declarations in source order, as `takeOrder()` assigned it. */
  readonly order: number
}

/** The kinds of class members that `@field` can decorate: `name!: string`, `accessor name`, `get name()`. */
export type FieldContext<Value = unknown> =
  | ClassFieldDecoratorContext<unknown, Value>
  | ClassAccessorDecoratorContext<unknown, Value>
  | ClassGetterDecoratorContext<unknown, Value>
