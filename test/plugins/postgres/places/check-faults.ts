import type { Database } from '../../../../core/contract/database.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { at, faultsOf } from '../../../helpers/compile-faults.ts'
import { readCatalogFor } from '../../../helpers/compile-fixture.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { field, SCHEMA, TYPE } from './sites.ts'

/** Columns and options that a schema may not have. */
export async function checkFaults(t: TestLike, database: Database): Promise<void> {
  const faults = async (fields: readonly object[], more: object = {}): Promise<readonly string[]> => {
    const schema = {
      version: '1',
      types: [
        { ...TYPE, fields: [field('id', 'ID!'), ...fields.map((each, i) => ({ ...each, ...at(i + 1) }))], ...at(20) },
      ],
      queries: [{ name: 'sites', type: '[Site!]!', ...at(30) }],
      ...more,
    }
    return faultsOf(schema, {
      catalog: await readCatalogFor(schema as unknown as AuthoredSchema, database),
      dialect: database.dialect,
    })
  }
  t.strictSame(
    await faults([
      field('loose', 'GeoJSON'),
      field('old', 'Coordinates'),
      field('area', 'Coordinates'),
      field('wide', 'Coordinates'),
      field('mapped', 'Coordinates'),
      field('curve', 'GeoJSON'),
      field('place', 'Coordinates', { searchable: true, orderable: true, filter_type: 'StringFilter' }),
      field('words', 'GeoJSON'),
    ]),
    [
      '1:3 place: Site.loose: its column, a geometry, does not say its reference system (SRID). ALTER its type to geometry(Geometry, 4326) in the table, or cast it in the view: loose::geometry(Geometry, 4326).',
      '2:3 place: Site.old: its column, a geography, has the reference system 4267. Make it one of 4326, or cast it in the view: old::geography(Point).',
      '3:3 place: Site.area: Coordinates is one point, and its column, a geography, is a Polygon. Declare GeoJSON, or cast it in the view: area::geography(Point).',
      '4:3 place: Site.wide: Coordinates is one point, and its column, a geography, may be any. Declare GeoJSON, or cast it in the view: wide::geography(Point).',
      '5:3 place: Site.mapped: Coordinates is one point, and its column, a geometry, is a Polygon. Declare GeoJSON, or cast it in the view: mapped::geometry(Point, 25832).',
      '6:3 place: Site.curve: GeoJSON has no CircularString. Make it lines in the view: ST_CurveToLine(curve).',
      '7:3 place: Site.place: search reads text, and a column of PostGIS is none. Drop searchable.',
      '7:3 place: Site.place: places have no order. Drop orderable.',
      '7:3 place: Site.place: a column of PostGIS has filters of its own. Drop filter_type, or leave some with filter_operators.',
      '8:3 place: Site.words: GeoJSON is read from a column of PostGIS or of JSON, and its column is text. Cast the column in the view.',
    ],
  )
  t.match(await faults([field('many', '[Coordinates!]')]), [
    /^1:3 place: Site.many: lists of places are not read. Make it one MultiPoint/,
  ])
  t.match(await faults([field('place', '[Coordinates!]')]), [/^1:3 column-type: .* is geography. Declare GeoJSON, or/])
  t.match(await faults([field('place', 'Int')]), [/^1:3 column-type: .*geography.*Declare GeoJSON, or cast/])
  t.match(
    await faults([
      field('words', 'Coordinates', { filter_operators: ['_within_polygon'] }),
      field('place', 'Coordinates', { filter_operators: ['_distance_within', '_like'] }),
    ]),
    [
      /^1:3 filter-operator: Site.words: Coordinates has no operator "_within_polygon". It needs a column of the type geography, geometry./,
      /^2:3 filter-operator: Site.place: Coordinates has no operator "_like"/,
    ],
  )
  const mutations = [
    {
      name: 'whereIs',
      type: 'Coordinates',
      sql_source: 'fn_where_is',
      arguments: [field('id', 'Int!')],
      operation: 'CUSTOM',
      ...at(9),
    },
  ]
  t.match(await faults([field('place', 'Coordinates')], { mutations }), [
    /^9:3 place: whereIs: its function gives a geography, which is bytes to everybody else. Have it return/,
  ])
  const catalog = await readCatalogFor(SCHEMA, database)
  const relations = new Map(
    [...catalog.relations].map(([name, { columns, ...relation }]) => {
      const unknown = columns.map(({ place: _, ...column }) => column)
      return [name, { ...relation, columns: unknown }] as const
    }),
  )
  const type = { ...TYPE, fields: [field('id', 'ID!'), field('place', 'Coordinates', at(1))], ...at(20) }
  const without = { version: '1', types: [type], queries: [{ name: 'sites', type: '[Site!]!', ...at(30) }] }
  t.match(faultsOf(without, { catalog: { ...catalog, relations, extensions: [] }, dialect: database.dialect }), [
    /^1:3 place: Site.place: its column is a geography, and the database has no extension postgis. Create it/,
  ])
}
