import t from 'tap'
import { checkSpecials } from '../../../helpers/check-specials.ts'
import { PLACE_FIELDS as FIELDS, PROJECTED_FIELDS as PROJECTED } from '../../../helpers/place-cases.ts'
import { openWorld, type PlanWorld } from '../../../helpers/plan-world.ts'
import { createPlaces } from '../../../helpers/postgis.ts'
import { type SpecialField, specialSchema, specialSql } from '../../../helpers/special-cases.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

async function openPlaces(t: Parameters<typeof createPlaces>[0], sql: string, fields: readonly SpecialField[]) {
  const database = await createPlaces(t, sql)
  return database === null ? null : openWorld(t, database, specialSchema(fields))
}

t.test('operators of places run on each kind of column, and refuse their operands before the database', async (t) => {
  const sql = specialSql(FIELDS)
  const world = await openPlaces(t, sql, FIELDS)
  if (world === null) return
  await checkSpecials(t, world, FIELDS)
})

t.test('a column of another reference system is transformed both ways', async (t) => {
  const stored = specialSql(PROJECTED).replaceAll('3857', '4326').replaceAll('tb_special', 'tb_degrees')
  const sql = `${stored} CREATE TABLE tb_special AS SELECT id,
    gis.ST_Transform(projected, 3857)::gis.geometry(Point, 3857) AS projected,
    gis.ST_Transform(projected_shape, 3857)::gis.geometry(Geometry, 3857) AS projected_shape FROM tb_degrees;`
  const world = await openPlaces(t, sql, PROJECTED)
  if (world === null) return
  // What comes back from the projection is not the number that went in: it is found by what is read.
  const exact = new Set(['_eq', '_neq', '_in', '_nin', '_st_equals', '_st_touches'])
  const cases = PROJECTED.map((field) => ({
    ...field,
    cases: field.cases.filter(([name, operand]) => {
      if (name === '_distance_within') return (operand as { radiusKm: number }).radiusKm > 0
      if (name === '_within_bounding_box') return (operand as { south: number }).south !== 52.52
      return name !== '_st_d_within' ? !exact.has(name) : (operand as { radiusKm: number }).radiusKm > 0
    }),
  }))
  await checkSpecials(t, world, cases)
  const { rows } = await world.run('{ rows(orderBy: [{ id: ASC }]) { projected } }')
  for (const [index, { projected }] of rows.slice(0, 4).entries()) {
    const found = await world.run('query($at: Coordinates!) { rows(where: { projected: { _eq: $at } }) { id } }', {
      at: projected,
    })
    t.same(found.rows, [{ id: String(index + 1) }], `${projected} is found by what is read`)
  }
})

t.test('the text of a place finds what its column finds, within half a percent', async (t) => {
  const database = await createPlaces(
    t,
    `SELECT setseed(0.5);
     CREATE TABLE tb_place AS SELECT id, lat || ',' || lng AS words,
       gis.ST_SetSRID(gis.ST_MakePoint(lng, lat), 4326)::gis.geography(Point) AS sphere,
       gis.ST_SetSRID(gis.ST_MakePoint(lng, lat), 4326)::gis.geometry(Point, 4326) AS flat
     FROM (SELECT id, round((random() * 180 - 90)::numeric, 6)::float8 AS lat, round((random() * 360 - 180)::numeric, 6)::float8 AS lng
       FROM generate_series(1, 400) id) AS made;`,
  )
  if (database === null) return
  const world = await openWorld(
    t,
    database,
    tableSchema({
      name: 'Place',
      sql_source: 'tb_place',
      list: 'places',
      fields: [
        { name: 'id', type: 'Int!' },
        ...['words', 'sphere', 'flat'].map((name) => ({ name, type: 'Coordinates!' })),
      ],
    }),
  )
  const all = await world.run('{ places(orderBy: [{ id: ASC }]) { words sphere flat } }')
  t.equal(all.places.length, 400)
  t.ok(all.places.every(({ words, sphere, flat }: Record<string, string>) => words === sphere && words === flat))
  let tested = 0
  for (const [latitude, longitude] of [
    [52.52, 13.405],
    [-16.8, 179.9],
    [89.5, 0],
    [0, 0],
    [-88, -120],
    [35, -179.5],
  ])
    for (const radiusKm of [400, 2000, 9000, 15000]) {
      const near = await idsOf(world, latitude!, longitude!, radiusKm)
      const edge = await world.database.query(
        {
          name: null,
          text: `SELECT id FROM tb_place WHERE gis.ST_Distance(sphere, gis.ST_SetSRID(gis.ST_MakePoint($1, $2), 4326)::gis.geography)
            BETWEEN $3::float8 * 995 AND $3::float8 * 1005`,
        },
        [String(longitude), String(latitude), String(radiusKm)],
        null,
      )
      const unsure = new Set(edge.rows.map(([id]) => Number(id)))
      const sure = (ids: readonly number[]) => ids.filter((id) => !unsure.has(id))
      t.same(near.sphere, near.flat, 'both kinds of columns find the same')
      t.same(sure(near.words!), sure(near.sphere!), `${latitude},${longitude} within ${radiusKm} km`)
      tested += near.sphere!.length
    }
  t.ok(tested > 1000, `${tested} rows were found`)
})

async function idsOf(world: PlanWorld, latitude: number, longitude: number, radiusKm: number) {
  const found: Record<string, readonly number[]> = {}
  for (const field of ['words', 'sphere', 'flat']) {
    const { places } = await world.run(
      'query($where: PlaceWhereInput) { places(where: $where, orderBy: [{ id: ASC }]) { id } }',
      { where: { [field]: { _distance_within: { latitude, longitude, radiusKm } } } },
    )
    found[field] = places.map(({ id }: { id: number }) => id)
  }
  return found
}
