import { writeJson } from '../../base/util/exact-number.ts'
import { PLACE_COLUMNS } from '../place.ts'
import { parseGeoJson } from '../semantic/geo-json.ts'
import { circle, ofInput, radiusFault } from './convert-special.ts'
import { BOUNDING_BOX, DISTANCE, GEOMETRY_DISTANCE } from './operand-inputs.ts'
import type { OperandKind, OperatorEntry } from './operator.ts'

type Members = Readonly<Record<string, unknown>>

/** Lower bound of a degree of latitude, and upper bound of the distance between two points on earth. */
const KM_OF_A_DEGREE = 110
const FARTHEST_KM = 20_100
const EARTH_KM = 6371
/** Factor that exceeds the largest error of distances on a sphere. */
const MARGIN = 1.01

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/**
 * Returns a box around a circle: `[west, south, east, north]`. If it includes a pole or the 180th meridian, it spans
 * all longitudes.
 */
function boxAround(latitude: number, longitude: number, km: number): readonly number[] {
  const height = (km / KM_OF_A_DEGREE) * MARGIN
  const south = latitude - height
  const north = latitude + height
  const reach = Math.sin(Math.min((km / EARTH_KM) * MARGIN, Math.PI / 2)) / Math.cos(radians(latitude))
  const width = south <= -90 || north >= 90 || reach >= 1 ? 180 : ((Math.asin(reach) * 180) / Math.PI) * MARGIN
  const [west, east] = [longitude - width, longitude + width]
  const around = west < -180 || east > 180
  return [around ? -180 : west, Math.max(south, -90), around ? 180 : east, Math.min(north, 90)]
}

/** Returns the distance on a sphere. */
function distanceKm(fromLatitude: number, toLatitude: number, longitudes: number): number {
  const [from, to, between] = [radians(fromLatitude), radians(toLatitude), radians(longitudes)]
  const chord = Math.sin((from - to) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(between / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

const circleOf = circle(DISTANCE)

function inCircle(value: unknown): Members {
  const given = circleOf(value) as Members
  const [latitude, longitude, km] = [given.latitude, given.longitude, given.radiusKm].map(Number)
  return { ...given, box: boxAround(latitude!, longitude!, km!) }
}

const boxOf = ofInput(BOUNDING_BOX, ({ south, north }) =>
  Number(south) > Number(north) ? 'the operand has a south that is more than its north' : null,
)

/** Converts a box to operands that an index can use: the box itself, and a circle around it. */
function inBox(value: unknown): Members {
  const given = boxOf(value) as Members
  const [south, west, north, east] = [given.south, given.west, given.north, given.east].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  const crosses = west > east
  const width = east - west + (crosses ? 360 : 0)
  const latitude = (south + north) / 2
  const middle = west + width / 2
  // The corners are the farthest points of a box up to 180° wide. In a wider box another point may be farther.
  const corners = [south, north].map((corner) => distanceKm(latitude, corner, width / 2))
  return {
    ...given,
    box: crosses ? [-180, south, 180, north] : [west, south, east, north],
    latitude,
    longitude: middle > 180 ? middle - 360 : middle,
    radiusKm: width > 180 ? FARTHEST_KM : Math.min(FARTHEST_KM, Math.max(...corners) * MARGIN + 1),
  }
}

const AREAS = new Set(['Polygon', 'MultiPolygon'])

function area(value: unknown): string {
  const geometry = parseGeoJson(value)
  if (!AREAS.has(geometry.type)) throw new Error(`the operand is a Polygon or a MultiPolygon, not a ${geometry.type}`)
  return writeJson(geometry)
}

const geometry = (value: unknown): string => writeJson(parseGeoJson(value))

const distanceOf = ofInput(GEOMETRY_DISTANCE, radiusFault)

function around(value: unknown): Members {
  const given = distanceOf(value) as Members
  return { ...given, from: parseGeoJson(given.from) }
}

function entry(
  scalar: 'Coordinates' | 'GeoJSON',
  name: string,
  operand: OperandKind,
  description: string,
  more: Partial<OperatorEntry> = {},
): OperatorEntry {
  return {
    id: `${name}:place`,
    name,
    groups: [],
    scalars: [scalar],
    columns: PLACE_COLUMNS,
    operand,
    description,
    ...more,
  }
}

const related = (name: string, description: string, columns: readonly string[] = ['geometry']): OperatorEntry =>
  entry('GeoJSON', name, 'place', description, { columns, convert: geometry })

/** Filter operators for locations: coordinates, and geometries in PostGIS columns. */
export const PLACE_OPERATORS: readonly OperatorEntry[] = [
  entry('Coordinates', '_eq', 'field', 'Is this point.'),
  entry('Coordinates', '_neq', 'field', 'Is another point. Null is neither.', { aliases: ['ne'] }),
  entry('Coordinates', '_in', 'list', 'Is one of these points. The empty list matches nothing.'),
  entry('Coordinates', '_nin', 'list', 'Is none of these points. The empty list matches everything.', {
    aliases: ['notin'],
  }),
  entry('Coordinates', '_distance_within', 'object', 'Is not farther than radiusKm from the point, on the ellipsoid.', {
    aliases: ['withinradius'],
    input: DISTANCE,
    convert: inCircle,
  }),
  entry('Coordinates', '_within_bounding_box', 'object', 'Is in the box, or on its edge.', {
    input: BOUNDING_BOX,
    convert: inBox,
  }),
  entry('Coordinates', '_within_polygon', 'place', 'Is in the Polygon or MultiPolygon, or on its edge.', {
    convert: area,
  }),
  related('_st_contains', 'Contains the geometry, which is not on its edge alone.'),
  related('_st_crosses', 'Crosses the geometry.'),
  related('_st_equals', 'Is the same set of points.'),
  related('_st_intersects', 'Has a point in common with the geometry.', PLACE_COLUMNS),
  related(
    '_st_overlaps',
    'Overlaps with the geometry: of the same dimension, and each has points that the other has not.',
  ),
  related('_st_touches', 'Has points of its edge in common with the geometry, and no others.'),
  related('_st_within', 'Is within the geometry, not on its edge alone.'),
  entry('GeoJSON', '_st_d_within', 'object', 'Is not farther than radiusKm from the geometry, on the ellipsoid.', {
    input: GEOMETRY_DISTANCE,
    convert: around,
  }),
]
