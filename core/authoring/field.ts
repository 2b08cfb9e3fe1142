import type { SourceLocation } from '../schema/authored.ts'
import { ACCESS_KEYS, withMarks } from './access-marks.ts'
import { FIELD_RULES, type FieldOptions, INPUT_FIELD_RULES } from './field-options.ts'
import type { FieldContext, FieldSpec } from './field-spec.ts'
import { addMember, bareMember, decoratorFault } from './members.ts'
import { type OptionRules, readOptions } from './options.ts'
import { placeAbove } from './place.ts'
import { type EmitScope, reportFault, takeOrder } from './registry.ts'
import { declareValidators, type Rule } from './rules.ts'
import type { TypeSource, ValueOf } from './type-source.ts'

const FIELD: unique symbol = Symbol.for('svc.authoring.field')

/** The result of `field()`: a decorator, and a value for the `fields` of the plain functions. */
// biome-ignore lint/suspicious/noExplicitAny: as a value of a record, whatever the property would be
export interface FieldDefinition<Value = any> {
  (value: unknown, context: FieldContext<Value>): void
  readonly [FIELD]: FieldSpec
}

/**
 * The property `fields` of a plain function such as `type()`: by name of the field, its type or the result of
 * `field(type, options)`.
 */
export type FieldsRecord = Readonly<Record<string, TypeSource | FieldDefinition>>

/**
 * Declares a field, as a decorator (`@field(ID) id!: string`) or in the `fields` of a plain function
 * (`fields: { name: field(String, { description: '…' }) }`). Options: docs/reference/authoring.md#field. A declared
 * type is non-null; `nullable(T)` allows null. TypeScript checks the property against the scalar:
 * `@field(ID) id!: number` does not compile.
 */
export function field<Source extends TypeSource>(
  source: Source,
  options?: FieldOptions,
): FieldDefinition<ValueOf<Source>> {
  const place = placeAbove(field)
  const bare = bareMember(options)
  if (bare !== null) {
    reportFault(place, `@field stands on "${bare}" without a type. Write @field(String)`)
    return undefined as never
  }
  declareValidators(options?.validate, place)
  const spec: FieldSpec = { source, options, place, order: takeOrder() }
  const decorate = (_value: unknown, context: FieldContext<ValueOf<Source>>): void => {
    const wrong = decoratorFault(context, ['field', 'accessor', 'getter'])
    if (wrong === null && !context.static) addMember(context, spec)
    else reportFault(spec.place, `@field ${wrong ?? `stands on the static member "${String(context.name)}"`}`)
  }
  return Object.freeze(Object.assign(decorate, { [FIELD]: spec }))
}

/**
 * Reads the property `fields` of a plain function, such as `type('User', { fields })`, in the written order.
 * @param place location of the call, for fields without a location of their own
 * @returns name and declaration of each field; empty when `fields` is no object
 */
export function readFieldsRecord(fields: unknown, place: SourceLocation): [string, FieldSpec][] {
  if (typeof fields !== 'object' || fields === null) return []
  return Object.entries(fields).map(([name, value]: [string, unknown]) => [name, fieldSpecOf(value, place)])
}

function fieldSpecOf(value: unknown, place: SourceLocation): FieldSpec {
  const isDefinition = typeof value === 'function' && Object.hasOwn(value, FIELD)
  return isDefinition
    ? (value as FieldDefinition)[FIELD]
    : { source: value, options: undefined, place, order: takeOrder() }
}

/** Returns the options of a field with the rules of `@validate`. */
function withRules({ options, rules }: FieldSpec): FieldOptions | undefined {
  if (rules === undefined) return options
  const own = options?.validate
  const all = [...(own === undefined ? [] : [own].flat()), ...rules] as readonly Rule[]
  const [only] = all
  return { ...options, validate: all.length === 1 && only !== undefined ? only : all }
}

const FIELD_KEYS = { output: ['requires_scope', 'requires_role'], input: [] as readonly string[] }

/**
 * Converts the declared fields of a type, interface or input to the entries of its key `fields` in `schema.json`.
 * @param owner name of the type that has the fields
 */
export function emitFields(
  fields: readonly (readonly [string, FieldSpec])[],
  owner: string,
  kind: 'output' | 'input',
  scope: EmitScope,
): object[] {
  const rules: OptionRules = kind === 'input' ? INPUT_FIELD_RULES : FIELD_RULES
  return fields.map(([name, spec]) => {
    const { source, place } = spec
    const options = withRules(spec)
    const subject = `${kind === 'input' ? 'input field' : 'field'} "${owner}.${name}"`
    const type = scope.typeText(source, subject, place)
    const fault = (message: string): void => scope.fault(place, message)
    const keys = withMarks(readOptions(rules, options, subject, fault), spec.metadata ?? null, name, scope)
    for (const key of Object.keys(keys)) {
      if (ACCESS_KEYS.includes(key) && !FIELD_KEYS[kind].includes(key))
        fault(`${subject} takes no ${key}: it belongs on a query or mutation`)
    }
    return { name, type, ...keys, $place: place }
  })
}
