import {
  type ArgumentShapes,
  fieldChoice,
  type NamedType,
  type OperationMaker,
  schemaOfAnswer,
  schemaOfArguments,
} from '../../../core/doors/front.ts'
import { type FieldModel, listNames, type ObjectType } from '../../../core/doors/plugin.ts'
import type { CallableOperation, PageSizes } from './prepared-tool.ts'

type Schema = Readonly<Record<string, unknown>>

/** Maximum number of fields that a description names. */
const MOST_NAMES = 40

/** Member of a tool result with the offset of the next page. */
export const NEXT_OFFSET = 'nextOffset'

export interface InputSchemaParts {
  /** Names of the operation's arguments that agents can set. */
  readonly names: readonly string[]
  /** Name of the argument with which agents choose fields; `null`: they cannot. */
  readonly fields: string | null
  /** Name of the argument that asks for the number of all rows; `null`: none. */
  readonly count: string | null
  readonly pages: PageSizes
}

/** Returns the JSON Schema for the arguments of an operation's MCP tool. @param shapes arguments of the operation */
export function inputSchemaOf({ named }: CallableOperation, shapes: ArgumentShapes, parts: InputSchemaParts): Schema {
  const { names, fields, count, pages } = parts
  const schema = schemaOfArguments(shapes, names)
  const properties: Record<string, unknown> = { ...(schema.properties as Schema) }
  for (const name of ['limit', 'first', 'last']) {
    const known = properties[name] as Schema | undefined
    // Only for generated arguments: an argument of the author can mean anything.
    if (known?.type !== 'integer' || !pages.bounds.has(name)) continue
    const byDefault = name === 'last' ? {} : { default: pages.byDefault }
    properties[name] = { ...known, minimum: 0, maximum: pages.most, ...byDefault }
  }
  if (fields !== null) properties[fields] = fieldsArgument(named)
  if (count !== null)
    properties[count] = { type: 'boolean', description: 'Answer `totalCount`, too: all rows that match.' }
  return { ...schema, properties }
}

function fieldsArgument(named: NamedType): Schema {
  const members = named.kind === 'interface' || named.kind === 'union' ? named.members : [named as ObjectType]
  const known = new Map(members.flatMap((type) => [...type.fields.values()]).map((field) => [field.wireName, field]))
  const shown = [...known.values()].map(describeField)
  return {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description: `What to answer, by name, in the place of the default; of objects with a dot (a.b). Related lists come only by name. There are: ${listNames(shown, MOST_NAMES)}`,
  }
}

function describeField({ wireName, named, list }: FieldModel): string {
  if (named.kind === 'scalar' || named.kind === 'enum') return wireName
  return `${wireName} (${list ? `list of ${named.name}` : named.name})`
}

export interface OutputSchemaParts {
  readonly isPaged: boolean
  readonly count: boolean
  /** Fields of every result, from the configuration; `undefined`: agents choose them. */
  readonly fields: readonly string[] | undefined
}

/**
 * Returns the JSON Schema for the result of an operation's MCP tool: an object with the data under the operation's
 * name.
 */
export function outputSchemaOf(
  operation: CallableOperation,
  maker: OperationMaker,
  { isPaged, count, fields }: OutputSchemaParts,
): Schema {
  const answer = open(
    schemaOfAnswer(
      operation,
      maker.selectionOf(operation, { count, ...(fields === undefined ? {} : { fields: fieldChoice(fields) }) }),
    ),
  )
  const next = { type: 'integer', description: 'There are more rows: ask again with this `offset`.' }
  return {
    type: 'object',
    properties: { [operation.wireName]: answer, ...(isPaged ? { [NEXT_OFFSET]: next } : {}) },
    required: [operation.wireName],
  }
}

/** Members are neither required nor exclusive: the agent chooses fields, and denied fields are missing. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, additionalProperties: _, required: __, ...rest } = schema as Schema
  const below = Object.entries(rest).map(([key, value]) => [key, KEPT.has(key) ? value : open(value)])
  const members = properties === undefined ? {} : { properties: openMembers(properties as Schema) }
  return { ...Object.fromEntries(below), ...members }
}

/** Keywords of JSON Schema whose members are values, not schemas. */
const KEPT: ReadonlySet<string> = new Set(['enum', 'const', 'type', 'description', 'default'])

function openMembers(properties: Schema): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, open(schema)]))
}
