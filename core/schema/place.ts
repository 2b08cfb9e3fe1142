/** A PostGIS column, as the catalog describes it. */
export interface Place {
  readonly type: 'geography' | 'geometry'
  /** Geometry type: `Point`, `Polygon`, …; `Geometry`: any. */
  readonly shape: string
  /** Reference system of the coordinates; 0: the column does not restrict it. */
  readonly srid: number
  /** Schema of the extension PostGIS, which need not be on the search path. */
  readonly schema: string
}

/** EPSG code of WGS 84: degrees of longitude and latitude, as GPS and web maps use them. */
export const WGS84 = 4326

/** Types of PostGIS columns. */
export const PLACE_COLUMNS: readonly string[] = ['geography', 'geometry']

export function isPlaceColumn(type: string): type is Place['type'] {
  return PLACE_COLUMNS.includes(type)
}

/** Tests whether a scalar is stored in PostGIS columns. */
export function isPlace({ semantic }: { readonly semantic?: { readonly columns: readonly string[] } }): boolean {
  return semantic?.columns.some(isPlaceColumn) === true
}

/** Geometry types, in the order of their numbers in the type modifier of a PostGIS column. */
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

/** Tests whether GeoJSON can represent the geometry type. */
export function isInGeoJson(shape: string): boolean {
  return SHAPES.indexOf(shape) <= LAST_OF_GEO_JSON
}
