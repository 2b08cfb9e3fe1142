import { integer, qualified, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { OperatorId } from '../../../schema/operators/operator.ts'
import { WGS84 } from '../../../schema/place.ts'
import type { Comparable, EmitOperator, PlaceColumn } from '../../sql-value.ts'
import { call, castPlace, degrees, point } from './place.ts'

type Emit = (place: PlaceColumn, operand: SqlFragment) => SqlFragment

/** Returns the PostGIS column. @throws Error when the schema has the operator for another column */
function columnOf({ place }: Pick<Comparable, 'place'>): PlaceColumn {
  if (place === undefined) throw new Error('An operator of PostGIS stands at another column. Compile the schema again.')
  return place
}

const onPlace =
  (emit: Emit): EmitOperator =>
  (target, operand) =>
    emit(columnOf(target), operand.sql)

/** Writes an operator with the schema of the extension. Without the schema, an operator for texts could be found. */
function operator({ schema }: PlaceColumn, symbol: SqlFragment): SqlFragment {
  return sql`OPERATOR(${qualified(undefined, schema)}.${symbol})`
}

const isOneOf: EmitOperator = (target, { sql: operand }) =>
  sql`${target.value} ${operator(columnOf(target), sql`=`)} ANY(${operand})`

const isEqual: EmitOperator = (target, { sql: operand }) =>
  sql`${target.value} ${operator(columnOf(target), sql`=`)} ${operand}`

/** Tests for equality together with an intersection of bounding boxes, because spatial indexes do not support equality. */
const isFound: EmitOperator = (target, operand) => {
  const place = columnOf(target)
  return sql`(${target.value} ${operator(place, sql`&&`)} ${operand.sql} AND ${isEqual(target, operand)})`
}

const not =
  (emit: EmitOperator): EmitOperator =>
  (target, operand) =>
    sql`NOT (${emit(target, operand)})`

const member = (operand: SqlFragment, name: SqlFragment): SqlFragment => sql`(${operand} ->> ${name})::float8`
const side = (operand: SqlFragment, index: number): SqlFragment =>
  sql`(${operand} -> 'box' ->> ${integer(index)})::float8`
const metres = (operand: SqlFragment): SqlFragment => sql`${member(operand, sql`'radiusKm'`)} * 1000`
const centre = (place: PlaceColumn, operand: SqlFragment): SqlFragment =>
  castPlace(place, point(place, member(operand, sql`'latitude'`), member(operand, sql`'longitude'`)), 'geography')

/** Tests the distance on the ellipsoid. Indexes on a geography column are used; a geometry needs an index on the same expression. */
function near(place: PlaceColumn, other: SqlFragment, distance: SqlFragment): SqlFragment {
  const { type, column } = place
  const geography = type === 'geography' ? column : castPlace(place, degrees(place, column), 'geography')
  return call(place, 'st_dwithin', geography, other, distance)
}

/** Adds a bounding box, which the index of a geometry column can use, to the exact condition. */
function boxed(place: PlaceColumn, operand: SqlFragment, decides: SqlFragment): SqlFragment {
  const { type, column, srid } = place
  if (type === 'geography' || srid !== WGS84) return decides
  const sides = [0, 1, 2, 3].map((index) => side(operand, index))
  const box = call(place, 'st_makeenvelope', ...sides, integer(WGS84))
  return sql`(${column} ${operator(place, sql`&&`)} ${box} AND ${decides})`
}

const within = onPlace((place, o) => boxed(place, o, near(place, centre(place, o), metres(o))))

/**
 * Tests for points in a box by their coordinates, because parallels are no great circles. For a geography, a circle around the box makes
 * the index usable.
 */
const inBox = onPlace((place, o) => {
  const at = degrees(place, place.column)
  const [x, y] = [call(place, 'st_x', at), call(place, 'st_y', at)]
  const [west, east] = [member(o, sql`'west'`), member(o, sql`'east'`)]
  const inside = sql`(${y} BETWEEN ${member(o, sql`'south'`)} AND ${member(o, sql`'north'`)} AND CASE WHEN ${west} <= ${east} THEN ${x} BETWEEN ${west} AND ${east} ELSE ${x} >= ${west} OR ${x} <= ${east} END)`
  return place.type === 'geography'
    ? sql`(${near(place, centre(place, o), metres(o))} AND ${inside})`
    : boxed(place, o, inside)
})

/** Converts GeoJSON from the client to a geometry in degrees. */
function given(place: PlaceColumn, json: SqlFragment): SqlFragment {
  return call(place, 'st_setsrid', call(place, 'st_geomfromgeojson', json), integer(WGS84))
}

/** Makes an operator for a spatial relation. The operand is converted to the column's type, so that the index on the column is used. */
const related = (name: string): EmitOperator =>
  onPlace((place, o) => {
    const geometry = given(place, o)
    if (place.type === 'geography') return call(place, name, place.column, castPlace(place, geometry, 'geography'))
    const other = place.srid === WGS84 ? geometry : call(place, 'st_transform', geometry, integer(place.srid))
    return call(place, name, place.column, other)
  })

/** SQL of the filter operators for PostGIS columns, by operator id. */
export const PLACES: readonly (readonly [OperatorId, EmitOperator])[] = [
  ['_eq:place', isFound],
  ['_neq:place', not(isEqual)],
  ['_in:place', isOneOf],
  ['_nin:place', not(isOneOf)],
  ['_distance_within:place', within],
  ['_within_bounding_box:place', inBox],
  // The edge is included. For a point and a polygon, every version supports this, also on the ellipsoid.
  ['_within_polygon:place', related('st_intersects')],
  ...['contains', 'crosses', 'equals', 'intersects', 'overlaps', 'touches', 'within'].map(
    (name) => [`_st_${name}:place`, related(`st_${name}`)] as const,
  ),
  [
    '_st_d_within:place',
    onPlace((place, o) => near(place, castPlace(place, given(place, sql`(${o} ->> 'from')`), 'geography'), metres(o))),
  ],
]
