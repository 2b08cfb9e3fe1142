import t from 'tap'
import { createPglite, eachDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { openTestDatabase } from '../helpers/open-database.ts'
import { GRID, GRID_SQL } from './grid.ts'
import { mariaDbGrid, sqliteGrid } from './grid-rows.ts'

/** Queries, types and fields, against the real service on every database. Plain SQL gives the expected rows. */
t.setTimeout(180_000)

/** Database for the plain SQL, when the database under test has another dialect. */
const reference = await openTestDatabase(t, { kind: 'pglite', url: await createPglite(t, { sql: GRID_SQL }) })

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, GRID)
    /** Data of a request that must not fail. */
    const data = async (query: string, variables?: object) => {
      const { status, data, errors } = await app.graphql(query, variables)
      if (status !== 200 || errors !== undefined) throw new Error(JSON.stringify({ status, errors }))
      return data
    }
    /** One JSON value, made by plain SQL. */
    const sql = async (text: string) => {
      const plain = database.kind === 'sqlite' || database.kind === 'mysql' ? reference : app.database
      const { rows } = await plain.query({ name: null, text }, [], null)
      return JSON.parse(rows[0]?.[0] ?? 'null')
    }
    const list = (select: string, from: string) =>
      sql(`SELECT coalesce(json_agg(row_to_json(r)), '[]') FROM (SELECT ${select} FROM ${from}) r`)

    await t.test('to-many relations, four levels deep', async (t) => {
      const { regions } = await data(`{
        regions { regionName sites { name devices { serial readings { value takenAt } } } }
      }`)
      const expected = await sql(`
        SELECT json_agg(json_build_object('regionName', region_name, 'sites', (
          SELECT coalesce(json_agg(json_build_object('name', name, 'devices', (
            SELECT coalesce(json_agg(json_build_object('serial', serial, 'readings', (
              SELECT coalesce(json_agg(json_build_object('value', value,
                'takenAt', to_char(taken_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS+00:00')) ORDER BY pk_reading), '[]')
              FROM tb_reading WHERE fk_device = pk_device)) ORDER BY pk_device), '[]')
            FROM tb_device WHERE fk_site = pk_site)) ORDER BY pk_site), '[]')
          FROM tb_site WHERE fk_region = pk_region)) ORDER BY pk_region)
        FROM tb_region`)
      t.strictSame(regions, expected)
      t.strictSame(regions[4].sites, [], 'a region without sites has an empty list')
      t.equal(regions[0].sites[0].devices[0].readings.length, 4, 'there is something at the bottom')
    })

    await t.test('to-one relations, four levels deep; null where there is no parent', async (t) => {
      const { readings } = await data('{ readings { value device { serial site { name region { regionName } } } } }')
      const expected = await sql(`
        SELECT json_agg(json_build_object('value', value, 'device', json_build_object('serial', serial, 'site',
          json_build_object('name', name, 'region',
            CASE WHEN pk_region IS NOT NULL THEN json_build_object('regionName', region_name) END))) ORDER BY pk_reading)
        FROM tb_reading JOIN tb_device ON pk_device = fk_device JOIN tb_site ON pk_site = fk_site
        LEFT JOIN tb_region ON pk_region = fk_region`)
      t.strictSame(readings, expected)
      t.ok(readings.some((reading: { device: { site: { region: unknown } } }) => reading.device.site.region === null))
    })

    await t.test('aliases: of fields, of roots, and of one relation with different arguments', async (t) => {
      const answer = await data(
        `query ($cheap: Decimal) {
        first: region(id: "${(await list('id', 'tb_region WHERE pk_region = 1'))[0].id}") {
          title: regionName
          byName: sites(orderBy: [{ name: DESC }], limit: 2) { name }
          second: sites(offset: 1, limit: 1) { name }
          cheap: sites(where: { devices: { some: { price: { _lt: $cheap } } } }) {
            name
            all: devices { serial }
            cheap: devices(where: { price: { _lt: $cheap } }) { serial }
          }
        }
        second: region(id: "${(await list('id', 'tb_region WHERE pk_region = 2'))[0].id}") { title: regionName }
      }`,
        { cheap: '30' },
      )
      t.strictSame(Object.keys(answer), ['first', 'second'])
      t.strictSame(answer.second, { title: 'Region 2' })
      const { first } = answer
      t.strictSame(first.byName, await list('name', 'tb_site WHERE fk_region = 1 ORDER BY name DESC LIMIT 2'))
      t.strictSame(first.second, await list('name', 'tb_site WHERE fk_region = 1 ORDER BY pk_site LIMIT 1 OFFSET 1'))
      const devices = (condition: string) =>
        `(SELECT json_agg(json_build_object('serial', serial) ORDER BY pk_device) FROM tb_device WHERE fk_site = pk_site AND ${condition})`
      t.strictSame(
        first.cheap,
        await list(
          `name, ${devices('true')} AS "all", ${devices('price < 30')} AS cheap`,
          'tb_site WHERE fk_region = 1 AND EXISTS (SELECT FROM tb_device WHERE fk_site = pk_site AND price < 30) ORDER BY pk_site',
        ),
      )
      t.ok(first.cheap.length > 0)
    })

    await t.test('fragments: named, inline, in each other, merged with fields beside them', async (t) => {
      const answer = await data(`
        query { regions(limit: 1) { ...Top regionName sites(limit: 1) { devices(limit: 1) { serial } } } }
        fragment Top on Region { id: regionName ...Sites ... on Region { area } ... @include(if: true) { area } }
        fragment Sites on Region { sites(limit: 1) { name ...Devices } }
        fragment Devices on Site { devices(limit: 1) { state } }`)
      t.strictSame(answer, {
        regions: [
          {
            id: 'Region 1',
            sites: [
              {
                name: 'Site A',
                devices: await list(
                  `CASE state WHEN 'on' THEN 'RUNNING' WHEN 'off' THEN 'STOPPED' END AS state, serial`,
                  'tb_device WHERE fk_site = 1 ORDER BY pk_device LIMIT 1',
                ),
              },
            ],
            area: '1.250',
            regionName: 'Region 1',
          },
        ],
      })
    })

    await t.test('@skip and @include, as literals and by variables, on fields, fragments and roots', async (t) => {
      const query = `query ($yes: Boolean!, $no: Boolean = false) {
        a: regions(limit: 1) @include(if: $yes) { regionName @skip(if: $yes) area @include(if: $yes) }
        b: regions(limit: 1) @skip(if: $yes) { regionName }
        c: regions(limit: 1) { ... @include(if: $no) { regionName } ...N @skip(if: $no) id @include(if: $yes) @skip(if: $yes) }
        d: regions(limit: 1) { __typename regionName @skip(if: true) }
      }
      fragment N on Region { n: regionName }`
      t.strictSame(await data(query, { yes: true }), {
        a: [{ area: '1.250' }],
        c: [{ n: 'Region 1' }],
        d: [{ __typename: 'Region' }],
      })
      t.strictSame(await data(query, { yes: false, no: true }), {
        b: [{ regionName: 'Region 1' }],
        c: [{ regionName: 'Region 1' }],
        d: [{ __typename: 'Region' }],
      })
      t.strictSame(await data('{ regions @skip(if: true) { id } }'), {}, 'nothing is left')
    })

    await t.test('__typename alone, everywhere; the order of the selection is the order of the answer', async (t) => {
      const reply = await app.inject({
        method: 'POST',
        url: '/graphql',
        body: {
          query: `{ z: __typename devicePages(first: 1) { __typename pageInfo { __typename } edges { __typename node { __typename } } }
            sites(limit: 1) { __typename items { __typename region { __typename } } } a: regions(limit: 2) { __typename } }`,
        },
      })
      t.equal(
        reply.text,
        '{"data":{"z":"Query","devicePages":{"__typename":"DeviceConnection","pageInfo":{"__typename":"PageInfo"},"edges":[{"__typename":"DeviceEdge","node":{"__typename":"Device"}}]},' +
          '"sites":{"__typename":"SiteList","items":[{"__typename":"Site","region":{"__typename":"Region"}}]},"a":[{"__typename":"Region"},{"__typename":"Region"}]}}',
      )
    })

    // proves: auto_params.where
    await t.test('where', async (t) => {
      const has = (condition: string) =>
        `EXISTS (SELECT FROM tb_reading WHERE fk_device = pk_device AND (${condition}))`
      const cases: readonly (readonly [string, string])[] = [
        ['{}', 'true'],
        ['{ serial: { _eq: "SN-037" } }', "serial = 'SN-037'"],
        ['{ serial: { _neq: "SN-037" }, price: { _gt: "40" } }', "serial <> 'SN-037' AND price > 40"],
        ['{ price: { _gte: "11.00", _lte: 22 } }', 'price BETWEEN 11 AND 22'],
        ['{ price: { _is_null: true } }', 'price IS NULL'],
        ['{ price: { _is_null: false } }', 'price IS NOT NULL'],
        ['{ state: { _eq: RUNNING } }', "state = 'on'"],
        ['{ state: { _in: [RUNNING, STOPPED] } }', 'state IS NOT NULL'],
        ['{ state: { _nin: [STOPPED] } }', "state <> 'off'"],
        ['{ sold: { _gt: "9007199254741050" } }', 'sold > 9007199254741050'],
        ['{ sold: { _in: ["9007199254741000", 9007199254741001] } }', 'sold IN (9007199254741000, 9007199254741001)'],
        ['{ serial: { _in: [] } }', 'false'],
        ['{ serial: { _startswith: "SN-0", _endswith: "7" } }', "serial LIKE 'SN-0%7'"],
        ['{ serial: { _icontains: "sn-1" } }', "serial LIKE 'SN-1%'"],
        ['{ serial: { _contains: "%" } }', 'false'],
        ['{ serial: { _like: "SN-_1_" } }', "serial LIKE 'SN-_1_'"],
        ['{ serial: { _regex: "^SN-[01]" } }', "serial ~ '^SN-[01]'"],
        ['{ builtAt: { _gte: "2024-03-01T01:00:00+02:00" } }', "built_at >= '2024-02-29 23:00:00+00'"],
        ['{ builtAt: { _day: 29 } }', "extract(day FROM built_at AT TIME ZONE 'UTC') = 29"],
        ['{ _not: { state: { _eq: RUNNING } } }', "NOT state = 'on'"],
        ['{ _or: [{ state: { _eq: RUNNING } }, { price: { _lt: "5" } }] }', "state = 'on' OR price < 5"],
        ['{ _and: [{ price: { _gt: "5" } }, { price: { _lt: "9" } }] }', 'price > 5 AND price < 9'],
        [
          '{ state: { _eq: STOPPED }, _or: [{ price: { _lt: "20" } }, { _not: { serial: { _gt: "SN-020" } } }] }',
          "state = 'off' AND (price < 20 OR NOT serial > 'SN-020')",
        ],
        ['{ _or: [] }', 'false'],
        ['{ _and: [] }', 'true'],
        ['{ site: { name: { _eq: "Site C" } } }', 'fk_site = 3'],
        ['{ site: { region: {} } }', 'fk_site % 5 <> 0'],
        ['{ _not: { site: { region: {} } } }', 'fk_site % 5 = 0'],
        ['{ site: { region: { regionName: { _endswith: "2" } } } }', 'fk_site % 5 = 2'],
        ['{ readings: { some: { value: { _gt: 39 } } } }', has('value > 39')],
        ['{ readings: { none: { value: { _gt: 20 } } } }', `NOT ${has('value > 20')}`],
        ['{ readings: { every: { value: { _gt: 2.5 } } } }', `NOT ${has('value IS NULL OR value <= 2.5')}`],
        [
          '{ readings: { some: { value: { _is_null: true } }, none: { value: { _gt: 35 } } } }',
          `${has('value IS NULL')} AND NOT ${has('value > 35')}`,
        ],
      ]
      for (const [where, condition] of cases) {
        const { devices } = await data(`{ devices(where: ${where}) { id } }`)
        t.strictSame(devices, await list('id', `tb_device WHERE ${condition} ORDER BY pk_device`), where)
      }
      const variables = { w: { _or: [{ state: { _eq: 'RUNNING' } }, { site: { name: { _in: ['Site B'] } } }] } }
      const byVariable = await data('query ($w: DeviceWhereInput!) { devices(where: $w) { id } }', variables)
      t.strictSame(
        byVariable.devices,
        await list('id', "tb_device WHERE state = 'on' OR fk_site = 2 ORDER BY pk_device"),
      )
    })

    // proves: auto_params.order_by auto_params.limit auto_params.offset
    await t.test('orderBy, limit and offset: every row once, in one total order', async (t) => {
      const cases: readonly (readonly [string, string])[] = [
        ['', 'pk_device'],
        ['[{ serial: ASC }]', 'serial, pk_device'],
        ['{ serial: DESC }', 'serial DESC, pk_device DESC'],
        [
          '[{ state: ASC_NULLS_FIRST }, { price: DESC_NULLS_LAST }]',
          'state ASC NULLS FIRST, price DESC NULLS LAST, pk_device DESC',
        ],
        ['[{ state: DESC }]', 'state DESC, pk_device DESC'],
        ['[{ builtAt: DESC_NULLS_FIRST }]', 'built_at DESC, pk_device DESC'],
      ]
      for (const [orderBy, order] of cases) {
        const all = await list('id', `tb_device ORDER BY ${order}`)
        const seen: unknown[] = []
        for (let offset = 0; offset < 100; offset += 30) {
          const args = orderBy === '' ? '' : `orderBy: ${orderBy}, `
          const { devices } = await data(`query ($o: Int) { devices(${args}limit: 30, offset: $o) { id } }`, {
            o: offset,
          })
          seen.push(...devices)
        }
        t.strictSame(seen, all, orderBy)
      }
      t.strictSame((await data('{ devices(limit: 0) { id } }')).devices, [])
      const variables = { o: [{ state: 'ASC_NULLS_LAST' }, { serial: 'DESC' }] }
      const { devices } = await data('query ($o: [DeviceOrderByInput!]) { devices(orderBy: $o) { id } }', variables)
      t.strictSame(devices, await list('id', 'tb_device ORDER BY state, serial DESC, pk_device DESC'))
    })

    // proves: query.arguments mapping.query-nullable
    await t.test('single objects by argument; declared arguments of a list are equalities', async (t) => {
      const [{ id }] = await list('id', 'tb_region WHERE pk_region = 2')
      t.strictSame(await data('query ($id: ID!) { region(id: $id) { id regionName } }', { id }), {
        region: { id, regionName: 'Region 2' },
      })
      t.strictSame(await data('query ($id: ID!) { region(id: $id) { id } }', { id: id.toUpperCase() }), {
        region: { id },
      })
      t.strictSame(await data('{ region(id: "00000000-0000-0000-0000-000000000000") { id } }'), { region: null })
      t.strictSame(await data('{ regionByName(regionName: "Region 3") { area } }'), { regionByName: { area: null } })
      t.strictSame(await data('{ regionByName(regionName: "region 3") { area } }'), { regionByName: null })
      const running = await data('query ($s: Power) { devices(state: $s, where: { price: { _gt: "30" } }) { id } }', {
        s: 'RUNNING',
      })
      t.strictSame(running.devices, await list('id', "tb_device WHERE state = 'on' AND price > 30 ORDER BY pk_device"))
      const both = await data('{ devices(state: STOPPED, serial: "SN-037") { id } }')
      t.strictSame(both.devices, await list('id', "tb_device WHERE state = 'off' AND serial = 'SN-037'"))
      t.equal(
        (await data('query ($s: Power) { devices(state: $s) { id } }', {})).devices.length,
        80,
        'absent = no filter',
      )
    })

    // proves: auto_params.total_count
    await t.test('total_count: counts past the page, with the filter', async (t) => {
      const { sites, all } = await data(`{
        sites(where: { region: { regionName: { _eq: "Region 1" } } }, limit: 1, offset: 1) { totalCount items { name } }
        all: sites { totalCount }
      }`)
      t.strictSame(sites, { totalCount: 4, items: [{ name: 'Site F' }] })
      t.strictSame(all, { totalCount: 20 })
    })

    // proves: query.auto_params auto_params.inferred
    await t.test('auto parameters: on by default, off, and one by one', async (t) => {
      const { __type } = await data('{ __type(name: "Query") { fields { name args { name } } } }')
      const args = Object.fromEntries(
        __type.fields.map((field: { name: string; args: { name: string }[] }) => [
          field.name,
          field.args.map(({ name }) => name),
        ]),
      )
      t.strictSame(args.regions, ['where', 'orderBy', 'limit', 'offset'])
      t.strictSame(args.bareReadings, [])
      t.strictSame(args.topReadings, ['orderBy', 'limit'])
      t.strictSame(args.devicePages, ['where', 'orderBy', 'first', 'after', 'last', 'before'])
      t.strictSame(args.region, ['id'])
      t.strictSame(args.devices, ['state', 'serial', 'where', 'orderBy', 'limit', 'offset'])
      t.equal((await data('{ bareReadings { id } }')).bareReadings.length, 320)
    })

    // proves: mapping.non-null mapping.list mapping.names mapping.descriptions type.description field.description
    // proves: field.deprecated field.filterable field.orderable field.filter_operators
    await t.test(
      'what the schema says is what clients see: names, null markers, texts, options of fields',
      async (t) => {
        const { device, region, where, order, value } = await data(`{
        device: __type(name: "Device") { interfaces { name } fields(includeDeprecated: true) { name isDeprecated deprecationReason type { ...T } } }
        region: __type(name: "Region") { description fields { name description type { ...T } } }
        where: __type(name: "DeviceWhereInput") { inputFields { name } }
        order: __type(name: "DeviceOrderByInput") { isOneOf inputFields { name } }
        value: __type(name: "ReadingWhereInput") { inputFields { name type { inputFields { name } } } }
      }
      fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`)
        const names = (list: { name: string }[]) => list.map(({ name }) => name)
        t.strictSame(names(device.fields), [
          'id',
          'serial',
          'state',
          'price',
          'sold',
          'builtAt',
          'spare',
          'site',
          'readings',
        ])
        t.strictSame(device.interfaces, [{ name: 'Node' }])
        t.match(device.fields[5], { isDeprecated: true, deprecationReason: 'Ask the maker.' })
        t.match(device.fields[1].type, { kind: 'NON_NULL', ofType: { name: 'String' } })
        t.match(device.fields[2].type, { kind: 'ENUM', name: 'Power' })
        t.match(device.fields[8].type, {
          kind: 'NON_NULL',
          ofType: { kind: 'LIST', ofType: { kind: 'NON_NULL', ofType: { name: 'Reading' } } },
        })
        t.match(region, {
          description: 'A part of the land.',
          fields: [{}, { name: 'regionName', description: 'As on the map.' }],
        })
        t.notOk(names(where.inputFields).includes('spare'), 'filterable: false')
        t.notOk(names(order.inputFields).includes('sold'), 'orderable: false')
        t.equal(order.isOneOf, true)
        const filter = value.inputFields.find(({ name }: { name: string }) => name === 'value')
        t.strictSame(names(filter.type.inputFields).sort(), ['_gt', '_is_null'], 'filter_operators')
      },
    )

    // proves: field.column
    await t.test('wire texts: Decimal, BigInt and DateTime do not pass through a number', async (t) => {
      const { devices } = await data('{ devices { serial state price sold builtAt spare } }')
      t.strictSame(
        devices,
        await list(
          `serial, CASE state WHEN 'on' THEN 'RUNNING' WHEN 'off' THEN 'STOPPED' END AS state, price::text AS price, sold::text AS sold,
           regexp_replace(to_char(built_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '[.]?0+$', '') || '+00:00' AS "builtAt",
           is_spare AS spare`,
          'tb_device ORDER BY pk_device',
        ),
      )
      t.strictSame(devices[0], {
        serial: 'SN-037',
        state: 'STOPPED',
        price: '1.10',
        sold: '9007199254740994',
        builtAt: '2024-02-28T23:30:00.25+00:00',
        spare: false,
      })
    })

    // proves: query.relay type.relay
    await t.test('connections: forward, backward, filtered, counted; node', async (t) => {
      const QUERY = `query ($first: Int, $after: String, $last: Int, $before: String, $w: DeviceWhereInput) {
        devicePages(first: $first, after: $after, last: $last, before: $before, where: $w) {
          totalCount edges { cursor node { id site { name } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        }
      }`
      const walk = async (forward: boolean, where: object | null) => {
        const seen: string[] = []
        let cursor: string | null = null
        for (let page = 0; page < 20; page++) {
          const { devicePages } = await data(
            QUERY,
            forward ? { first: 13, after: cursor, w: where } : { last: 13, before: cursor, w: where },
          )
          const ids = devicePages.edges.map((edge: { node: { id: string } }) => edge.node.id)
          if (forward) seen.push(...ids)
          else seen.unshift(...ids)
          const { hasNextPage, hasPreviousPage, startCursor, endCursor } = devicePages.pageInfo
          t.equal(startCursor, devicePages.edges[0].cursor)
          t.equal(endCursor, devicePages.edges.at(-1).cursor)
          t.equal(forward ? hasPreviousPage : hasNextPage, cursor !== null)
          t.equal(devicePages.totalCount, where === null ? 80 : 26)
          if (!(forward ? hasNextPage : hasPreviousPage)) return seen
          cursor = forward ? endCursor : startCursor
        }
        throw new Error('the pages do not end')
      }
      const ids = async (condition: string) =>
        (await list('id', `tb_device WHERE ${condition} ORDER BY pk_device`)).map(({ id }: { id: string }) => id)
      for (const forward of [true, false]) {
        t.strictSame(await walk(forward, null), await ids('true'))
        t.strictSame(await walk(forward, { state: { _eq: 'RUNNING' } }), await ids("state = 'on'"))
      }
      const page = await data(
        '{ devicePages { edges { cursor } } empty: devicePages(where: { serial: { _eq: "" } }) { totalCount edges { cursor } pageInfo { hasNextPage startCursor } } }',
      )
      t.equal(page.devicePages.edges.length, 20, 'a page without first and last')
      t.equal(atob(page.devicePages.edges[16].cursor), '17', 'base64 of the key')
      t.strictSame(page.empty, { totalCount: 0, edges: [], pageInfo: { hasNextPage: false, startCursor: null } })

      const [{ id }] = await list('id', 'tb_device WHERE pk_device = 5')
      const node = 'query ($id: ID!) { node(id: $id) { __typename id ... on Device { serial site { name } } } }'
      const expected = { __typename: 'Device', id, serial: 'SN-084', site: { name: 'Site Q' } }
      t.strictSame(await data(node, { id: btoa(`Device:${id}`) }), { node: expected })
      t.strictSame(await data(node, { id }), { node: expected }, 'the plain id as well')
      for (const missing of [btoa('Device:00000000-0000-0000-0000-000000000000'), btoa('Site:x'), 'nonsense']) {
        t.strictSame(await data(node, { id: missing }), { node: null }, missing)
      }
    })

    await t.test('GET answers what POST answers', async (t) => {
      const search = new URLSearchParams({
        query: 'query A { regions { id } } query B($n: Int) { regions(limit: $n) { regionName } }',
        operationName: 'B',
        variables: '{"n":1}',
      })
      const reply = await app.inject({ url: `/graphql?${search}` })
      t.strictSame([reply.status, reply.json()], [200, { data: { regions: [{ regionName: 'Region 1' }] } }])
    })
  },
  { pglite: 'always', sql: GRID_SQL, sqlite: await sqliteGrid(reference), mysql: await mariaDbGrid(reference) },
)
