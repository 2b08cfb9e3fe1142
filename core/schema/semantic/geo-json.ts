import { PLACE_COLUMNS } from '../place.ts'
import { parseFloat64 } from '../scalar-number.ts'
import { showValue } from '../scalar-text.ts'
import { isObjectOf, type SemanticScalar } from './semantic-scalar.ts'

/** Coordinates of a point in GeoJSON: longitude, latitude, and an optional height. */
export type Position = readonly number[]

/** A validated GeoJSON geometry (RFC 7946). */
export type Geometry =
  | { readonly type: Exclude<GeometryType, 'GeometryCollection'>; readonly coordinates: Coordinates }
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Geometry[] }

export type GeometryType = keyof typeof DEPTHS | 'GeometryCollection'
export type Coordinates = Position | readonly Coordinates[]

/** Number of list levels around a position, by geometry type. */
const DEPTHS = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 } as const
export const GEOMETRY_TYPES: readonly string[] = [...Object.keys(DEPTHS), 'GeometryCollection']
/** Minimum number of positions in the innermost list. */
const FEWEST: Readonly<Record<string, number>> = { LineString: 2, MultiLineString: 2, Polygon: 4, MultiPolygon: 4 }
const RINGS = new Set(['Polygon', 'MultiPolygon'])
const MOST_POSITIONS = 10_000
const MOST_NESTED = 4

const EXAMPLE = '{"type":"Point","coordinates":[13.405,52.52]}'

interface Count {
  positions: number
  /** Number of coordinates of each position; 0: no position was read yet. */
  size: number
}

/**
 * Checks a GeoJSON geometry from a client, and returns it.
 * @throws Error whose message describes the problem and its location
 */
export function parseGeoJson(value: unknown): Geometry {
  return geometryOf(value, '', { positions: 0, size: 0 }, 0)
}

function geometryOf(value: unknown, at: string, count: Count, nested: number): Geometry {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (type === 'Feature' || type === 'FeatureCollection') throw fault(`a geometry; give that of the ${type}`, at, value)
  if (type === 'GeometryCollection') {
    if (!isObjectOf(value, ['type', 'geometries']) || !Array.isArray(value.geometries) || value.geometries.length === 0)
      throw fault('of type and geometries, one at least, and nothing else', at, value)
    if (nested === MOST_NESTED) throw fault(`of at most ${MOST_NESTED} collections in one another`, at, value)
    const geometries = value.geometries.map((item, index) =>
      geometryOf(item, `${at}.geometries[${index}]`, count, nested + 1),
    )
    return { type, geometries }
  }
  if (typeof type !== 'string' || !Object.hasOwn(DEPTHS, type)) throw fault(`a geometry, such as ${EXAMPLE}`, at, value)
  if (!isObjectOf(value, ['type', 'coordinates']))
    throw fault('of type and coordinates, longitudes and latitudes, and nothing else', at, value)
  const known = type as keyof typeof DEPTHS
  return { type: known, coordinates: listOf(known, value.coordinates, DEPTHS[known], `${at}.coordinates`, count) }
}

function listOf(type: string, value: unknown, depth: number, at: string, count: Count): Coordinates {
  if (depth === 0) return positionOf(value, at, count)
  if (!Array.isArray(value) || value.length === 0) throw fault('a list that is not empty', at, value)
  const fewest = depth === 1 ? (FEWEST[type] ?? 1) : 1
  if (value.length < fewest) throw fault(`a list of ${fewest} positions at least`, at, value)
  const list = value.map((item, index) => listOf(type, item, depth - 1, `${at}[${index}]`, count))
  if (depth === 1 && RINGS.has(type) && String(list[0]) !== String(list.at(-1)))
    throw fault('a ring, which ends with the position that it begins with', at, value)
  return list
}

function positionOf(value: unknown, at: string, count: Count): Position {
  const wants = 'a longitude from -180 to 180 and a latitude from -90 to 90'
  if (!Array.isArray(value) || value.length < 2 || value.length > 3) throw fault(wants, at, value)
  const position = value.map((item) => numberOf(item))
  if (!position.every(Number.isFinite) || Math.abs(position[0]!) > 180 || Math.abs(position[1]!) > 90)
    throw fault(wants, at, value)
  if (count.size !== 0 && count.size !== position.length)
    throw fault('with a height in all positions or in none', at, value)
  count.size = position.length
  count.positions += 1
  if (count.positions > MOST_POSITIONS) throw new Error(`GeoJSON must be of at most ${MOST_POSITIONS} positions`)
  return position
}

function numberOf(value: unknown): number {
  try {
    return Number(parseFloat64(value))
  } catch {
    return Number.NaN
  }
}

function fault(wants: string, at: string, value: unknown): Error {
  return new Error(`GeoJSON must be ${wants}, not ${showValue(value)}${at === '' ? '' : ` at "${at.slice(1)}"`}`)
}

export const GEO_JSON: SemanticScalar = {
  name: 'GeoJSON',
  description: 'A point, line or polygon, several of them, or a collection of such: a geometry of GeoJSON.',
  specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc7946',
  base: 'JSON',
  columns: PLACE_COLUMNS,
  example: EXAMPLE,
  parse: parseGeoJson,
}

/**
 * Converts a GeoJSON geometry to EWKT, the text format of PostGIS with a spatial reference system:
 * `SRID=4326;POINT(13.405 52.52)`.
 */
export function toEwkt(geometry: Geometry): string {
  return `SRID=4326;${wktOf(geometry)}`
}

function wktOf(geometry: Geometry): string {
  const name = geometry.type.toUpperCase()
  if (geometry.type === 'GeometryCollection') return `${name}(${geometry.geometries.map(wktOf).join(',')})`
  return `${name}${geometry.type === 'Point' ? `(${itemOf(geometry.coordinates)})` : itemOf(geometry.coordinates)}`
}

function itemOf(coordinates: Coordinates): string {
  return typeof coordinates[0] === 'number'
    ? coordinates.join(' ')
    : `(${(coordinates as readonly Coordinates[]).map(itemOf).join(',')})`
}

/** Converts coordinates as `latitude,longitude` to a point in EWKT, the text format of PostGIS. */
export function pointOf(coordinates: string): string {
  const [latitude, longitude] = coordinates.split(',')
  return `SRID=4326;POINT(${longitude} ${latitude})`
}
