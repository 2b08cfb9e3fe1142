import t from 'tap'
import type { Database } from '../../../../core/contract/database.ts'
import type { TestDatabase } from '../../../helpers/databases.ts'
import { type ExecuteWorld, executeWorldOn } from '../../../helpers/execute-world.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { worldOn } from '../../../helpers/plan-world.ts'
import { createPlaces } from '../../../helpers/postgis.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { openapiPlugin } from '../../openapi/world.ts'
import { restPlugin } from '../../rest/world.ts'
import { checkFaults } from './check-faults.ts'
import { SCHEMA, SQL } from './sites.ts'

// proves: error.place
t.test('places of PostGIS', async (t) => {
  const test = await createPlaces(t, SQL)
  if (test === null) return
  const database = await openTestDatabase(t, test)
  const world = await executeWorldOn(database, SCHEMA)
  await t.test('are read in the wire form of their scalars', (t) => checkReads(t, world))
  await t.test('are written by arguments and inputs, and read back from what functions give', (t) =>
    checkWrites(t, world),
  )
  await t.test('have the operators that their columns have, and no others', (t) => checkOffered(t, world))
  await t.test('are found by their indexes', (t) => checkIndexes(t, database))
  await t.test('are requested over REST, and described in its document', (t) => checkRest(t, test))
  await t.test('are refused by name when compiled', (t) => checkFaults(t, database))
})

const LINE = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [1, 1],
  ],
}

async function checkReads(t: TestLike, world: ExecuteWorld): Promise<void> {
  const { data, errors } = await world.run(
    '{ sites(orderBy: [{ id: ASC }]) { words place flat projected high area shape mapped saved inner } }',
  )
  t.same(errors, [])
  const [{ projected, mapped, ...first }, second] = data.sites
  t.same(first, {
    words: '52.52,13.405',
    place: '52.52,13.405',
    flat: '-0.1,0.00000012',
    high: { type: 'Point', coordinates: [1, 2, 3] },
    area: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    shape: { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }, LINE] },
    saved: { type: 'Point', coordinates: [1, 2] },
    inner: { type: 'Point', coordinates: [3, 4] },
  })
  const [lat, lng] = projected.split(',').map(Number)
  t.ok(Math.abs(lat - 50) < 1e-9 && Math.abs(lng - 9) < 1e-9, projected)
  t.ok(Math.abs(mapped.coordinates[0][1][0] - 9.1) < 1e-9, 'degrees of a projected polygon')
  t.ok(
    Object.values(second).every((value) => value === null),
    'an empty point has no coordinates',
  )
  t.same((await world.run('{ siteAt(place: "52.520,13.4050") { id } }')).data, { siteAt: { id: '1' } })
  t.same((await world.run('{ siteAt(place: "52.521,13.4050") { id } }')).data, { siteAt: null })
}

async function checkWrites(t: TestLike, world: ExecuteWorld): Promise<void> {
  const shape = {
    type: 'MultiPoint',
    coordinates: [
      [1.5, 2],
      [3, 4],
    ],
  }
  const added = await world.run(
    'mutation($shape: GeoJSON) { addSite(id: 3, place: { lat: 1.25, lng: -2 }, shape: $shape) { place flat shape area } }',
    { shape },
  )
  t.same(added.errors, [])
  t.same(added.data, { addSite: { place: '1.25,-2', flat: '1.25,-2', shape, area: null } })
  const literal = await world.run(
    'mutation { addSite(id: 4, place: "0,0", shape: { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }) { id shape } }',
  )
  t.same(literal.errors, [])
  t.equal(literal.data.addSite.shape.type, 'Polygon')
  t.same((await world.run('mutation { addSite(id: 5, place: "0,0") { shape } }')).data, { addSite: { shape: null } })
  const area = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  }
  const put = await world.run(
    'mutation($input: SiteInput!) { putSite(input: $input) { words place area projected } }',
    { input: { id: 6, place: '5,6.5', area } },
  )
  t.same(put.errors, [])
  const { projected, ...rest } = put.data.putSite
  t.same(rest, { words: '5,6.5', place: '5,6.5', area })
  t.match(projected, /^(50|49\.9999)\S*,(9|8\.9999)/, 'degrees, where the function gave a row in metres')
  t.same(await world.look('SELECT count(*) FROM tb_site WHERE id > 2'), [['4']])
}

async function checkOffered(t: TestLike, world: ExecuteWorld): Promise<void> {
  const ask = (where: string) => world.run(`{ sites(where: { ${where} }, orderBy: [{ id: ASC }]) { id } }`)
  t.same((await ask('place: { _is_null: true }')).data.sites, [{ id: '2' }])
  t.same((await ask('area: { _is_not_null: true }')).data.sites, [{ id: '1' }, { id: '6' }])
  t.same((await ask('place: { _in: [] }')).data.sites, [])
  t.same((await ask('words: { _distance_within: { latitude: 52.5, longitude: 13.4, radiusKm: 9 } }')).data.sites, [
    { id: '1' },
  ])
  t.same((await ask('saved: { _contains: { type: "Point" } }')).data.sites, [{ id: '1' }])
  for (const [where, message] of [
    ['place: { _like: "5%" }', /"_like" is not defined by type "CoordinatesGeographyFilter"/],
    ['flat: { _gt: "1,1" }', /"_gt" is not defined by type "CoordinatesGeometryFilter"/],
    ['words: { _within_polygon: { type: "Point" } }', /"_within_polygon" is not defined by type "CoordinatesFilter"/],
    ['area: { _st_within: { type: "Point" } }', /"_st_within" is not defined by type "GeoJSONGeographyFilter"/],
    ['saved: { _st_intersects: { type: "Point" } }', /"_st_intersects" is not defined by type "GeoJSONFilter"/],
    ['shape: { _has_key: "type" }', /"_has_key" is not defined by type "GeoJSONGeometryFilter"/],
    [
      'place: { _within_polygon: { type: "Polygon", coordinates: [[[0, 0], [1, 0], [1, 1]]] } }',
      /a list of 4 positions at least/,
    ],
  ] as const)
    await t.rejects(ask(where), message, where)
  for (const [document, message] of [
    ['{ sites(orderBy: [{ place: ASC }]) { id } }', /"place" is not defined by type "SiteOrderByInput"/],
    ['{ sitesGroups(groupBy: [place]) { count } }', /"place" does not exist/],
    ['{ sitesAggregate { min { place } } }', /"place"/],
  ] as const)
    await t.rejects(world.run(document), message, document)
}

async function checkRest(t: TestLike, test: TestDatabase): Promise<void> {
  const app = await openApp(t, test, SCHEMA, { plugins: [restPlugin(), openapiPlugin()] })
  const ids = async (query: string): Promise<unknown> => {
    const { status, text, json } = await app.inject({ url: `/rest/v1/sites?select=id&${query}` })
    return status === 200 ? json<{ data: { id: string }[] }>().data.map(({ id }) => id) : [status, text]
  }
  const square = encodeURIComponent('{"type":"Polygon","coordinates":[[[13,52],[14,52],[14,53],[13,53],[13,52]]]}')
  t.same(await ids(`place[within_polygon]=${square}`), ['1'])
  t.same(await ids('place[eq]=52.52,13.405'), ['1'])
  t.same(await ids(`shape[st_intersects]=${encodeURIComponent('{"type":"Point","coordinates":[1,2]}')}`), ['1'])
  const near = { place: { withinRadius: { latitude: 52.5, longitude: 13.4, radiusKm: 5 } } }
  t.same(await ids(`filter=${encodeURIComponent(JSON.stringify(near))}`), ['1'])
  t.match(await ids('shape[st_intersects]=nowhere'), [422, /is not valid JSON/])
  t.match(await ids(`place[within_polygon]=${encodeURIComponent('{"type":"Point","coordinates":[1,2]}')}`), [
    422,
    /the operand is a Polygon or a MultiPolygon, not a Point/,
  ])
  const { text } = await app.inject({ url: '/rest/v1/openapi.json' })
  t.match(text, /"within_?bounding_?box".*"st_?d_?within"/i, 'the document has its operators')
}

async function checkIndexes(t: TestLike, database: Database): Promise<void> {
  const world = await worldOn(database, SCHEMA)
  const berlin = { latitude: 52.52, longitude: 13.405, radiusKm: 30 }
  const box = { south: 52, west: 13, north: 53, east: 14 }
  const polygon = {
    type: 'Polygon',
    coordinates: [
      [
        [13, 52],
        [14, 52],
        [14, 53],
        [13, 52],
      ],
    ],
  }
  for (const [name, filter, index] of [
    ['place', { _distance_within: berlin }, 'many_place'],
    ['flat', { _distance_within: berlin }, 'many_flat'],
    ['place', { _within_bounding_box: box }, 'many_place'],
    ['flat', { _within_bounding_box: box }, 'many_flat'],
    ['place', { _within_polygon: polygon }, 'many_place'],
    ['flat', { _within_polygon: polygon }, 'many_flat'],
    ['place', { _eq: '52.52,13.405' }, 'many_place'],
    ['flat', { _eq: '52.52,13.405' }, 'many_flat'],
    ['shape', { _st_intersects: polygon }, 'many_flat'],
    ['shape', { _st_within: polygon }, 'many_flat'],
  ] as const) {
    const variables = { where: { [name]: filter } }
    const query = 'query($where: ManyWhereInput) { many(where: $where) { id } }'
    const prepared = world.prepare(query, variables)
    const plan = await database.explain(
      prepared.statement!,
      prepared.bind(world.operation(query, variables).variables, null),
    )
    t.match(plan, new RegExp(`"Index Name": "${index}"`), `${name} ${Object.keys(filter)[0]}`)
  }
}
