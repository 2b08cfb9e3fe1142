import {
  type GraphQLArgument,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { type Report, show } from './change.ts'

/**
 * Reports the changes between two GraphQL schemas that graphql-js does not find: additions, wider arguments, narrower
 * results, deprecations, changed defaults.
 */
export function reportQuietChanges(before: GraphQLSchema, after: GraphQLSchema, report: Report): void {
  const old = before.getTypeMap()
  for (const [name, type] of Object.entries(after.getTypeMap())) {
    if (name.startsWith('__') || isSpecifiedScalarType(type)) continue
    const known = old[name]
    if (known === undefined) report('safe', 'TYPE_ADDED', name, `${name} was added.`)
    else compareTypes(known, type, report)
  }
  for (const { name } of after.getDirectives())
    if (before.getDirective(name) == null) report('safe', 'DIRECTIVE_ADDED', `@${name}`, `@${name} was added.`)
}

function compareTypes(before: GraphQLNamedType, after: GraphQLNamedType, report: Report): void {
  const { name } = after
  if (isEnumType(before) && isEnumType(after)) {
    for (const value of after.getValues()) {
      const known = before.getValue(value.name)
      if (known != null) compareDeprecation(`${name}.${value.name}`, known, value, report)
    }
  }
  if (isScalarType(before) && isScalarType(after) && before.specifiedByURL !== after.specifiedByURL) {
    const message = `The specification of ${name} changed from ${show(before.specifiedByURL)} to ${show(after.specifiedByURL)}.`
    report('dangerous', 'SCALAR_SPECIFICATION_CHANGED', name, message)
  }
  if ((isObjectType(before) || isInterfaceType(before)) && (isObjectType(after) || isInterfaceType(after))) {
    const known = before.getFields()
    for (const field of Object.values(after.getFields()))
      compareField(`${name}.${field.name}`, known[field.name], field, report)
  }
  if (isInputObjectType(before) && isInputObjectType(after)) {
    const known = before.getFields()
    for (const field of Object.values(after.getFields())) {
      const old = known[field.name]
      if (old !== undefined) compareInput(`${name}.${field.name}`, old, field, report)
    }
  }
}

type Output = GraphQLField<unknown, unknown>

function compareField(place: string, before: Output | undefined, after: Output, report: Report): void {
  if (before === undefined) {
    report('safe', 'FIELD_ADDED', place, `${place} was added.`)
    return
  }
  compareDeprecation(place, before, after, report)
  // A type that is not a breaking change is narrower: a value that is never null, or a member of the abstract type.
  const [old, now] = [String(before.type), String(after.type)]
  if (old !== now && stripped(old) === stripped(now) && isTighter(old, now))
    report('safe', 'FIELD_NARROWED', place, `${place} changed type from ${old} to ${now}: it is never null any more.`)
  for (const argument of after.args) {
    const known = before.args.find(({ name }) => name === argument.name)
    const at = `${place}(${argument.name})`
    if (known === undefined) continue
    compareDeprecation(at, known, argument, report)
    reportWidening(at, known, argument, report)
    if (isRequiredArgument(argument) && !isRequiredArgument(known) && String(argument.type) === String(known.type))
      report('breaking', 'ARG_BECAME_REQUIRED', at, `${at} lost its default, so that clients have to send it.`)
  }
}

function compareInput(place: string, before: GraphQLInputField, after: GraphQLInputField, report: Report): void {
  compareDeprecation(place, before, after, report)
  reportWidening(place, before, after, report)
  if (JSON.stringify(before.defaultValue) === JSON.stringify(after.defaultValue)) return
  // Losing the default of a required field makes clients send it.
  if (isRequiredInputField(after) && !isRequiredInputField(before) && String(after.type) === String(before.type)) {
    const message = `${place} lost its default, so that clients have to send it.`
    report('breaking', 'INPUT_FIELD_BECAME_REQUIRED', place, message)
    return
  }
  const message = `${place} changed its default from ${show(before.defaultValue)} to ${show(after.defaultValue)}.`
  report('dangerous', 'INPUT_FIELD_DEFAULT_CHANGED', place, message)
}

function reportWidening(
  place: string,
  before: GraphQLArgument | GraphQLInputField,
  after: GraphQLArgument | GraphQLInputField,
  report: Report,
): void {
  const [old, now] = [String(before.type), String(after.type)]
  if (old === now || stripped(old) !== stripped(now) || !isTighter(now, old)) return
  report('safe', 'INPUT_WIDENED', place, `${place} changed type from ${old} to ${now}: it may be null.`)
}

/** Is `after` the type `before` with more `!`? */
function isTighter(before: string, after: string): boolean {
  return after.length > before.length && stripped(before) === stripped(after)
}

function stripped(type: string): string {
  return type.replaceAll('!', '')
}

type Deprecable = Output | GraphQLArgument | GraphQLInputField | GraphQLEnumValue

function compareDeprecation(place: string, before: Deprecable, after: Deprecable, report: Report): void {
  const [old, now] = [before.deprecationReason ?? null, after.deprecationReason ?? null]
  if (old === now) return
  if (old === null) report('safe', 'DEPRECATED', place, `${place} is deprecated: ${now}`)
  else if (now === null) report('safe', 'DEPRECATION_REMOVED', place, `${place} is no longer deprecated.`)
  else report('safe', 'DEPRECATION_CHANGED', place, `${place} is deprecated for another reason: ${now}`)
}
