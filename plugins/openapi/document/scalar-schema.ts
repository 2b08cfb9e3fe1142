import type { ScalarType } from '../../../core/doors/driver.ts'
import { findScalar } from '../../../core/doors/front.ts'
import { compact, type Json } from './json.ts'

/** Direction of a value: in a request or in a response. Requests are validated more strictly. */
export type Flow = 'in' | 'out'

/** Formats of OpenAPI or JSON Schema by scalar. */
const FORMATS: Readonly<Record<string, string>> = {
  Int: 'int32',
  Float: 'double',
  BigInt: 'int64',
  Decimal: 'decimal',
  DateTime: 'date-time',
  Date: 'date',
  UUID: 'uuid',
  Email: 'email',
  URL: 'uri',
  Hostname: 'hostname',
  DomainName: 'hostname',
  IPv4: 'ipv4',
  IPv6: 'ipv6',
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  DateTime: '2026-01-31T12:00:00+00:00',
  Date: '2026-01-31',
  Time: '12:00:00',
  Decimal: '12.50',
  BigInt: '9007199254740993',
  UUID: '01890a5d-ac96-774b-bcce-b302099a8057',
}

/** Returns the JSON Schema of a built-in scalar type. @throws Error for an unknown name */
export function builtinSchema(name: string, flow: Flow): Json {
  const scalar = findScalar(name)
  if (scalar === undefined) throw new Error(`${name} is no built-in scalar`)
  return schemaOf(scalar, flow)
}

/**
 * Returns the JSON Schema of a scalar type. A custom scalar whose author's function converts values in this direction
 * has no type, because the function accepts or returns any value.
 */
export function scalarSchema(type: ScalarType, flow: Flow): Json {
  const { codec, custom, semantic, base, description } = type
  if (!custom) return builtinSchema(type.name, flow)
  const converts = flow === 'in' ? codec?.parse !== undefined : codec?.serialize !== undefined
  const { example: _, ...schema } = converts ? {} : builtinSchema(semantic ?? base, flow)
  return { ...schema, description: description ?? `A value of the scalar ${type.name}.` }
}

function schemaOf({ name, wire, semantic, description }: NonNullable<ReturnType<typeof findScalar>>, flow: Flow): Json {
  const kind = semantic?.base ?? name
  const format = FORMATS[name] ?? FORMATS[kind]
  const more: Json = compact({
    format,
    example: exampleOf(name, semantic?.example),
    description: semantic === undefined ? undefined : description,
  })
  if (wire === 'json') return { description }
  if (wire === 'boolean') return { type: 'boolean' }
  if (wire === 'number') {
    const { min, max } = (flow === 'in' ? semantic?.bounds : undefined) ?? {}
    return { type: kind === 'Int' ? 'integer' : 'number', ...more, ...compact({ minimum: min, maximum: max }) }
  }
  const pattern = flow === 'in' ? semantic?.pattern : undefined
  const text = { type: 'string', ...more, ...compact({ pattern }) }
  if (flow === 'out') return text
  // Strings in responses. In requests, numbers are accepted if they are exact.
  if (kind === 'BigInt') return { anyOf: [text, { type: 'integer' }] }
  if (kind === 'Decimal') return { anyOf: [text, { type: 'number' }] }
  if (kind === 'ID') return { anyOf: [text, { type: 'integer' }] }
  return text
}

/** Returns the first example of the table, if it is JSON. */
function exampleOf(name: string, text: string | undefined): unknown {
  if (text === undefined) return EXAMPLES[name]
  try {
    return JSON.parse(text.split(' or ')[0]!)
  } catch {
    return undefined
  }
}
