import type { EnumType, InputFieldModel, InputType, NamedType, ScalarType } from './model.ts'
import { answerOf, type BuiltinScalar, checkedValue, findScalar, SCALAR_NAMES, scalarOf } from './scalars.ts'
import type { TypeRef } from './type-ref.ts'

/**
 * Describes the valid form of a value that a client sends. It is the same for input types of the schema and for those
 * that svc generates (filters, sort keys), so that one function validates both.
 */
export type InputShape = ScalarShape | EnumShape | ObjectShape

export interface ScalarShape {
  readonly kind: 'scalar'
  readonly name: string
  /** The scalar of svc (`Int`, `Email`) with the same JSON format; `null`: values can be any JSON. */
  readonly base: string | null
  /** Validates a value from a client and converts it for SQL. @throws Error whose message describes valid values */
  readonly parse: (value: unknown) => unknown
  /**
   * `true`: number literals in a GraphQL document are passed to `parse` as text, so that no digit is lost (ID, Decimal,
   * BigInt).
   */
  readonly numbersAsText: boolean
  /**
   * Converts the AST of a literal in a GraphQL document, for custom scalars with such a function. `null`: `parse` gets
   * the literal's value.
   */
  readonly parseLiteral: ((ast: unknown) => unknown) | null
}

export interface EnumShape {
  readonly kind: 'enum'
  readonly name: string
  /** Description for the API, for an enum that svc generates and the schema does not declare. */
  readonly description?: string
  /** Allowed values, by their names in the API. */
  readonly values: ReadonlySet<string>
}

export interface ObjectShape {
  readonly kind: 'object'
  readonly name: string
  readonly description: string | undefined
  /** `true`: the object must have exactly one key, and its value must not be null (GraphQL's `@oneOf`). */
  readonly oneOf: boolean
  /**
   * Returns the fields, by their name in the API. It is a function, because input types may refer to each other in
   * cycles.
   */
  readonly fields: () => ReadonlyMap<string, ShapeField>
}

export interface ShapeField {
  readonly name: string
  readonly type: TypeRef
  readonly shape: InputShape
  readonly description: string | undefined
  readonly deprecated: string | undefined
  /** Default as a JSON value that a client could send; `undefined`: none. */
  readonly default: unknown
}

const shapes = new WeakMap<NamedType, InputShape>()

/**
 * Returns the valid form of client values for a scalar, enum or input type. The same type always gives the same object.
 * @throws Error for an output type, which the compiler rejects in this position
 */
export function shapeOf(named: NamedType): InputShape {
  let shape = shapes.get(named)
  if (shape === undefined) {
    shape = createShape(named)
    shapes.set(named, shape)
  }
  return shape
}

function createShape(named: NamedType): InputShape {
  if (named.kind === 'scalar') return createScalarShape(named)
  if (named.kind === 'enum') return createEnumShape(named)
  if (named.kind === 'input') return createObjectShape(named)
  throw new Error(`${named.name} is no input type`)
}

const builtins = new Map<string, ScalarShape>(SCALAR_NAMES.map((name) => [name, describe(findScalar(name)!)]))

function describe(scalar: BuiltinScalar): ScalarShape {
  const numbersAsText = scalar.group === 'id' || (scalar.group === 'number' && scalar.wire === 'string')
  const { name, parse } = scalar
  return { kind: 'scalar', name, base: name, parse, numbersAsText, parseLiteral: null }
}

/**
 * Returns the valid form of client values for a scalar of svc, such as `Int` or `Email`.
 * @throws Error for an unknown name
 */
export function builtinShape(name: string): ScalarShape {
  const shape = builtins.get(name)
  if (shape === undefined) throw new Error(`${name} is no built-in scalar`)
  return shape
}

function createScalarShape(type: ScalarType): ScalarShape {
  if (!type.custom) return builtinShape(type.name)
  const scalar = scalarOf(type)
  const expecting =
    (parse: (value: unknown) => unknown) =>
    (value: unknown): unknown => {
      try {
        return parse(value)
      } catch (error) {
        throw new Error(`Expected type "${type.name}". ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  const literal = type.codec?.parseLiteral
  return {
    ...describe(scalar),
    // The author's `parse` may accept more values than the base scalar.
    base: type.codec?.parse === undefined ? (type.semantic ?? type.base) : null,
    parse: expecting(scalar.parse),
    parseLiteral: literal === undefined ? null : expecting(literalParser(type, literal)),
  }
}

/** Wraps `literal`, and checks that it returns a value of the base scalar, as for `parse`. */
function literalParser(type: ScalarType, literal: (ast: unknown) => unknown): (ast: unknown) => unknown {
  const { parse } = findScalar(type.semantic ?? type.base)!
  const answer = answerOf(type.name, 'parse_literal', literal)
  return (ast) => checkedValue(type, parse(answer(ast)))
}

function createEnumShape(type: EnumType): EnumShape {
  return { kind: 'enum', name: type.name, values: new Set(type.values.map((value) => value.name)) }
}

function createObjectShape(type: InputType): ObjectShape {
  return {
    kind: 'object',
    name: type.name,
    description: type.description,
    oneOf: false,
    fields: lazily(() => new Map([...type.fields.values()].map((field) => [field.wireName, toShapeField(field)]))),
  }
}

/** Converts a field of an input type, or an argument of an operation, to the form that `compileCoercer` validates. */
export function toShapeField(field: InputFieldModel): ShapeField {
  return {
    name: field.wireName,
    type: field.type,
    shape: shapeOf(field.named),
    description: field.description,
    deprecated: field.deprecated,
    default: field.default,
  }
}

/** Returns a function that calls `build` when it is first called, and returns the same result from then on. */
export function lazily<T extends object>(build: () => T): () => T {
  let built: T | null = null
  return () => {
    built ??= build()
    return built
  }
}
