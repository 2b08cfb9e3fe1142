import { integer, join, qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { ScalarType } from '../../../schema/model.ts'
import { type Place, WGS84 } from '../../../schema/place.ts'
import type { Comparable, DocumentValue } from '../../sql-value.ts'

/**
 * Writes a call of a PostGIS function, with the schema of the extension. @param name unqualified name of the function
 * @param given SQL of the arguments
 */
export function call({ schema }: Pick<Place, 'schema'>, name: string, ...given: readonly SqlFragment[]): SqlFragment {
  return sql`${qualified(schema, name)}(${join(given, ', ')})`
}

export function castPlace({ schema }: Pick<Place, 'schema'>, value: SqlFragment, type: Place['type']): SqlFragment {
  return sql`${value}::${qualified(schema, type)}`
}

/**
 * Converts a PostGIS column to a `geometry` in degrees (WGS 84). A column that already is one stays unchanged, so that
 * its index remains usable.
 */
export function degrees(place: Place, column: SqlFragment): SqlFragment {
  if (place.type === 'geography') return castPlace(place, column, 'geometry')
  return place.srid === WGS84 ? column : call(place, 'st_transform', column, integer(WGS84))
}

/**
 * Writes a PostGIS point from SQL values of latitude and longitude in degrees.
 * @param place column whose PostGIS schema the functions have
 */
export function point(place: Place, latitude: SqlFragment, longitude: SqlFragment): SqlFragment {
  return call(place, 'st_setsrid', call(place, 'st_makepoint', longitude, latitude), integer(WGS84))
}

/** Number of digits that preserves each double. */
const DIGITS = integer(15)
const NO_REFERENCE = integer(0)

const isText = ({ base }: ScalarType): boolean => base === 'String'

/** Writes `lat,lng`. JSON is used to format numbers: the shortest exact text, without an exponent. */
function latLng(place: Place, at: SqlFragment): SqlFragment {
  return sql`(to_jsonb(${call(place, 'st_y', at)})::text || ',' || to_jsonb(${call(place, 'st_x', at)})::text)`
}

function geoJson(place: Place, at: SqlFragment): SqlFragment {
  return call(place, 'st_asgeojson', at, DIGITS, NO_REFERENCE)
}

/**
 * Writes a PostGIS column in the form of the response: the text `lat,lng` for a scalar based on String, otherwise
 * GeoJSON. `type` is the SQL type of the expression.
 */
export function placeOnTheWire(
  place: Place,
  named: ScalarType,
  column: SqlFragment,
): { readonly sql: SqlFragment; readonly type: string } {
  const at = degrees(place, column)
  return isText(named)
    ? { sql: latLng(place, at), type: 'text' }
    : { sql: sql`${geoJson(place, at)}::json`, type: 'json' }
}

/**
 * Matches the hexadecimal bytes of a location. When a row is converted to a document, a geometry becomes GeoJSON, and a geography its
 * bytes.
 */
const BYTES = sql`'^0[01][0-9A-Fa-f]{16,}$'`

/**
 * Writes a location from a JSON document in the form of the response. The document contains it as GeoJSON, or as the
 * hexadecimal bytes that `to_jsonb` writes for a geography.
 */
export function placeInDocument(place: Place, named: ScalarType, { json, text, jsonb }: DocumentValue): SqlFragment {
  const isObject = jsonb ? sql`jsonb_typeof(${json}) = 'object'` : sql`json_typeof(${json}) = 'object'`
  const stored = sql`CASE WHEN ${isObject} THEN ${call(place, 'st_geomfromgeojson', text)} ELSE ${castPlace(place, text, 'geometry')} END`
  const at = call(place, 'st_transform', stored, integer(WGS84))
  const wire = isText(named) ? sql`to_jsonb(${latLng(place, at)})` : sql`${geoJson(place, at)}::jsonb`
  const form = jsonb ? wire : sql`${wire}::json`
  return sql`CASE WHEN ${isObject} OR ${text} ~ ${BYTES} THEN ${form} ELSE ${json} END`
}

/**
 * Returns the SQL of a PostGIS column for comparisons. A geometry whose reference system is not WGS 84 is converted to
 * degrees; other columns stay unchanged, so that their index is usable.
 */
export function placeComparable(place: Place, named: ScalarType, column: SqlFragment): Comparable {
  const operand = (text: SqlFragment): SqlFragment => {
    const part = (index: number) => sql`split_part(${text}, ',', ${integer(index)})::float8`
    const given = point(place, part(1), part(2))
    return place.type === 'geography' ? castPlace(place, given, 'geography') : given
  }
  return {
    value: place.type === 'geography' ? column : degrees(place, column),
    text: isText(named) ? latLng(place, degrees(place, column)) : geoJson(place, degrees(place, column)),
    place: { ...place, column },
    operand: (slot) => operand(sql`${slot}::text`),
    list: (slot) => sql`ARRAY(SELECT ${operand(sql`e.v`)} FROM unnest(${slot}::text[]) AS e(v))`,
  }
}
