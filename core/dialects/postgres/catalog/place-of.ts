import { isPlaceColumn, type Place, SHAPES, WGS84 } from '../../../schema/place.ts'

/**
 * Describes a column of PostGIS from its type modifier, which holds the reference system, the shape, and bits for Z and M
 * coordinates.
 * @param schema the schema of the extension; `null` when PostGIS is not installed, so that a type of that name is not its
 */
export function placeOf(type: string, modifier: number, schema: string | null): { readonly place?: Place } {
  if (schema === null || !isPlaceColumn(type)) return {}
  const isGeography = type === 'geography'
  if (modifier < 0) return { place: { type, shape: 'Geometry', srid: isGeography ? WGS84 : 0, schema } }
  const srid = ((modifier & 0x0f_ff_ff_00) - (modifier & 0x10_00_00_00)) >> 8
  const shape = SHAPES[(modifier & 0xfc) >> 2] ?? 'Geometry'
  return { place: { type, shape, srid: isGeography && srid === 0 ? WGS84 : srid, schema } }
}
