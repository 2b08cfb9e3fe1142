/** What a column of PostGIS holds, as the catalog says. */
export interface Place {
  readonly type: 'geography' | 'geometry'
  /** `Point`, `Polygon`, …; `Geometry`: any. */
  readonly shape: string
  /** Of its coordinates; 0: the column does not say. */
  readonly srid: number
  /** Where the extension lives, which need not be on the search path. */
  readonly schema: string
}

/** Degrees of longitude and latitude on the ellipsoid that maps on the web and satellites use. */
export const WGS84 = 4326

/** The types of columns that places are. */
export const PLACE_COLUMNS: readonly string[] = ['geography', 'geometry']

export function isPlaceColumn(type: string): type is Place['type'] {
  return PLACE_COLUMNS.includes(type)
}

/** Is a value of this scalar a place, which a column of PostGIS holds? */
export function isPlace({ semantic }: { readonly semantic?: { readonly columns: readonly string[] } }): boolean {
  return semantic?.columns.some(isPlaceColumn) === true
}

/** As PostGIS numbers them in the modifier of a column. */
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

/** Those behind have no word in GeoJSON. */
const LAST_OF_GEO_JSON = SHAPES.indexOf('GeometryCollection')

/** Can GeoJSON say what a column of this shape holds? */
export function isInGeoJson(shape: string): boolean {
  return SHAPES.indexOf(shape) <= LAST_OF_GEO_JSON
}
