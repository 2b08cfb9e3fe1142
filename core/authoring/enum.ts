import type { AuthoredEnumValue, SourceLocation } from '../schema/authored.ts'
import { type Named, namedHandle } from './brand.ts'
import { markClass } from './class-element.ts'
import { apart, isPlainObject, type OptionRule, readOptions, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare, type EmitScope } from './registry.ts'
import type { ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/**
 * One value in `enum_('Status', { DRAFT: … })`: its text in SQL, or an object with options, where `value` is the text
 * in SQL.
 */
export type EnumValue =
  | string
  | {
      /** The value in SQL. Default: the name. */
      readonly value?: string
      readonly description?: string
      readonly deprecated?: string
    }

/** Options of the decorator `@enum_` and the function `enum_()`. */
export interface EnumOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
}

/** The object that `enum_('Status', …)` returns. Its `values` map the value's name in GraphQL to the value in SQL. */
export type EnumHandle<Values> = Named<'enum'> & { readonly values: Values }

/** Conversion of the options of an enum to keys of `schema.json`, with a check of their values. */
export const ENUM_RULES = {
  name: apart,
  description: text('description'),
} satisfies Record<keyof Required<EnumOptions>, OptionRule>

/** Conversion of the options of a single value of an enum to keys of `schema.json`, with a check of their values. */
export const VALUE_RULES = { value: text('value'), description: text('description'), deprecated: text('deprecated') }

/**
 * Declares an enum, as a function or as a decorator of a class whose static members are the values:
 * `enum_('Status', { DRAFT: 'draft' })`, or `@enum_ class Status { static DRAFT = 'draft' }`. Clients of GraphQL and
 * REST use the key; SQL uses the assigned text.
 */
export function enum_(target: ClassSource, context: ClassDecoratorContext): void
export function enum_(options?: EnumOptions): ClassMark
export function enum_<const Values extends Readonly<Record<string, EnumValue>>>(
  name: string,
  values: Values,
  options?: Omit<EnumOptions, 'name'>,
): EnumHandle<Values>
export function enum_(first?: unknown, second?: unknown, third?: object): unknown {
  const place = placeAbove(enum_)
  if (typeof first === 'string') {
    add(first, () => second, third, place)
    return namedHandle('enum', first, { values: second })
  }
  const mark = (target: object, context: unknown, options?: EnumOptions): void => {
    const name = markClass('enum', 'enum_', target, context, options?.name, place)
    // Static members get their values after class decorators have run.
    if (name !== null) add(name, () => ({ ...target }), options, place)
  }
  if (typeof first === 'function') {
    mark(first, second)
    return undefined
  }
  return (target: object, context: unknown) => mark(target, context, first as EnumOptions | undefined)
}

function add(name: string, values: () => unknown, options: object | undefined, place: SourceLocation): void {
  const subject = `enum "${name}"`
  declare({
    collection: 'enums',
    name,
    place,
    emit: (scope) => ({
      name,
      ...readOptions(ENUM_RULES, options, subject, (message) => scope.fault(place, message)),
      values: emitValues(values(), subject, place, scope),
    }),
  })
}

function emitValues(values: unknown, subject: string, place: SourceLocation, scope: EmitScope): AuthoredEnumValue[] {
  const fault = (message: string) => scope.fault(place, message)
  if (!isPlainObject(values) || Object.keys(values).length === 0) {
    fault(`${subject} has no values. Write { DRAFT: 'draft', … }`)
    return []
  }
  return Object.entries(values).map(([name, given]) => {
    const valueSubject = `value "${name}" of ${subject}`
    if (typeof given === 'string') return given === name ? { name } : { name, value: given }
    if (isPlainObject(given)) return { name, ...readOptions(VALUE_RULES, given, valueSubject, fault) }
    fault(`${valueSubject} is neither a text nor an object with value, description, deprecated`)
    return { name }
  })
}
