import { SCALAR_NAMES } from '../schema/scalars.ts'
import { brandOf, type Named, namedHandle, type Valued } from './brand.ts'
import { isPlainObject } from './options.ts'

const WRAP: unique symbol = Symbol.for('svc.authoring.wrap')

/**
 * A class of the author that is used as a type. The condition on `valueOf` excludes the global `String`, `Number`,
 * `Boolean` and `Date`: the scalars of these names are imported from `svc/authoring`.
 */
export type ClassSource = abstract new (...args: never[]) => { valueOf(): object }

/** The result of `list(T)` or `nullable(T)`. */
export interface Wrapped {
  readonly [WRAP]: 'list' | 'nullable'
  readonly of: TypeSource
}

/**
 * A value that can be used as a type: a scalar, a decorated class, the return value of `type()`, `enum_()` …,
 * `list(T)`, `nullable(T)`, or a function that returns one of these (for types that are declared later in the module).
 */
export type TypeSource = Named | ClassSource | Wrapped | (() => TypeSource)

/**
 * The TypeScript type that a property with the schema type `Source` must have. It is `unknown` for functions and
 * classes, because these may refer to each other in circles.
 */
export type ValueOf<Source> = Source extends ClassSource
  ? unknown
  : Source extends Valued<infer Value>
    ? Value
    : unknown

/** Makes a list type: `list(Post)` is `[Post!]!` in GraphQL. Wrap the list or its item in `nullable` to allow null. */
export function list<Of extends TypeSource>(of: Of): Wrapped & Valued<readonly ValueOf<Of>[]> {
  return Object.freeze({ [WRAP]: 'list' as const, of })
}

/**
 * Makes a type that allows null; other types do not: `nullable(String)`, `nullable(list(Post))`, `list(nullable(Int))`.
 */
export function nullable<Of extends TypeSource>(of: Of): Wrapped & Valued<ValueOf<Of> | null | undefined> {
  return Object.freeze({ [WRAP]: 'nullable' as const, of })
}

/**
 * Refers to a type by its name: `list(ref('Post'))`. Use it if two `type()` calls refer to each other, where TypeScript
 * cannot infer `() => Post`. Classes do not need it.
 */
export function ref(name: string): Named<'type'> {
  return namedHandle('type', name)
}

/**
 * Thrown by `printTypeSource` for a value that is no type. Its message tells the author which value was found and what
 * to write instead.
 */
export class NotAType extends Error {}

/**
 * Prints a value that the author used as a type in GraphQL notation: `"[Post!]!"`.
 * @param known called with the name of each type in the result, so that the caller can check that it is declared
 * @param depth nesting depth of the recursion; callers omit it
 * @throws NotAType if the value is no type
 */
export function printTypeSource(source: unknown, known: (name: string, builtin: boolean) => void, depth = 0): string {
  if (depth > 20) throw new NotAType('the function given as type returns functions without end')
  const brand = brandOf(source)
  if (brand !== undefined) {
    known(brand.name, brand.builtin === true)
    return `${brand.name}!`
  }
  if (isWrapped(source)) {
    const inner = printTypeSource(source.of, known, depth + 1)
    return source[WRAP] === 'list' ? `[${inner}]!` : inner.replace(/!$/, '')
  }
  if (typeof source !== 'function') throw new NotAType(describeWrongValue(source))
  if (isClass(source)) throw new NotAType(describeWrongClass(source))
  return printTypeSource(callThunk(source), known, depth + 1)
}

export function isWrapped(value: unknown): value is Wrapped {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, WRAP)
}

const GLOBALS = new Map<unknown, string>([
  [globalThis.String, 'String'],
  [globalThis.Boolean, 'Boolean'],
  [globalThis.Date, 'Date'],
  [globalThis.JSON, 'JSON'],
  [globalThis.BigInt, 'BigInt'],
  [globalThis.Number, 'Int or Float'],
  [globalThis.Array, 'list'],
])

function isClass(fn: object): boolean {
  if (GLOBALS.has(fn)) return true
  return /^class\b/.test(Function.prototype.toString.call(fn))
}

function callThunk(thunk: object): unknown {
  try {
    return (thunk as () => unknown)()
  } catch (cause) {
    throw new NotAType(`the function given as type throws: ${cause instanceof Error ? cause.message : cause}`)
  }
}

function describeWrongClass(fn: { readonly name?: string }): string {
  const wanted = GLOBALS.get(fn)
  if (wanted !== undefined) {
    return `the global ${fn.name ?? wanted} is not a type. Import ${wanted} from 'svc/authoring'`
  }
  return `the class ${fn.name || '(without a name)'} is not declared: put @type, @input, @interface_, @enum_, @union or @scalar on it`
}

function insteadOfText(text: string): string {
  const name = /\w+/.exec(text)?.[0] ?? 'Post'
  const scalar = SCALAR_NAMES.find((known) => known.toLowerCase() === name.toLowerCase())
  if (scalar === undefined) return `Give the element itself, or ref('${name}')`
  return `Import ${scalar} from 'svc/authoring' and give ${text.startsWith('[') ? `list(${scalar})` : scalar}`
}

function describeWrongValue(value: unknown): string {
  if (value === globalThis.JSON) return "the global JSON is not a type. Import JSON from 'svc/authoring'"
  if (value === undefined) {
    return 'undefined is not a type. What is declared further down, or in a module that imports this one, is given as a function: () => Post'
  }
  if (typeof value === 'string') return `the text "${value}" is not a type. ${insteadOfText(value)}`
  if (Array.isArray(value)) return 'an array is not a type. Write list(T)'
  if (isPlainObject(value)) return 'an object is not a type. The type stands first, and options behind it'
  return `${value === null ? 'null' : `a value of type ${typeof value}`} is not a type`
}
