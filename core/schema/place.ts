/** Properties of a geometry column (PostGIS), from the database catalog. */
export interface Place {
  readonly type: 'geography' | 'geometry'
  /** Geometry type of the column: `Point`, `Polygon`, …; `Geometry`: any type. */
  readonly shape: string
  /** SRID of the coordinates' spatial reference system; 0: the column does not restrict it. */
  readonly srid: number
  /** Database schema in which PostGIS is installed. It need not be on the search path. */
  readonly schema: string
}

/** EPSG code (SRID) of the coordinate system WGS 84: longitude and latitude in degrees, as in GPS and web maps. */
export const WGS84 = 4326

/** Database types of geometry columns (PostGIS). */
export const PLACE_COLUMNS: readonly string[] = ['geography', 'geometry']

export function isPlaceColumn(type: string): type is Place['type'] {
  return PLACE_COLUMNS.includes(type)
}

/** Tests whether a scalar, such as GeoJSON, can be stored in PostGIS columns. */
export function isPlace({ semantic }: { readonly semantic?: { readonly columns: readonly string[] } }): boolean {
  return semantic?.columns.some(isPlaceColumn) === true
}

/** Geometry types of PostGIS. The index is the number of the type in the type modifier of a column. */
export const SHAPES: readonly string[] = [
  'Geometry',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
  'CircularString',
  'CompoundCurve',
  'CurvePolygon',
  'MultiCurve',
  'MultiSurface',
  'PolyhedralSurface',
  'Triangle',
  'Tin',
]

/** Last geometry type that GeoJSON has a name for. */
const LAST_OF_GEO_JSON = SHAPES.indexOf('GeometryCollection')

/**
 * Tests whether GeoJSON has the geometry type. It lacks curves and surfaces.
 * @param shape one of {@link SHAPES}
 */
export function isInGeoJson(shape: string): boolean {
  return SHAPES.indexOf(shape) <= LAST_OF_GEO_JSON
}
