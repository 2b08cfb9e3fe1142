import { isPlaceColumn, type Place, SHAPES, WGS84 } from '../../../schema/place.ts'

/**
 * What a column of PostGIS holds: its modifier has the reference system, the shape, and bits for heights and measures.
 * @param schema of the extension; `null`: the database has it not, and a type of that name is somebody else's
 */
export function placeOf(type: string, modifier: number, schema: string | null): { readonly place?: Place } {
  if (schema === null || !isPlaceColumn(type)) return {}
  const isGeography = type === 'geography'
  if (modifier < 0) return { place: { type, shape: 'Geometry', srid: isGeography ? WGS84 : 0, schema } }
  const srid = ((modifier & 0x0f_ff_ff_00) - (modifier & 0x10_00_00_00)) >> 8
  const shape = SHAPES[(modifier & 0xfc) >> 2] ?? 'Geometry'
  return { place: { type, shape, srid: isGeography && srid === 0 ? WGS84 : srid, schema } }
}
