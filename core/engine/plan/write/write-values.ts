import { writeJson } from '../../../base/util/exact-number.ts'
import { toSnakeCase } from '../../../base/util/naming.ts'
import type { ValueNode } from '../../../contract/operation.ts'
import type { Parameter } from '../../../contract/statement.ts'
import type { InputType, NamedType } from '../../../schema/model.ts'
import { isPlace, isPlaceColumn } from '../../../schema/place.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { parseGeoJson, pointOf, toEwkt } from '../../../schema/semantic/geo-json.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'

/**
 * Returns the value of an argument in one request, from the document and the variables. Keys of input objects are the
 * names of the GraphQL schema.
 * @returns `undefined`: the argument is absent
 */
export function readNode(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'variable':
      return Object.hasOwn(variables, node.name) ? variables[node.name] : undefined
    case 'list':
      return node.items.map((item) => readNode(item, variables) ?? null)
    case 'object': {
      const object: Record<string, unknown> = Object.create(null)
      for (const field of node.fields) {
        const value = readNode(field.value, variables)
        if (value !== undefined) object[field.name] = value
      }
      return object
    }
  }
}

/**
 * Returns the value of a field of an input object, or its default if the client omitted it.
 * @returns `undefined`: the field is absent and has no default
 */
export function readField(object: unknown, type: InputType, wireName: string): unknown {
  const given = typeof object === 'object' && object !== null && Object.hasOwn(object, wireName)
  return given ? (object as Record<string, unknown>)[wireName] : type.fields.get(wireName)?.default
}

/**
 * Converts an argument to a parameter of the mutation's function: a text, or a list of texts.
 * @param value checked and converted value of the argument
 * @param sqlType PostgreSQL type of the parameter; `null`: the catalog was not read
 */
export function toParameter(value: unknown, ref: TypeRef, named: NamedType, sqlType: string | null): Parameter {
  if (ref.kind === 'named')
    return sqlType !== null && isPlaceColumn(sqlType) ? toPlace(value, named) : toText(value, named)
  const { of } = ref
  const items = Array.isArray(value) ? value : [value]
  if (of.kind === 'list') return arrayLiteral(items, of, named)
  return items.map((item) => (item === null || item === undefined ? null : toText(item, named)))
}

/**
 * Tests whether an argument is passed to the mutation's function as one JSON document: input objects, lists of them,
 * and values for a `json` parameter.
 * @param sqlType PostgreSQL type of the parameter; `null`: the catalog was not read
 */
export function isJsonParameter(ref: TypeRef, named: NamedType, sqlType: string | null): boolean {
  if (sqlType !== null && /^_jsonb?$/.test(sqlType)) return false
  if (named.kind === 'input') return true
  if (sqlType !== null) return /^jsonb?$/.test(sqlType)
  return named.kind === 'scalar' && scalarOf(named).group === 'json' && ref.kind === 'named'
}

/**
 * Converts an argument to the JSON that a mutation's function receives: keys in snake_case, enums by their SQL value.
 * @param value checked and converted value of the argument
 */
export function toJson(value: unknown, ref: TypeRef, named: NamedType): unknown {
  if (value === null || value === undefined) return null
  if (ref.kind === 'list') {
    return (Array.isArray(value) ? value : [value]).map((item) => toJson(item, ref.of, named))
  }
  if (named.kind === 'enum') return named.toValue.get(value as string) ?? value
  if (named.kind !== 'input') return value
  const entries: [string, unknown][] = []
  for (const field of named.fields.values()) {
    const given = readField(value, named, field.wireName)
    if (given !== undefined) entries.push([toSnakeCase(field.name), toJson(given, field.type, field.named)])
  }
  return Object.fromEntries(entries)
}

/** Converts a location to text for a parameter of a PostGIS type. */
function toPlace(value: unknown, named: NamedType): string {
  if (named.kind !== 'scalar' || !isPlace(scalarOf(named))) return toText(value, named)
  return named.base === 'JSON' ? toEwkt(parseGeoJson(value)) : pointOf(String(value))
}

function toText(value: unknown, named: NamedType): string {
  if (named.kind === 'enum') return named.toValue.get(value as string) ?? String(value)
  if (named.kind === 'input')
    return writeJson(toJson(value, { kind: 'named', name: named.name, nullable: false }, named))
  if (named.kind === 'scalar' && named.base === 'JSON') return writeJson(value)
  return String(value)
}

/** Writes a list of lists in PostgreSQL's array notation, because a parameter can only be a one-dimensional list. */
function arrayLiteral(items: readonly unknown[], ref: TypeRef, named: NamedType): string {
  const texts = items.map((item) => {
    if (item === null || item === undefined) return 'NULL'
    if (ref.kind === 'list') return arrayLiteral(Array.isArray(item) ? item : [item], ref.of, named)
    return `"${toText(item, named).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${texts.join(',')}}`
}
