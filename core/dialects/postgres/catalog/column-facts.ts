import type { Digits } from '../../../schema/digits.ts'
import { isPlaceColumn, type Place, SHAPES, WGS84 } from '../../../schema/place.ts'
import type { Types } from './read-types.ts'

/** Types whose modifier is the length of each value. */
const MEASURED = new Set(['vector', 'halfvec', 'sparsevec', 'bit'])

/** Length of the header that precedes the modifier of a type of variable length. */
const HEADER = 4
/** Mask of the scale in a type modifier: eleven bits with sign. */
const SCALE_BITS = 0x7ff
const SCALE_SIGN = 0x400

/**
 * Returns the name of a column's type, as {@link Types.nameOf} writes it. A composite type has the prefix `row:`, so
 * that it never equals the type of a parameter.
 * @param oid `pg_type.oid` of the type
 */
export function typeOfColumn(types: Types, oid: string): string {
  const name = types.nameOf(oid)
  return types.compositeOf(oid) === null ? name : `row:${name}`
}

/**
 * Properties of a column that its type modifier encodes: dimensions of a vector, precision and scale of a `numeric`,
 * geometry type and reference system of a PostGIS column.
 */
export interface ModifierFacts {
  readonly dimensions?: number
  readonly digits?: Digits
  readonly place?: Place
}

/**
 * Decodes the type modifier of a column. Members that the type does not have are absent.
 * @param type as {@link Types.nameOf} returns it
 * @param modifier `pg_attribute.atttypmod`; -1: none
 * @param postgis the schema of the extension PostGIS; `null`: it is not installed
 */
export function factsOfModifier(type: string, modifier: number, postgis: string | null): ModifierFacts {
  return { ...dimensionsOf(type, modifier), ...digitsOf(type, modifier), ...placeOf(type, modifier, postgis) }
}

function dimensionsOf(type: string, modifier: number): { readonly dimensions?: number } {
  return MEASURED.has(type) && modifier > 0 ? { dimensions: modifier } : {}
}

/**
 * Reads precision and scale from the modifier of a `numeric(12, 2)`. Returns an empty object for other types, and for a `numeric` without
 * them.
 */
function digitsOf(type: string, modifier: number): { readonly digits?: Digits } {
  if (type !== 'numeric' || modifier < HEADER) return {}
  const packed = modifier - HEADER
  return { digits: { precision: packed >>> 16, scale: ((packed & SCALE_BITS) ^ SCALE_SIGN) - SCALE_SIGN } }
}

/**
 * Describes a PostGIS column by its type modifier, which contains the reference system, the geometry type, and bits for Z and M
 * coordinates.
 * @param schema the schema of the extension; `null` when PostGIS is not installed, so that a type of that name is a different one
 */
function placeOf(type: string, modifier: number, schema: string | null): { readonly place?: Place } {
  if (schema === null || !isPlaceColumn(type)) return {}
  const isGeography = type === 'geography'
  if (modifier < 0) return { place: { type, shape: 'Geometry', srid: isGeography ? WGS84 : 0, schema } }
  const srid = ((modifier & 0x0f_ff_ff_00) - (modifier & 0x10_00_00_00)) >> 8
  const shape = SHAPES[(modifier & 0xfc) >> 2] ?? 'Geometry'
  return { place: { type, shape, srid: isGeography && srid === 0 ? WGS84 : srid, schema } }
}
