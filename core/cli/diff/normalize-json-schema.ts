export type Json = Readonly<Record<string, unknown>>

/** Returns the JSON Schema that a `$ref` points to, such as `#/components/schemas/User`. */
export type ResolveRef = (ref: string) => unknown

/** A JSON Schema (2020-12 or OpenAPI 3.0) in a form in which equal rules are spelled equally, for comparison. */
export interface NormalSchema {
  /** Last part of the `$ref` that the schema consists of; `null`: the schema is inline. */
  readonly ref: string | null
  readonly nullable: boolean
  /** Allowed JSON types. Empty: every type. */
  readonly types: readonly string[]
  /** The allowed values (`enum`, `const`) as JSON texts, without null; `null`: any value. */
  readonly values: readonly string[] | null
  /** Branches of `anyOf` and `oneOf`, without `null`. */
  readonly alternatives: readonly unknown[]
  /** The JSON Schema after `$ref` and `allOf` are resolved, with all its keywords. */
  readonly schema: Json
}

/**
 * Converts a JSON Schema to a form in which equal rules are spelled equally: resolves `$ref`, merges `allOf`, and
 * unifies the spellings of a nullable value.
 */
export function normalize(given: unknown, resolve: ResolveRef): NormalSchema {
  const { ref, schema } = follow(given, resolve, 0)
  const alternatives = [...list(schema.anyOf), ...list(schema.oneOf)]
  const others = alternatives.filter((one) => (one as Json).type !== 'null')
  const nullable =
    schema.nullable === true ||
    list(schema.type).includes('null') ||
    list(schema.enum).includes(null) ||
    others.length < alternatives.length
  if (others.length === 1) {
    const { anyOf: _, oneOf: __, ...rest } = schema
    const only = normalize(others[0], resolve)
    const merged = { ...only.schema, ...rest }
    return { ...only, ref: ref ?? only.ref, nullable: nullable || only.nullable, schema: merged }
  }
  const types = (typeof schema.type === 'string' ? [schema.type] : list(schema.type)).filter((one) => one !== 'null')
  const values = schema.const === undefined ? schema.enum : [schema.const]
  return {
    ref,
    nullable,
    types: [...types].map(String).sort(),
    values: Array.isArray(values) ? values.filter((one) => one !== null).map((one) => JSON.stringify(one)) : null,
    alternatives: others,
    schema,
  }
}

/** Maximum number of nested references. */
const DEEPEST = 20

function follow(
  given: unknown,
  resolve: ResolveRef,
  depth: number,
): { readonly ref: string | null; readonly schema: Json } {
  const schema: Json = typeof given === 'object' && given !== null ? (given as Json) : {}
  if (depth > DEEPEST) return { ref: null, schema: {} }
  if (typeof schema.$ref === 'string') {
    const { $ref, ...rest } = schema
    const target = follow(resolve($ref), resolve, depth + 1)
    return { ref: $ref.split('/').at(-1)!, schema: { ...target.schema, ...rest } }
  }
  const parts = list(schema.allOf)
  if (parts.length === 0) return { ref: null, schema }
  const { allOf: _, ...rest } = schema
  const found = parts.map((part) => follow(part, resolve, depth + 1))
  const all = [...found.map((part) => part.schema), rest]
  const properties = Object.assign({}, ...all.map((one) => one.properties ?? {}))
  const required = all.flatMap((one) => list(one.required))
  return {
    ref: found.length === 1 ? found[0]!.ref : null,
    schema: {
      ...Object.assign({}, ...all),
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
    },
  }
}

/** Returns a value that is an array unchanged, and an empty array for any other value. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
