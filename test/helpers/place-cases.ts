import type { SpecialField } from './special-cases.ts'

const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 47],
      [15, 47],
      [15, 53],
      [10, 53],
      [10, 47],
    ],
  ],
}
const BOX = { south: 47, west: 10, north: 53, east: 15 }

/** Berlin, Munich, Sydney, and a place beside the 180th meridian. */
const points = (field: string, column: string, form: (point: string) => string): SpecialField => ({
  field,
  scalar: 'Coordinates',
  column,
  values: ['13.405 52.52', '11.5756 48.1372', '151.2093 -33.8688', '179.99 -16.8'].map((at) => form(`POINT(${at})`)),
  cases: [
    ['_eq', '52.52,13.405', [1], '52.52'],
    ['_eq', { lat: 52.52, lng: 13.405 }, [1], '91,0'],
    ['_neq', '52.5200,13.4050', [2, 3, 4]],
    ['_in', ['52.52,13.405', '-33.8688,151.2093'], [1, 3], ['52.52']],
    ['_nin', ['52.52,13.405', '-33.8688,151.2093'], [2, 4]],
    [
      '_distance_within',
      { latitude: 52.52, longitude: 13.405, radiusKm: 510 },
      [1, 2],
      { latitude: 95, longitude: 13.4, radiusKm: 1 },
    ],
    [
      '_distance_within',
      { latitude: 52.52, longitude: 13.405, radiusKm: 500 },
      [1],
      { latitude: 52.5, longitude: 13.4, radiusKm: -1 },
    ],
    ['_distance_within', { latitude: 52.52, longitude: 13.405, radiusKm: 30000 }, [1, 2, 3, 4]],
    ['_distance_within', { latitude: 52.52, longitude: 13.405, radiusKm: 0 }, [1]],
    ['_distance_within', { latitude: -16.8, longitude: -179.99, radiusKm: 3 }, [4]],
    ['_distance_within', { latitude: 90, longitude: 0, radiusKm: 4200 }, [1]],
    ['_distance_within', { latitude: 90, longitude: -120, radiusKm: 4700 }, [1, 2]],
    ['_within_bounding_box', BOX, [1, 2], { south: 53, west: 10, north: 47, east: 15 }],
    ['_within_bounding_box', { south: -40, west: 150, north: 0, east: -170 }, [3, 4], { south: 1 }],
    ['_within_bounding_box', { south: -90, west: -180, north: 90, east: 180 }, [1, 2, 3, 4]],
    ['_within_bounding_box', { south: 52, west: -180, north: 53, east: 180 }, [1]],
    ['_within_bounding_box', { south: 52.52, west: 13.405, north: 52.52, east: 13.405 }, [1]],
    ['_within_polygon', POLYGON, [1, 2], { type: 'Point', coordinates: [13, 52] }],
  ],
})

const LINE = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [4, 4],
  ],
}
const SQUARE = (from: number, to: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ],
  ],
})
const OUT = { type: 'Point', coordinates: [181, 0] }

/** Two squares that overlap, a line through both, a point. */
const SHAPES = ['POLYGON((1 1,3 1,3 3,1 3,1 1))', 'POLYGON((2 2,5 2,5 5,2 5,2 2))', 'LINESTRING(0 0,4 4)', 'POINT(9 9)']

const shapes = (field: string, column: string, form: (shape: string) => string): SpecialField => ({
  field,
  scalar: 'GeoJSON',
  column,
  values: SHAPES.map(form),
  cases: [
    ['_st_intersects', SQUARE(3.5, 4.5), [2, 3], OUT],
    [
      '_st_d_within',
      { from: { type: 'Point', coordinates: [9, 9] }, radiusKm: 700 },
      [2, 4],
      { from: OUT, radiusKm: 1 },
    ],
    ['_st_d_within', { from: LINE, radiusKm: 0 }, [1, 2, 3], { from: LINE, radiusKm: -1 }],
  ],
})

/** What lines in degrees have, and great circles have not. */
const flat = (field: string, column: string, form: (shape: string) => string): SpecialField => ({
  ...shapes(field, column, form),
  cases: [
    ...shapes(field, column, form).cases,
    ['_st_contains', { type: 'Point', coordinates: [2.5, 2.7] }, [1, 2], { type: 'Point' }],
    ['_st_crosses', SQUARE(1, 3), [3]],
    [
      '_st_equals',
      {
        type: 'LineString',
        coordinates: [
          [4, 4],
          [0, 0],
        ],
      },
      [3],
    ],
    ['_st_overlaps', SQUARE(0, 2.5), [1, 2]],
    [
      '_st_touches',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [-1, -1],
        ],
      },
      [3],
    ],
    ['_st_within', SQUARE(0, 4), [1, 3]],
  ],
})

const ewkt = (text: string) => `SRID=4326;${text}`

/** What PostGIS has, in columns of each kind. @param schema in which the extension is */
export const placeFields = (schema: string): readonly SpecialField[] => [
  points('sphere', `${schema}.geography(Point)`, ewkt),
  points('flat', `${schema}.geometry(Point, 4326)`, ewkt),
  shapes('sphere_shape', `${schema}.geography`, ewkt),
  flat('flat_shape', `${schema}.geometry(Geometry, 4326)`, ewkt),
]

export const PLACE_FIELDS = placeFields('gis')

/** The same in metres of the web's maps, into which the values have to be transformed. */
export const PROJECTED_FIELDS: readonly SpecialField[] = [
  points('projected', 'gis.geometry(Point, 3857)', ewkt),
  flat('projected_shape', 'gis.geometry(Geometry, 3857)', ewkt),
]
