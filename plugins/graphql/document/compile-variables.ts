import { Kind, type OperationDefinitionNode, type TypeNode, type VariableDefinitionNode } from 'graphql'
import { compileCoercer, shorten, toInputError, typeRefs } from '../../../core/doors/front.ts'
import { didYouMean, listNames, SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { readConstant } from '../selection/build-values.ts'
import type { CompiledVariable } from '../selection/compiled-variable.ts'
import { locate } from '../selection/selection-context.ts'
import { DocumentErrors, MOST_ERRORS } from './document-errors.ts'

/**
 * Prepares the variable definitions of an operation for checking values.
 * @param operation operation of a document that passed validation against the schema of `view`
 */
export function compileVariables(operation: OperationDefinitionNode, view: SchemaView): readonly CompiledVariable[] {
  return (operation.variableDefinitions ?? []).map((definition) => compileVariable(definition, view))
}

function compileVariable(definition: VariableDefinitionNode, view: SchemaView): CompiledVariable {
  const name = definition.variable.name.value
  const location = locate(definition)
  if (name === '__proto__') {
    throw new SvcError('GRAPHQL_VALIDATION_FAILED', 'A variable cannot be called "$__proto__".', {
      locations: location === null ? undefined : [location],
    })
  }
  const type = typeRefs.of(writeType(definition.type))
  const shape = view.shape(typeRefs.namedTypeOf(type).name)
  if (shape === undefined) throw new Error(`Type ${typeRefs.print(type)} passed validation but has no shape`)
  const given = definition.defaultValue
  const byDefault = given === undefined ? undefined : readConstant(given, type, shape)
  return {
    name,
    type,
    default: byDefault,
    required: !type.nullable && byDefault === undefined,
    coerce: compileCoercer(type, shape),
    location,
  }
}

/** Writes a type as in the document. The printer of graphql-js, which visits any node, takes ten times as long. */
function writeType(node: TypeNode): string {
  if (node.kind === Kind.NAMED_TYPE) return node.name.value
  const inner = writeType(node.type)
  return node.kind === Kind.LIST_TYPE ? `[${inner}]` : `${inner}!`
}

/**
 * Checks and normalises the variable values of a request. The result omits a variable with neither value nor default.
 * @param variables variables of the operation to run
 * @param known names of the variables of all operations in the document, because editors send the values of all
 * @throws DocumentErrors BAD_USER_INPUT with an error per invalid variable, up to a maximum
 */
export function readVariables(
  variables: readonly CompiledVariable[],
  given: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  let errors: SvcError[] | null = null
  let taken = 0
  for (const variable of variables) {
    const { name } = variable
    const value = given[name]
    // JSON contains no functions, so a function is inherited from the prototype (`$constructor`).
    if (value === undefined || typeof value === 'function') {
      if (variable.default !== undefined) result[name] = variable.default
      else if (variable.required) errors = note(errors, missing(variable))
      continue
    }
    taken++
    try {
      result[name] = variable.coerce(value)
    } catch (error) {
      errors = note(errors, invalid(variable, value, error))
    }
  }
  let sent = 0
  for (const _ in given) sent++
  if (sent !== taken) {
    for (const name of Object.keys(given)) if (!known.has(name)) errors = note(errors, undeclared(name, known))
  }
  if (errors !== null) throw new DocumentErrors(errors)
  return result
}

/** Adds an error. @throws DocumentErrors when the maximum is reached */
function note(errors: SvcError[] | null, error: SvcError): SvcError[] {
  if (errors === null) return [error]
  if (errors.length === MOST_ERRORS) {
    const message = `There are more than ${MOST_ERRORS} errors in the variables: these are the first.`
    throw new DocumentErrors([...errors, new SvcError('BAD_USER_INPUT', message)])
  }
  errors.push(error)
  return errors
}

function missing({ name, type, location }: CompiledVariable): SvcError {
  const shown = shownName(name)
  return new SvcError(
    'BAD_USER_INPUT',
    `Variable "$${shown}" of required type "${typeRefs.print(type)}" was not provided.`,
    {
      details: { path: [shown] },
      locations: location === null ? undefined : [location],
    },
  )
}

function invalid({ name, type, location }: CompiledVariable, value: unknown, error: unknown): SvcError {
  const shown = shownName(name)
  const locations = location === null ? undefined : [location]
  if (value === null) {
    const message = `Variable "$${shown}" of non-null type "${typeRefs.print(type)}" must not be null.`
    return new SvcError('BAD_USER_INPUT', message, { details: { path: [shown] }, locations })
  }
  return toInputError(`Variable "$${shown}"`, [shown], value, error, { locations })
}

function undeclared(name: string, known: ReadonlySet<string>): SvcError {
  const shown = shownName(name)
  const list =
    known.size === 0
      ? 'It declares none.'
      : `It declares: ${listNames(Array.from(known, (each) => `$${shownName(each)}`))}.`
  return new SvcError(
    'BAD_USER_INPUT',
    `Variable "$${shown}" is not declared by the document.${didYouMean(name, known)} ${list}`,
    { details: { path: [shown] } },
  )
}

/** Shortens a name of the client for error messages. */
function shownName(name: string): string {
  return shorten(name, 100)
}
