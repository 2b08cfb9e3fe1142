import type { SourceLocation } from '../schema/authored.ts'
import { brandClass, type NamedKind, namedHandle } from './brand.ts'
import { emitFields, readFieldsRecord } from './field.ts'
import type { FieldSpec } from './field-spec.ts'
import { claimMembers, decoratorFault } from './members.ts'
import { isPlainObject, type OptionRules, readOptions } from './options.ts'
import { type Collection, declare, reportFault } from './registry.ts'
import { declareValidators } from './rules.ts'

/**
 * The properties in which `type()`, `input()` and `interface_()` differ, for `declareWithFields`, which all three call.
 */
export interface FieldsElement {
  readonly kind: NamedKind
  readonly collection: Collection
  /** Name of the function in the authoring API, for faults: `type`, `interface_`. */
  readonly word: string
  readonly fields: 'input' | 'output'
  readonly rules: OptionRules
  /** Keys and values that svc adds to each declaration of this kind in `schema.json`. */
  readonly fixed?: Readonly<Record<string, unknown>>
}

/**
 * Declares a type with fields for `type()`, `input()` and `interface_()`, which each accept three forms of arguments:
 * as bare decorator (class, context), as decorator with options, as plain function (name, definition).
 * @returns the decorator for the form with options, the declared type for the plain function, otherwise `undefined`
 */
export function declareWithFields(
  form: FieldsElement,
  first: unknown,
  second: unknown,
  place: SourceLocation,
): unknown {
  if (typeof first === 'string') return fromFunction(form, first, second, place)
  if (typeof first === 'function') return fromClass(form, first, second, undefined, place)
  return (target: object, context: unknown): void => fromClass(form, target, context, first, place)
}

function fromFunction(form: FieldsElement, name: string, definition: unknown, place: SourceLocation): object {
  const { fields, ...options } = isPlainObject(definition) ? definition : {}
  const isRecord = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
  if (!isRecord) reportFault(place, `${form.word}('${name}', …) wants { fields: { name: type, … } }`)
  add(form, name, options, isRecord ? readFieldsRecord(fields, place) : [], place)
  return namedHandle(form.kind, name, { fields: fields ?? {} })
}

function fromClass(form: FieldsElement, target: object, context: unknown, given: unknown, place: SourceLocation): void {
  const wrong = decoratorFault(context, ['class'])
  if (wrong !== null) {
    reportFault(place, `@${form.word} ${wrong}`)
    return
  }
  const { metadata, name: className } = context as ClassDecoratorContext
  const options = (given ?? {}) as { readonly name?: string }
  const name = options.name ?? className ?? ''
  brandClass(target, { kind: form.kind, name })
  add(form, name, options, claimMembers(metadata), place)
}

function add(
  form: FieldsElement,
  name: string,
  options: object,
  fields: readonly (readonly [string, FieldSpec])[],
  place: SourceLocation,
): void {
  declareValidators((options as { readonly validate?: unknown }).validate, place)
  declare({
    collection: form.collection,
    name,
    place,
    emit: (scope) => ({
      name,
      ...readOptions(form.rules, options, `${form.kind} "${name}"`, (message) => scope.fault(place, message)),
      ...form.fixed,
      fields: emitFields(fields, name, form.fields, scope),
    }),
  })
}
