import { ExactNumber, withoutZeros } from '../base/util/exact-number.ts'
import { isPromise } from '../base/util/promise.ts'
import type { ScalarType } from './model.ts'
import type { Bounds } from './rules.ts'
import { parseJson } from './scalar-json.ts'
import { parseBigInt, parseDecimal, parseFloat64, parseInt32 } from './scalar-number.ts'
import { parseId, parseString, parseUuid, showValue } from './scalar-text.ts'
import { parseDate, parseDateTime, parseTime } from './scalar-time.ts'
import { SEMANTIC } from './semantic/semantic-scalars.ts'

/**
 * A scalar that schemas can use without declaring it: its JSON format, its filter operators, and how values are
 * checked. It is built-in (String), or semantic: a built-in one with a further rule (Email).
 */
export interface BuiltinScalar {
  readonly name: string
  readonly description: string
  readonly specifiedByUrl?: string
  /** Kind of scalar that determines its filter operators (`core/schema/operators/operators.ts`). */
  readonly group: 'id' | 'string' | 'number' | 'boolean' | 'datetime' | 'date' | 'time' | 'json' | 'vector'
  /** JSON type of the scalar's values in requests and responses. Decimal and BigInt are strings. */
  readonly wire: 'string' | 'number' | 'boolean' | 'json'
  /**
   * Set for a semantic scalar, such as Email. `base` is the built-in scalar with its JSON format and casts; the other
   * properties describe its valid values.
   */
  readonly semantic?: {
    readonly base: string
    readonly columns: readonly string[]
    readonly unordered: boolean
    readonly example: string
    readonly pattern: string | undefined
    readonly bounds: Bounds | undefined
  }
  /**
   * PostgreSQL type to which the SQL casts a value that it reads as text from a JSON document (`data ->> 'key'`);
   * `null`: no cast.
   */
  readonly documentCast: string | null
  /**
   * Checks a value from a client (variable, REST parameter, MCP argument), and converts it for SQL.
   * @returns text, number or boolean; for the group `json`, a JSON value
   * @throws Error whose message describes valid values; the caller adds path and code
   */
  readonly parse: (value: unknown) => unknown
}

const TABLE: readonly BuiltinScalar[] = [
  {
    name: 'ID',
    description: 'A unique identifier. Text on the wire; its value fits the column: a UUID, an integer or a text.',
    group: 'id',
    wire: 'string',
    documentCast: null,
    parse: parseId,
  },
  {
    name: 'String',
    description: 'Text in UTF-8.',
    group: 'string',
    wire: 'string',
    documentCast: null,
    parse: parseString,
  },
  {
    name: 'Int',
    description: 'An integer of 32 bits with sign.',
    group: 'number',
    wire: 'number',
    documentCast: 'int4',
    parse: parseInt32,
  },
  {
    name: 'Float',
    description: 'A floating-point number of 64 bits (IEEE 754).',
    group: 'number',
    wire: 'number',
    documentCast: 'float8',
    parse: parseFloat64,
  },
  {
    name: 'Boolean',
    description: '`true` or `false`.',
    group: 'boolean',
    wire: 'boolean',
    documentCast: 'bool',
    parse: parseBoolean,
  },
  {
    name: 'DateTime',
    description: 'A point in time, ISO 8601 in UTC: `2026-01-31T12:00:00+00:00`. Input without a zone is UTC.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc3339',
    group: 'datetime',
    wire: 'string',
    documentCast: 'timestamptz',
    parse: parseDateTime,
  },
  {
    name: 'Date',
    description: 'A day of the calendar: `2026-01-31`.',
    group: 'date',
    wire: 'string',
    documentCast: 'date',
    parse: parseDate,
  },
  {
    name: 'Time',
    description: 'A time of day without a zone: `12:00:00`. Seconds and their fraction may be left out.',
    group: 'time',
    wire: 'string',
    documentCast: 'time',
    parse: parseTime,
  },
  {
    name: 'UUID',
    description: 'A UUID. Any case in, lower case out.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc9562',
    group: 'id',
    wire: 'string',
    documentCast: 'uuid',
    parse: parseUuid,
  },
  {
    name: 'Decimal',
    description: 'A decimal number of any precision, as text: `"12.50"`. A JSON number is taken when it is exact.',
    group: 'number',
    wire: 'string',
    documentCast: 'numeric',
    parse: parseDecimal,
  },
  {
    name: 'BigInt',
    description: 'An integer of 64 bits with sign. Text out; text or number in.',
    group: 'number',
    wire: 'string',
    documentCast: 'int8',
    parse: parseBigInt,
  },
  {
    name: 'JSON',
    description: 'Any JSON value.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc8259',
    group: 'json',
    wire: 'json',
    documentCast: 'jsonb',
    parse: parseJson,
  },
]

/** Built-in scalars by GraphQL name (docs/reference/scalars.md). A schema must not declare types with these names. */
export const BUILTIN_SCALARS: ReadonlyMap<string, BuiltinScalar> = new Map(
  TABLE.map((scalar) => [scalar.name, Object.freeze(scalar)]),
)

/**
 * Semantic scalars, such as Email, by GraphQL name (docs/reference/scalars.md#semantic-scalars). A declared type with
 * the same name replaces the scalar.
 */
export const SEMANTIC_SCALARS: ReadonlyMap<string, BuiltinScalar> = new Map(
  SEMANTIC.map(({ base, columns = [], unordered = false, example, pattern, bounds, ...own }) => {
    const { group, wire, documentCast } = BUILTIN_SCALARS.get(base)!
    const semantic = { base, columns, unordered, example, pattern, bounds }
    // A vector in a JSON document has no operators but `_is_null` and `_is_not_null`.
    const cast = own.group === 'vector' ? null : documentCast
    return [own.name, Object.freeze({ group, wire, ...own, documentCast: cast, semantic })]
  }),
)

/** Names of all scalars that schemas can use without declaring them, built-in (String) or semantic (Email). */
export const SCALAR_NAMES: readonly string[] = [...BUILTIN_SCALARS.keys(), ...SEMANTIC_SCALARS.keys()]

/** Finds a built-in scalar (String) or semantic scalar (Email) by its name. */
export function findScalar(name: string): BuiltinScalar | undefined {
  return BUILTIN_SCALARS.get(name) ?? SEMANTIC_SCALARS.get(name)
}

/**
 * Tests whether the values of a scalar are documents or vectors. Such values have no order, and rows cannot be grouped
 * by them.
 */
export function isManyValued({ group }: Pick<BuiltinScalar, 'group'>): boolean {
  return group === 'json' || group === 'vector'
}

/** Converts a number for a function of the schema author: to text if a double cannot hold it. */
function forAuthor(value: unknown): unknown {
  const plain = withoutZeros(value)
  return plain instanceof ExactNumber ? String(plain) : plain
}

const resolved = new WeakMap<ScalarType, BuiltinScalar>()

/**
 * Returns the properties and functions of a scalar. A custom scalar has those of its base; its own `parse` runs first,
 * and must return a valid value of the base.
 * @throws Error when the base is no built-in scalar, which the compiler rejects
 */
export function scalarOf(type: ScalarType): BuiltinScalar {
  const known = resolved.get(type)
  if (known !== undefined) return known
  const base = findScalar(type.semantic ?? type.base)
  if (base === undefined)
    throw new Error(`Scalar ${type.name} is based on ${type.base}, which is not a built-in scalar`)
  const own = type.codec?.parse === undefined ? undefined : answerOf(type.name, 'parse', type.codec.parse)
  const check = (value: unknown): unknown => checkedValue(type, value)
  const scalar: BuiltinScalar = type.custom
    ? {
        ...base,
        name: type.name,
        description: type.description ?? base.description,
        parse:
          own === undefined ? (value) => check(base.parse(value)) : (value) => check(base.parse(own(forAuthor(value)))),
      }
    : base
  resolved.set(type, scalar)
  return scalar
}

/**
 * Checks a value against the validation rules of a custom scalar, and returns it. The scalar's `parse` has already
 * converted it.
 * @throws Error that names the value and the scalar
 */
export function checkedValue({ name, check }: ScalarType, value: unknown): unknown {
  const problem = check === undefined || value === null ? null : check(value)
  if (problem === null) return value
  throw new Error(`${showValue(value)} is no ${name}: ${problem}`)
}

/**
 * Wraps a conversion function of a custom scalar so that it throws an error if the author's code returns a promise.
 * Errors of the author's code are passed on.
 * @param scalar name of the scalar, for the message
 * @param name name of the function, for the message
 */
export function answerOf(scalar: string, name: string, run: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    const answer = run(value)
    if (!isPromise(answer)) return answer
    // The promise is not awaited; without a handler, its rejection would crash the process.
    answer.then(undefined, () => undefined)
    throw new Error(`${name} of the scalar ${scalar} gave a promise; it has to answer at once`)
  }
}

function parseBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new Error(`Boolean cannot represent a non boolean value: ${showValue(value)}`)
}
