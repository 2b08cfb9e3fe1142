import { SvcError } from '../base/errors/svc-error.ts'
import { ExactNumber } from '../base/util/exact-number.ts'
import { didYouMean } from '../base/util/nearest.ts'
import { type InputShape, type ObjectShape, type ShapeField, shapeOf } from './input-shape.ts'
import type { NamedType } from './model.ts'
import { showValue } from './scalar-text.ts'
import { printTypeRef, type TypeRef } from './type-ref.ts'

/**
 * Function that validates a value from a client against its GraphQL type and converts it. It is compiled once per type,
 * and allocates memory only for its result.
 * @throws InputFault, or the Error of a scalar; {@link toInputError} converts both to an error for the client
 */
export type Coercer = (value: unknown) => unknown

/** Deepest nesting of objects. A deeper filter is an attack or a mistake, and is rejected. */
const MAX_DEPTH = 64

/**
 * Thrown when a part of a value from a client is invalid. `path` leads from the whole value to the invalid part, which
 * is in `value`.
 */
export class InputFault extends Error {
  readonly path: (string | number)[] = []
  readonly value: unknown

  constructor(message: string, value: unknown) {
    super(message)
    this.value = value
  }
}

/** Prepends the key of a rejected value to the path of its error. */
function under(key: string | number, error: unknown, value: unknown): InputFault {
  const fault = error instanceof InputFault ? error : new InputFault(messageOf(error), value)
  fault.path.unshift(key)
  return fault
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Compiles the function that validates and converts client values of a type.
 * @param ref the type, with lists and `!`
 * @param shape the form of the named type inside `ref`
 */
export function compileCoercer(ref: TypeRef, shape: InputShape): Coercer {
  const inner = ref.kind === 'list' ? compileList(compileCoercer(ref.of, shape)) : coercerOf(shape)
  if (ref.nullable) return (value) => (value === null ? null : inner(value))
  const expected = `Expected non-nullable type "${printTypeRef(ref)}" not to be null.`
  return (value) => {
    if (value === null) throw new InputFault(expected, value)
    return inner(value)
  }
}

/** Coerces a list. A single value becomes a list with one item. */
function compileList(item: Coercer): Coercer {
  return (value) => {
    if (!Array.isArray(value)) return [item(value)]
    const result = new Array<unknown>(value.length)
    let index = 0
    try {
      for (; index < value.length; index++) result[index] = item(value[index])
    } catch (error) {
      throw under(index, error, value[index])
    }
    return result
  }
}

const coercers = new WeakMap<InputShape, Coercer>()

function coercerOf(shape: InputShape): Coercer {
  let coercer = coercers.get(shape)
  if (coercer === undefined) {
    coercer = shape.kind === 'scalar' ? shape.parse : shape.kind === 'enum' ? compileEnum(shape) : compileObject(shape)
    coercers.set(shape, coercer)
  }
  return coercer
}

function compileEnum({ name, values }: Extract<InputShape, { kind: 'enum' }>): Coercer {
  return (value) => {
    if (typeof value !== 'string') {
      throw new InputFault(`Enum "${name}" cannot represent non-string value: ${showValue(value)}.`, value)
    }
    if (values.has(value)) return value
    throw new InputFault(`Value "${value}" does not exist in "${name}" enum.${didYouMean(value, values)}`, value)
  }
}

interface CompiledFields {
  readonly byName: ReadonlyMap<string, Coercer>
  readonly defaults: readonly { readonly name: string; readonly value: unknown }[]
  readonly required: readonly { readonly name: string; readonly message: string }[]
}

function compileFields(fields: Iterable<ShapeField>): CompiledFields {
  const byName = new Map<string, Coercer>()
  const defaults: { name: string; value: unknown }[] = []
  const required: { name: string; message: string }[] = []
  for (const { name, type, shape, default: value } of fields) {
    const coercer = compileCoercer(type, shape)
    byName.set(name, coercer)
    if (value !== undefined) defaults.push({ name, value: coercer(value) })
    else if (!type.nullable) {
      required.push({ name, message: `Field "${name}" of required type "${printTypeRef(type)}" was not provided.` })
    }
  }
  return { byName, defaults, required }
}

/** Number of objects around the value that is being read. Coercion is synchronous, so one counter is enough. */
let depth = 0

function compileObject(shape: ObjectShape): Coercer {
  let compiled: CompiledFields | null = null

  function read(value: object): Record<string, unknown> {
    compiled ??= compileFields(shape.fields().values())
    const result: Record<string, unknown> = {}
    const given = value as Record<string, unknown>
    const keys = Object.keys(given)
    for (const key of keys) {
      const coercer = compiled.byName.get(key)
      if (coercer === undefined) {
        const guess = didYouMean(key, compiled.byName.keys())
        throw new InputFault(`Field "${key}" is not defined by type "${shape.name}".${guess}`, value)
      }
      try {
        result[key] = coercer(given[key])
      } catch (error) {
        throw under(key, error, given[key])
      }
    }
    if (shape.oneOf) checkOneOf(shape.name, keys, given)
    for (const field of compiled.defaults) {
      if (!Object.hasOwn(given, field.name)) result[field.name] = field.value
    }
    for (const field of compiled.required) {
      if (!Object.hasOwn(given, field.name)) throw new InputFault(field.message, value)
    }
    return result
  }

  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) {
      throw new InputFault(`Expected type "${shape.name}" to be an object.`, value)
    }
    if (depth >= MAX_DEPTH) throw new InputFault(`Objects are nested deeper than ${MAX_DEPTH} levels.`, null)
    depth++
    try {
      return read(value)
    } finally {
      depth--
    }
  }
}

function checkOneOf(name: string, keys: readonly string[], value: Record<string, unknown>): void {
  const [key] = keys
  if (key === undefined || keys.length > 1) {
    throw new InputFault(`Exactly one key must be specified for OneOf type "${name}".`, value)
  }
  if (value[key] === null) throw new InputFault(`Field "${key}" must be non-null.`, value)
}

/**
 * Creates a BAD_USER_INPUT error for a value that a `Coercer` rejected, in the wording of GraphQL:
 * `Variable "$input" got invalid value 5 at "input.age"; …`. `details.path` leads to the rejected value.
 * @param subject the variable or argument that has the value: `Variable "$input"`, `Argument "limit"`
 * @param path path of the whole value, such as `["input"]`
 * @param value the whole value
 * @param error what the `Coercer` threw
 */
export function toInputError(
  subject: string,
  path: readonly (string | number)[],
  value: unknown,
  error: unknown,
  options: { readonly locations?: SvcError['locations'] } = {},
): SvcError {
  const inner = error instanceof InputFault ? error.path : []
  const refused = error instanceof InputFault ? error.value : value
  const full = [...path, ...inner]
  const place = inner.length === 0 ? '' : ` at "${printPath(full)}"`
  const message = `${subject} got invalid value ${showValue(refused)}${place}; ${messageOf(error)}`
  return new SvcError('BAD_USER_INPUT', message, { details: { path: full }, locations: options.locations })
}

/** Prints a path: `input.lines[0].name`. */
function printPath(path: readonly (string | number)[]): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('')
}

const compiledByType = new WeakMap<NamedType, WeakMap<TypeRef, Coercer>>()

/**
 * Validates and converts one value from a client, such as an argument of a REST route or of an MCP tool call.
 * @param named the named type inside `ref`
 * @param path path of the value, starting with the name of its argument
 * @throws SvcError BAD_USER_INPUT
 */
export function coerceInput(
  ref: TypeRef,
  named: NamedType,
  value: unknown,
  path: readonly (string | number)[],
): unknown {
  let byRef = compiledByType.get(named)
  if (byRef === undefined) {
    byRef = new WeakMap()
    compiledByType.set(named, byRef)
  }
  let coercer = byRef.get(ref)
  if (coercer === undefined) {
    coercer = compileCoercer(ref, shapeOf(named))
    byRef.set(ref, coercer)
  }
  try {
    return coercer(value)
  } catch (error) {
    throw toInputError(`Argument "${path[0] ?? named.name}"`, path, value, error)
  }
}
