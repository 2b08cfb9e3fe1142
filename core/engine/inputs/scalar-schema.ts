import { isPlace } from '../../schema/place.ts'
import { findScalar } from '../../schema/scalars.ts'
import { GEOMETRY_TYPES } from '../../schema/semantic/geo-json.ts'

type Schema = Readonly<Record<string, unknown>>

const INT32 = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 }

/** Schemas that are more precise than the wire form, by name of a built-in scalar. */
const INPUTS: Readonly<Record<string, Schema>> = {
  ID: { type: ['string', 'integer'] },
  Int: INT32,
  UUID: { type: 'string', format: 'uuid' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
  Decimal: { type: ['string', 'number'] },
  BigInt: { type: ['string', 'integer'] },
}
const ANSWERS: Readonly<Record<string, Schema>> = {
  Int: INT32,
  UUID: { type: 'string', format: 'uuid' },
  DateTime: { type: 'string', format: 'date-time' },
  Date: { type: 'string', format: 'date' },
}
/** Schema for all geometries. The nesting of their lists of positions depends on the type, and is not described. */
const GEOMETRY: Schema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: GEOMETRY_TYPES },
    coordinates: { type: 'array' },
    geometries: { type: 'array', items: { type: 'object' } },
  },
  required: ['type'],
  additionalProperties: false,
}
/** Scalars that need no description. */
const PLAIN = new Set(['ID', 'String', 'Int', 'Float', 'Boolean', 'UUID', 'JSON'])

/**
 * Returns the JSON Schema for the values of a scalar.
 * @param name a scalar of svc, such as `Int` or `Email`; `null` or any other name: any JSON
 * @param side `input`: values that clients send; `answer`: values in responses
 */
export function scalarSchema(name: string | null, side: 'input' | 'answer'): Schema {
  const scalar = name === null ? undefined : findScalar(name)
  if (scalar?.wire === 'json' && scalar.group === 'vector')
    return { type: 'array', items: { type: 'number' }, description: scalar.description }
  if (scalar?.wire === 'json' && isPlace(scalar)) return { ...GEOMETRY, description: scalar.description }
  if (scalar === undefined || scalar.wire === 'json') return {}
  const special = (side === 'input' ? INPUTS : ANSWERS)[scalar.name] ?? { type: scalar.wire }
  return PLAIN.has(scalar.name) ? special : { ...special, description: scalar.description }
}
