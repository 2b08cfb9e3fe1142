import { setTimeout as sleep } from 'node:timers/promises'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { arrowQuery, field, ID, Int, list, nullable, type } from '../../../core/authoring/index.ts'
import type { ArrowOptions } from '../../../plugins/arrow/options.ts'
import { authored } from '../../helpers/authored.ts'
import { createPostgresDatabase, eachDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { readStream } from './read-stream.ts'
import { arrowPlugin, MANY_SALES, SALES_SCHEMA, SALES_SQL, SALES_SQLITE } from './sales.ts'

const STREAM = 'application/vnd.apache.arrow.stream'
const BY_ID = 'orderBy=[{"id":"ASC"}]'

/** @returns what the independent reader finds in the stream */
async function read(t: TestLike, app: TestApp, url: string, caller: TestCaller | null = null, body?: unknown) {
  const reply = await app.inject({ url: `/arrow/v1/${url}`, headers: as(caller), body })
  t.equal(reply.status, 200, reply.status === 200 ? url : reply.text)
  return readStream(reply.bytes)
}

async function refusal(
  app: TestApp,
  url: string,
  given: { caller?: TestCaller; body?: unknown; headers?: object } = {},
) {
  const headers = { ...as(given.caller ?? null), ...given.headers }
  const reply = await app.inject({ url: `/arrow/v1/${url}`, headers, body: given.body })
  const { error } = reply.json<{ error: { code: string; message: string } }>()
  return `${reply.status} ${error.code}: ${error.message}`
}

await eachDatabase(t, serves, { sql: SALES_SQL, sqlite: { sql: SALES_SQLITE } })

async function serves(t: TestLike, database: TestDatabase): Promise<void> {
  const isSqlite = database.kind === 'sqlite'
  const plugins = [testCredential(), arrowPlugin()]
  const app = await openApp(t, database, SALES_SCHEMA, { plugins })

  t.test('every type of a column is what it is in Arrow, to its ends', async (t) => {
    const { rows, types } = await read(t, app, `allSales?${BY_ID}`)
    t.strictSame(types, {
      id: 'STRING',
      customer: 'STRING',
      amount: isSqlite ? 'STRING' : 'DECIMAL 12 2',
      exact: 'STRING',
      units: 'INT32',
      total: 'INT64',
      ratio: 'DOUBLE',
      paid: 'BOOLEAN',
      soldAt: 'TIMESTAMP',
      day: 'DATE',
      hour: 'TIME',
      tags: 'STRING',
      extra: 'STRING',
      region: 'STRING',
    })
    const [first, empty, third, last] = rows
    t.match(first, {
      id: '00000000-0000-4000-8000-000000000001',
      customer: 'Ann',
      amount: isSqlite ? '12.5' : 12.5,
      exact: isSqlite ? '0.5' : '0.000000000000000000001',
      units: 3,
      total: 9007199254740993n,
      ratio: 0.1,
      paid: true,
      day: new Date('2026-01-31'),
      hour: 30_600_500_000n,
      tags: /^\["red", ?"blue"\]$/,
      extra: /^\{"a": ?\[1, ?null\]\}$/,
      region: 'NORTH',
    })
    t.match(third, {
      customer: 'Žofie 🦊',
      amount: isSqlite ? '-9999999999.99' : -9999999999.99,
      exact: isSqlite ? '1.25' : '12345678901234567890.5',
      units: -2147483648,
      total: -9223372036854775808n,
      ratio: -1e300,
      paid: false,
      day: new Date('1600-02-29'),
      hour: 86_399_999_999n,
      tags: /^\[\]$/,
    })
    t.match(last, {
      customer: '',
      amount: isSqlite ? '0.01' : 0.01,
      total: 9223372036854775807n,
      ratio: 5e-324,
      day: new Date('9999-12-31'),
      hour: 0n,
    })
    const { id, region, ...nulls } = empty!
    t.match([id, region], ['00000000-0000-4000-8000-000000000002', 'NORTH'])
    t.strictSame(new Set(Object.values(nulls)), new Set([null]), 'nulls are nulls')
  })

  t.test('points of time keep their microseconds', async (t) => {
    const { bytes } = await app.inject({ url: `/arrow/v1/allSales?${BY_ID}&columns=soldAt` })
    const words = tableFromIPC(bytes)
      .getChildAt(0)!
      .data.flatMap(({ values }) => [...(values as BigInt64Array)])
    t.strictSame(words, [1769860800123456n, 0n, -8520336000000001n, 253402300799999999n])
  })

  t.test('columns, filters, order and pages are the same parameters in the query string and in a body', async (t) => {
    const asked = await read(t, app, `allSales?columns=units,id&where={"units":{"_gt":0}}&${BY_ID}&limit=1&offset=1`)
    t.strictSame(asked.rows, [{ units: 2147483647, id: '00000000-0000-4000-8000-000000000004' }])
    const body = {
      columns: ['units', 'id'],
      where: { units: { _gt: 0 } },
      orderBy: [{ id: 'ASC' }],
      limit: 1,
      offset: 1,
    }
    t.strictSame((await read(t, app, 'allSales', null, body)).rows, asked.rows)
    t.strictSame((await read(t, app, 'allSales?region=SOUTH&columns=region')).rows.length, 2, 'arguments by name')
    t.strictSame(
      (await read(t, app, 'allSales?columns=id&where={"units":{"_eq":7}}')).rows,
      [],
      'no row is a stream too',
    )
  })

  t.test('a type that has other fronts as well shows what it stores', async (t) => {
    const { rows } = await read(t, app, 'shopColumns?limit=1')
    t.match(rows, [{ id: '00000000-0000-4000-8000-000000000001', name: 'Ann', address: /^\{"city": ?"north"\}$/ }])
    t.match(
      await refusal(app, 'shopColumns?columns=others'),
      /^400 VALIDATION_ERROR: columns: "others" is no column of Shop\. There are: id, name, address\.$/,
    )
  })

  t.test('invalid requests are rejected with a message', async (t) => {
    const told = {
      'allSales?columns=nope': /^400 VALIDATION_ERROR: columns: "nope" is no column of Sale/,
      'allSales?columns=': /^400 VALIDATION_ERROR: columns: name at least one column\.$/,
      'allSales?columns=id&columns=id': /^400 BAD_REQUEST: The parameter "columns" is given twice\.$/,
      'allSales?wher={}': /^400 UNKNOWN_PARAMETER: There is no parameter "wher"\. Did you mean "where"\?/,
      'allSales?limit=x': /^400 VALIDATION_ERROR: limit: "x" is not a number\.$/,
      'allSales?limit=-1': /^400 BAD_USER_INPUT/,
      'allSales?where={"nope":{}}': /^400 BAD_USER_INPUT/,
      'allSales?where={': /^400 VALIDATION_ERROR: where: "\{" is not valid JSON\.$/,
      'allSales?region=%FF': /^400 BAD_REQUEST/,
      'salesByDefault?limit=1': /^400 UNKNOWN_PARAMETER: There is no parameter "limit"\. Available: columns\.$/,
      nope: /^404 NOT_FOUND/,
    }
    for (const [url, message] of Object.entries(told)) t.match(await refusal(app, url), message, url)
    t.match(await refusal(app, 'allSales', { body: [] }), /^400 BAD_REQUEST: The body has to be an object/)
    t.match(
      await refusal(app, 'allSales', { body: { columns: 'id' } }),
      /^400 VALIDATION_ERROR: columns: it is a list of names\.$/,
    )
    t.match(
      await refusal(app, 'allSales?limit=1', { body: { limit: 2 } }),
      /^400 BAD_REQUEST: The parameter "limit" is given twice/,
    )
    t.match(
      await refusal(app, 'allSales', { body: '{"__proto__": {}}', headers: { 'content-type': 'application/json' } }),
      /UNKNOWN_PARAMETER/,
    )
    t.match(await refusal(app, 'allSales', { body: '{}', headers: { 'content-type': 'text/plain' } }), /^415 /)
    t.match(await refusal(app, 'allSales', { headers: { accept: 'application/json' } }), /^406 NOT_ACCEPTABLE/)
    t.equal((await app.inject({ method: 'PUT', url: '/arrow/v1/allSales' })).status, 405)
  })

  t.test('guards and rules are those of the one pipeline', async (t) => {
    t.match(await refusal(app, 'staffSales'), /^401 UNAUTHENTICATED/)
    t.match(await refusal(app, 'staffSales', { caller: { roles: ['clerk'] } }), /^403 FORBIDDEN/)
    t.equal((await read(t, app, 'staffSales', { roles: ['analyst'] })).rows.length, 4)
    t.match(await refusal(app, 'ownSales'), /^401 UNAUTHENTICATED/)
    t.match(await refusal(app, 'ownSales', { caller: {} }), /^40[13] /, 'a claim that is not there denies')
    const own = await read(t, app, 'ownSales?columns=region', { claims: { region: 'south' } })
    t.strictSame(own.rows, [{ region: 'SOUTH' }, { region: 'SOUTH' }])
    t.match(
      await refusal(app, 'ownSales?region=NORTH', { caller: { claims: { region: 'south' } } }),
      /UNKNOWN_PARAMETER/,
    )
  })

  t.test('a column that the caller may not see is left out, and refused where it is named', async (t) => {
    const named = { caller: {} }
    t.notOk('secret' in (await read(t, app, 'allSales')).types)
    t.match(await refusal(app, 'allSales?columns=id,secret', named), /^403 FORBIDDEN/)
    t.match(await refusal(app, 'allSales?where={"secret":{"_eq":"s1"}}', named), /^403 FORBIDDEN/)
    t.match(await refusal(app, 'allSales?orderBy=[{"secret":"ASC"}]', named), /^403 FORBIDDEN/)
    const { rows } = await read(t, app, `allSales?columns=secret&${BY_ID}`, { scopes: ['read:secret'] })
    t.strictSame(
      rows.map(({ secret }) => secret),
      ['s1', null, 's3', 's4'],
    )
  })

  t.test('no other front knows of columnar queries and types', async (t) => {
    const { data } = await app.graphql('{ __schema { types { name } queryType { fields { name } } } }')
    const names = data.__schema.types.map(({ name }: { name: string }) => name)
    t.strictSame(
      names.filter((name: string) => /Sale/.test(name)),
      [],
    )
    t.strictSame(data.__schema.queryType.fields, [{ name: 'shops' }])
    for (const text of [
      '{ allSales { id } }',
      'query ($w: SaleWhereInput) { shops { id } }',
      '{ shops { ... on Sale { id } } }',
    ])
      t.equal((await app.graphql(text)).errors?.[0]?.extensions.code, 'GRAPHQL_VALIDATION_FAILED', text)
    t.equal((await app.graphql('{ __type(name: "Sale") { name } }')).data.__type, null)
  })

  t.test('headers: content type, no-store and deprecation', async (t) => {
    const { headers } = await app.inject({ url: '/arrow/v1/ownSales', headers: as({ claims: { region: 'north' } }) })
    t.match(headers, {
      'content-type': STREAM,
      'cache-control': 'no-store',
      vary: 'Authorization, X-Caller, Accept',
      deprecation: '@1772323200',
    })
    const head = await app.inject({ method: 'HEAD', url: '/arrow/v1/allSales' })
    t.match([head.status, head.headers['content-type']], [200, STREAM])
  })
}

// proves: type.dataplane arrow_query.sql_source query.dataplane
t.test('from the decorator to the stream', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SALES_SQL })
  const { schema } = await authored(() => {
    const sale = type('Sale', { fields: { id: field(ID), units: field(nullable(Int)) }, dataplane: 'arrow' })
    arrowQuery('northSales', list(sale), { sqlSource: 'va_sale', rowFilter: "region = 'north'", args: { units: Int } })
    arrowQuery('plainSales', list(sale), { autoParams: { where: false, orderBy: false } })
    return {}
  })
  const app = await openApp(t, { kind: 'postgres', url }, schema, { plugins: [arrowPlugin()] })
  const { rows, types } = await read(t, app, 'northSales?units=3')
  t.strictSame(types, { id: 'STRING', units: 'INT32' })
  t.strictSame(rows, [{ id: '00000000-0000-4000-8000-000000000001', units: 3 }])
  t.match(await refusal(app, 'plainSales?where={}'), /Available: columns, limit, offset\.$/)
  t.match(await refusal(app, 'northSales'), /^400 BAD_USER_INPUT/, 'an argument that has to be given')
})

t.test('queries of another database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const far = { kind: 'postgres', url: await createPostgresDatabase(t, { sql: SALES_SQL }) } as const
  const { enums, types } = SALES_SCHEMA
  const schema = tableSchema(
    { ...types![0]!, sql_source: 'va_sale', database: 'far' },
    { enums: enums!, queries: [{ name: 'sales', type: '[Sale!]!', dataplane: 'arrow', database: 'far' }] },
  )
  const plugins = [testCredential(), arrowPlugin()]
  const app = await openApp(t, { kind: 'postgres', url }, schema, { databases: { far }, plugins })
  const { rows, types: found } = await read(t, app, 'sales?columns=amount&limit=1&orderBy=[{"id":"ASC"}]')
  t.strictSame([rows, found], [[{ amount: 12.5 }], { amount: 'DECIMAL 12 2' }])
})

t.test('batches are as large as the options say', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: `${SALES_SQL}${MANY_SALES}` })
  const counts = async (options: Partial<ArrowOptions>) => {
    const app = await openApp(t, { kind: 'postgres', url }, SALES_SCHEMA, { plugins: [arrowPlugin(options)] })
    const { bytes } = await app.inject({ url: '/arrow/v1/allSales?columns=id' })
    return tableFromIPC(bytes).batches.map(({ numRows }) => numRows)
  }
  const byRows = await counts({ max_batch_rows: 600 })
  t.ok(Math.max(...byRows) <= 600 && byRows.includes(600), byRows.join())
  t.equal(
    byRows.reduce((sum, rows) => sum + rows),
    2004,
  )
  const bySize = await counts({ max_batch_bytes: 4096 })
  t.ok(bySize.length > 10 && bySize.every((rows) => rows <= Math.ceil(4096 / 36)), bySize.join())
})

t.test('a path of its own, for those with a credential alone, or off', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SALES_SQL })
  const open = (options: Partial<ArrowOptions>) =>
    openApp(t, { kind: 'postgres', url }, SALES_SCHEMA, { plugins: [testCredential(), arrowPlugin(options)] })
  const guarded = await open({ require_auth: true, path: '/columns' })
  t.equal((await guarded.inject({ url: '/columns/allSales' })).status, 401)
  t.equal((await guarded.inject({ url: '/columns/allSales', headers: as({}) })).status, 200)
  t.equal((await (await open({ enabled: false })).inject({ url: '/arrow/v1/allSales' })).status, 404)
})

t.test('a failure during the stream breaks the connection and is logged', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  // Behind the first batch, so that the answer has begun.
  const sql = `${SALES_SQL}${MANY_SALES} UPDATE tb_sale SET sold_at = 'infinity', region = 'west' WHERE pk_sale = 2009;
    CREATE VIEW va_broken AS SELECT id, sold_at, region, region AS customer FROM tb_sale;`
  const url = await createPostgresDatabase(t, { sql })
  const queries = [{ ...SALES_SCHEMA.queries![0]!, name: 'broken', sql_source: 'va_broken', arguments: [] }]
  const fields = SALES_SCHEMA.types![0]!.fields.filter(({ name }) => ['id', 'sold_at', 'region'].includes(name))
  const enums = SALES_SCHEMA.enums!
  const types = [
    {
      name: 'Sale',
      dataplane: 'arrow' as const,
      sql_source: 'va_broken',
      fields: [...fields, { name: 'customer', type: 'Region' }],
    },
  ]
  const schema = { version: '1', enums, types, queries, mutations: [] }
  const app = await openApp(t, { kind: 'postgres', url }, schema, { plugins: [arrowPlugin({ max_concurrent: 1 })] })
  const base = await app.listen()
  const failures = () => app.signals.flatMap((one) => (one.type === 'request-failed' ? [String(one.error)] : []))
  for (const [column, reason] of [
    ['soldAt', /The column "soldAt" has a value that is no day of the calendar/],
    ['region', /stored for Sale\.region is not a value/],
    ['customer', /stored for Sale\.customer is not a value/],
  ] as const) {
    const reply = await fetch(`${base}/arrow/v1/broken?columns=${column}`)
    t.equal(reply.status, 200)
    await t.rejects(reply.arrayBuffer(), `${column}: there is no end mark to take for the end`)
    t.match(failures().at(-1), reason)
  }
  t.equal(failures().length, 3)
  const next = await fetch(`${base}/arrow/v1/broken?columns=id`)
  t.equal(next.status, 200, 'the others go on, and the place is free')
  await next.arrayBuffer()
})

t.test('so many streams at once, and no more', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${SALES_SQL} CREATE OR REPLACE VIEW va_sale AS SELECT s.* FROM tb_sale s, generate_series(1, 100000);`
  const url = await createPostgresDatabase(t, { sql })
  const app = await openApp(t, { kind: 'postgres', url }, SALES_SCHEMA, {
    plugins: [arrowPlugin({ max_concurrent: 1 })],
  })
  const base = await app.listen()
  const leaving = new AbortController()
  const first = await fetch(`${base}/arrow/v1/allSales`, { signal: leaving.signal })
  t.equal(first.status, 200)
  const second = await fetch(`${base}/arrow/v1/allSales`)
  t.match([second.status, second.headers.get('retry-after')], [503, /^1$/])
  t.match(await second.text(), /arrow\.max_concurrent/)
  t.equal((await fetch(`${base}/arrow/v1/allSales?columns=nope`)).status, 400, 'what is refused takes no place')
  leaving.abort()
  let status = 503
  for (let tries = 0; tries < 100 && status === 503; tries++) {
    await sleep(50)
    const again = await fetch(`${base}/arrow/v1/allSales?limit=1`)
    status = again.status
    await again.arrayBuffer()
  }
  t.equal(status, 200, 'who goes away gives it back')
  for (let n = 0; n < 3; n++) t.match(await refusal(app, 'allSales?where={"units":{"_gt":"x"}}'), /^400 BAD_USER_INPUT/)
  t.equal((await fetch(`${base}/arrow/v1/allSales?limit=1`)).status, 200)
})

t.test('a client that leaves frees the cursor', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${SALES_SQL} CREATE OR REPLACE VIEW va_sale AS SELECT s.* FROM tb_sale s, generate_series(1, 500000);`
  const url = await createPostgresDatabase(t, { sql })
  const app = await openApp(t, { kind: 'postgres', url }, SALES_SCHEMA, { plugins: [arrowPlugin()] })
  const base = await app.listen()
  const leaving = new AbortController()
  const reply = await fetch(`${base}/arrow/v1/allSales`, { signal: leaving.signal })
  await reply.body?.getReader().read()
  const name = new URL(url).pathname.slice(1)
  const busy = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${name}' AND state <> 'idle'`
  const count = async () => (await runOnServer('postgres', busy))[0]?.n
  t.equal(await count(), 1)
  leaving.abort()
  for (let tries = 0; tries < 100 && (await count()) !== 0; tries++) await sleep(50)
  t.equal(await count(), 0)
})
