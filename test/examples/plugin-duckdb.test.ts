import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { serve } from '../core/cli/serve-database.ts'
import { createCancellable } from '../helpers/cancellable.ts'
import {
  DUCKDB_CHINOOK,
  DUCKDB_PLUGIN,
  duckdbFile,
  openDuckdb,
  removeDuckdbFiles,
  writeDuckdb,
} from '../helpers/duckdb.ts'
import { createExportPlugin } from '../helpers/export-plugin.ts'
import { openApp } from '../helpers/open-app.ts'
import { runCommand } from '../helpers/run-command.ts'
import { driverContract } from '../plugins/driver-contract.ts'
import { COMPOSED, entities, openSubgraph, PRODUCTS, PRODUCTS_SQLITE } from '../plugins/federation/products.ts'
import { importsOf, ROOT } from '../repo/source-files.ts'
import { tableSchema } from '../schemas/table-schema.ts'

const GUIDE = readFileSync('docs/guides/bring-a-database.md', 'utf8')
const files = readdirSync(DUCKDB_PLUGIN).filter((file) => file.endsWith('.ts'))
const source = (file: string): string => readFileSync(join(DUCKDB_PLUGIN, file), 'utf8')

// Other tests run at the same time, on machines of any speed.
t.setTimeout(240_000)
t.teardown(removeDuckdbFiles)

t.test('the plugin has fewer than 600 lines, and imports what everybody may', async (t) => {
  const lines = files.reduce((sum, file) => sum + source(file).split('\n').length - 1, 0)
  t.ok(lines < 600, `${lines} lines`)
  t.ok(lines > 300, `${lines} lines`)
  const imported = new Set(files.flatMap((file) => importsOf(source(file))))
  const own = [...imported].filter((name) => !name.startsWith('./'))
  t.strictSame(own.sort(), ['@duckdb/node-api', 'node:fs', 'node:path', 'svc', 'svc/driver'])
})

t.test('every sample of the guide is a part of the plugin', async (t) => {
  const samples = [...GUIDE.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)]
  t.equal([...GUIDE.matchAll(/^```ts/gm)].length, samples.length, 'names its file')
  for (const [, file = '', code = ''] of samples) t.ok(source(file).includes(code.trimEnd()), `${file}: ${code}`)
  const shown = new Set(samples.map(([, file]) => file))
  t.strictSame([...shown].sort(), [...files, 'test/duckdb.test.ts'].sort(), 'of each file')
})

await import(pathToFileURL(join(DUCKDB_PLUGIN, 'test/duckdb.test.ts')).href)

t.test('the plugin compiles', async (t) => {
  const settings = { extends: join(ROOT, 'tsconfig.json'), include: ['*.ts', 'test/*.ts'], exclude: [] }
  writeFileSync(join(DUCKDB_PLUGIN, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  let output = ''
  try {
    // The test runner gives every process its hooks, which the compiler does not survive.
    execFileSync('env', ['-u', 'NODE_OPTIONS', process.execPath, tsc, '-p', DUCKDB_PLUGIN], { encoding: 'utf8' })
  } catch (error) {
    output = (error as { stdout?: string }).stdout ?? ''
    if (output === '') throw error
  }
  t.strictSame(
    output.split('\n').filter((line) => line.includes('plugin-duckdb')),
    [],
  )
})

t.test('the contract of drivers', async (t) => {
  const file = await writeDuckdb('numbers.duckdb', 'CREATE TABLE numbers (n INTEGER PRIMARY KEY)')
  const database = await openDuckdb(file)
  t.teardown(() => database.close())
  await driverContract(t, database, { onlyReads: 'numbers' })
})

/** More rows than are counted in a minute. */
const LONG = 'SELECT CAST(count(*) AS VARCHAR) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = -1'
const long = { name: null, text: LONG, readOnly: true }

t.test('deadlines and clients that leave stop statements, also those that wait', async (t) => {
  const database = await openDuckdb(DUCKDB_CHINOOK, { connect_timeout_ms: 300 })
  t.teardown(() => database.close())
  const cancels = Array.from({ length: 4 }, createCancellable)
  const running = cancels.map((cancel) => database.query(long, [], cancel))
  t.match(database.pool, { active: 3, waiting: 1, connected: true })
  cancels[3]!.abort('client')
  await t.rejects(running[3]!, { code: 'TIMEOUT', message: /client went away/ })
  await t.rejects(database.query(long, [], null), { code: 'SERVICE_UNAVAILABLE', message: /free in time/ })
  const since = performance.now()
  for (const cancel of cancels.slice(0, 3)) cancel.abort('timeout')
  const ended = await Promise.allSettled(running.slice(0, 3))
  t.match(ended, Array(3).fill({ status: 'rejected', reason: { code: 'TIMEOUT', message: /deadline/ } }))
  t.ok(performance.now() - since < 5000, 'at once')
  t.match(database.pool, { active: 0, waiting: 0 })
  await database.ping()

  const cancel = createCancellable()
  const stream = database.stream(long, [], { cancel, batchSize: 10 })[Symbol.asyncIterator]()
  const first = stream.next()
  setTimeout(() => cancel.abort('client'), 50)
  await t.rejects(first, { code: 'TIMEOUT' })
  t.equal(database.pool.active, 0)
})

t.test('errors say what happened', async (t) => {
  await t.rejects(openDuckdb(join(DUCKDB_PLUGIN, 'nowhere.duckdb')), {
    code: 'SVC_DATABASE_UNREACHABLE',
    message: /nowhere\.duckdb cannot be opened/,
  })
  await t.rejects(openDuckdb(join(DUCKDB_PLUGIN, 'package.json')), { code: 'SVC_DATABASE_UNREACHABLE' })
  const database = await openDuckdb(DUCKDB_CHINOOK, {}, 1000)
  t.teardown(() => database.close())
  const fails = async (text: string, code: string, missing: string | null = null) => {
    const error = await database.query({ name: null, text, readOnly: true }, [], null).then(
      () => t.fail(`${text} succeeds`),
      (thrown: unknown) => thrown,
    )
    t.match(error, { code }, text)
    t.equal(database.dialect.errors.missingRelation(error), missing, text)
  }
  await fails('SELECT * FROM v_gone', '42P01', 'v_gone')
  await fails('SELECT gone FROM v_artist', '42703')
  await fails('SELECT gone(1)', '42883')
  await fails('SELEC', '42601')
  await fails("SELECT CAST('x' AS INTEGER)", '22P02')
  await fails('SELECT CAST(300 AS TINYINT)', '22P02')
  await fails("SELECT regexp_matches('a', '[')", '2201B')
  await fails('DELETE FROM genre', '25006')
  await fails('SELECT name FROM track', 'VALIDATION_ERROR')
})

t.test('a session variable or a role is refused, not ignored', async (t) => {
  const database = await openDuckdb(DUCKDB_CHINOOK)
  t.teardown(() => database.close())
  const one = { name: null, text: 'SELECT 1', readOnly: true }
  const settings = [{ name: 'app.tenant', value: 'north' }]
  const refused = { code: 'FORBIDDEN', cause: { message: /"app\.tenant"/ } }
  await t.rejects(database.query(one, [], null, settings), refused)
  await t.rejects(
    database.transaction(async (session) => session.query(one, []), { settings }),
    refused,
  )
  const stream = database.stream(one, [], { cancel: null, batchSize: 1, settings })[Symbol.asyncIterator]()
  await t.rejects(stream.next(), refused)
  const { rows } = await database.query(one, [], null, [{ name: 'transaction_read_only', value: 'on' }])
  t.strictSame(rows, [['1']])
})

const { mutations, ...schema } = JSON.parse(readFileSync('examples/chinook/schema.json', 'utf8'))

t.test('what a client does wrong is an error of the client', async (t) => {
  const app = await openApp(t, duckdbFile(DUCKDB_CHINOOK), schema, { svc: { max_rows: 100 } })
  const codes = async (query: string) => {
    const { errors = [] } = await app.graphql(query)
    return errors.map(({ extensions, message }) => `${extensions.code} ${message}`)
  }
  t.match(await codes('{ artists(where: { name: { _regex: "(" } }) { name } }'), [
    /BAD_USER_INPUT .*regular expression/,
  ])
  t.match(await codes('{ artists { name } }'), [/VALIDATION_ERROR "artists" has more rows than a list may have/])
  t.match(await codes('{ genres { tracks { name } } }'), [/VALIDATION_ERROR "genres.tracks" has more rows/])
  t.match(await codes('{ tracks(first: 2, after: "bm8=") { totalCount } }'), [/BAD_USER_INPUT/])
  t.match(await codes('{ artists(where: { name: { _websearch_query: "a" } }) { name } }'), [/_websearch_query/])
  t.match(await codes('{ artist(id: "x") { name } }'), [/BAD_USER_INPUT .* "x" is not an integer/])
  t.match(await codes('{ artist(id: "99999999999999999999") { name } }'), [/BAD_USER_INPUT/])
  const named = await app.graphql('{ artists(limit: 2, where: { name: { _regex: "^(AC|Ac)" } }) { name } }')
  t.strictSame(named.data, { artists: [{ name: 'AC/DC' }, { name: 'Accept' }] })
})

t.test('a list of each row has its own order and its own page', async (t) => {
  const app = await openApp(t, duckdbFile(DUCKDB_CHINOOK), schema)
  const { data } = await app.graphql(`{ artists(limit: 2) {
    down: albums(orderBy: [{ title: DESC }]) { id } page: albums(orderBy: [{ title: DESC }], limit: 1, offset: 1) { id } } }`)
  const ids = (...list: readonly string[]) => list.map((id) => ({ id }))
  t.strictSame(data.artists, [
    { down: ids('4', '1'), page: ids('1') },
    { down: ids('3', '2'), page: ids('2') },
  ])
})

t.test('rows by keys of a gateway, in the order of the keys', async (t) => {
  const file = await writeDuckdb('products.duckdb', PRODUCTS_SQLITE)
  const app = await openSubgraph(t, duckdbFile(file), PRODUCTS, { compose_directives: [COMPOSED] })
  const { rows, errors } = await entities(
    app,
    [
      { __typename: 'Product', sku: 'studio', variation: { id: 'platform' } },
      { __typename: 'Product', sku: 'federation', package: '@apollo/federation' },
      { __typename: 'Product', id: 'nothing' },
      { __typename: 'ProductResearch', study: { caseNumber: '1234' } },
      { __typename: 'Product', id: 'apollo-federation' },
    ],
    '... on Product { id createdBy { email } } ... on ProductResearch { study { description } outcome }',
  )
  t.equal(errors, undefined)
  const createdBy = { email: 'support@apollographql.com' }
  t.strictSame(rows, [
    { __typename: 'Product', id: 'apollo-studio', createdBy },
    { __typename: 'Product', id: 'apollo-federation', createdBy },
    null,
    { __typename: 'ProductResearch', study: { description: 'Federation Study' }, outcome: 'good' },
    { __typename: 'Product', id: 'apollo-federation', createdBy },
  ])
})

t.test('streams of rows and of columns', async (t) => {
  const app = await openApp(t, duckdbFile(DUCKDB_CHINOOK), schema, { plugins: [createExportPlugin()] })
  const list =
    'invoices(limit: 1, offset: 4) { id invoiceDate total customer { company } lines(limit: 1) { quantity } }'
  const read = async (form: string) => {
    const url = `/export?form=${form}&query=${encodeURIComponent(`{ ${list} }`)}`
    return JSON.parse((await app.inject({ method: 'GET', url })).text)
  }
  const [invoiceDate, total] = ['2021-01-11T00:00:00+00:00', '13.86']
  t.strictSame(await read('rows'), {
    id: '5',
    invoiceDate,
    total,
    customer: { company: null },
    lines: [{ quantity: 1 }],
  })
  t.strictSame(await read('columns'), ['5', invoiceDate, total, '{"company":null}', '[{"quantity":1}]'])
})

t.test('values of each type', async (t) => {
  const file = await writeDuckdb(
    'values.duckdb',
    `CREATE TABLE item (id INTEGER PRIMARY KEY, small TINYINT, big HUGEINT, price DECIMAL(10,2), ratio DOUBLE, code UUID, day DATE,
       hour TIME, seen TIMESTAMP, moment TIMESTAMPTZ, flag BOOLEAN, kind ENUM('x', 'y'), tags VARCHAR[], days DATE[], extra JSON, rec STRUCT(a INTEGER));
     INSERT INTO item VALUES (1, -3, 170141183460469231731687303715884105727, 1.10, 0.1, 'ABCDEF00-0000-4000-8000-000000000001', '2024-02-29',
       '08:30:00', '2024-02-29 10:11:12.5', '2024-02-29 10:11:12+02', true, 'y', ['a', 'b"c'], ['2024-01-01'], '{"a": [1, null]}', {'a': 1}),
       (2, 0, 0, 0, 'NaN', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL);
     COMMENT ON TABLE item IS 'Things';
     CREATE TABLE part (item INTEGER NOT NULL REFERENCES item (id), nr INTEGER NOT NULL, "Na.me""x" VARCHAR DEFAULT 'z', PRIMARY KEY (item, nr));
     CREATE VIEW v_part AS SELECT item, nr AS number FROM part;`,
  )
  const fields = {
    id: 'ID!',
    small: 'Int',
    big: 'Decimal',
    price: 'Decimal',
    ratio: 'Float',
    code: 'UUID',
    day: 'Date',
    hour: 'Time',
    seen: 'DateTime',
    moment: 'DateTime',
    flag: 'Boolean',
    kind: 'String',
    tags: '[String!]',
    days: '[Date!]',
    extra: 'JSON',
    rec: 'JSON',
  }
  const schema = tableSchema({ name: 'Item', sql_source: 'item', list: 'items', fields })
  const app = await openApp(t, duckdbFile(file), schema)
  const all = Object.keys(fields).join(' ')
  const { data, errors } = await app.graphql(`{ items(where: { id: { _eq: 1 } }) { ${all} } }`)
  t.equal(errors, undefined)
  t.strictSame(data.items, [
    {
      id: '1',
      small: -3,
      big: '170141183460469231731687303715884105727',
      price: '1.10',
      ratio: 0.1,
      code: 'abcdef00-0000-4000-8000-000000000001',
      day: '2024-02-29',
      hour: '08:30:00',
      seen: '2024-02-29T10:11:12.5+00:00',
      moment: '2024-02-29T08:11:12+00:00',
      flag: true,
      kind: 'y',
      tags: ['a', 'b"c'],
      days: ['2024-01-01'],
      extra: { a: [1, null] },
      rec: { a: 1 },
    },
  ])
  const found =
    await app.graphql(`{ items(where: { moment: { _eq: "2024-02-29T08:11:12Z" }, seen: { _lt: "2024-02-29T11:11:13+01:00" },
    price: { _eq: "1.1" }, code: { _in: ["ABCDEF00-0000-4000-8000-000000000001"] }, day: { _year: 2024, _dow: 4 } }) { id } }`)
  t.strictSame(found.data, { items: [{ id: '1' }] })
  const wrong = await app.graphql('{ items(where: { small: { _eq: 100000 } }) { id } }')
  t.match(wrong.errors, [{ extensions: { code: 'BAD_USER_INPUT' } }], 'no number of the type')
  const huge = '"123456789012345678901234567890"'
  const beyond = await app.graphql(`{ items(where: { price: { _lt: ${huge}, _neq: ${huge}, _gt: "-1e30" } }) { id } }`)
  t.strictSame(beyond.data, { items: [{ id: '1' }, { id: '2' }] })
  const { errors: refused } = await app.graphql('{ items(where: { id: { _eq: 2 } }) { ratio } }')
  t.equal(refused?.length, 1, 'JSON has no NaN')
  t.strictSame(refused?.[0]?.path, ['items', 0, 'ratio'])

  const { relations } = await app.database.introspect!()
  t.match(relations, [
    { name: 'item', kind: 'table', comment: 'Things', estimatedRows: 2 },
    { name: 'part', columns: [{ notNull: true }, {}, { name: 'Na.me"x', hasDefault: true, notNull: false }] },
    { name: 'v_part', kind: 'view', columns: [{ notNull: true }, { notNull: true }] },
  ])
  t.strictSame(
    relations.map(({ primaryKey, uniqueKeys }) => [primaryKey, uniqueKeys]),
    [
      [['id'], []],
      [['item', 'nr'], []],
      [[], [['item', 'number']]],
    ],
  )
  const [key] = relations[1]!.foreignKeys
  t.strictSame([key?.columns, key?.references], [['item'], { schema: 'main', name: 'item', columns: ['id'] }])
})

const ONE_TYPE = tableSchema({ name: 'Artist', sql_source: 'v_artist', list: 'artists', fields: { id: 'ID!' } })

t.test('compile and introspect', async (t) => {
  const toml = `[project]\nname = "shop"\n[plugins]\npreset = "minimal"\n[[plugins.use]]\npath = "${DUCKDB_PLUGIN}"
[database]\nurl = "duckdb:${DUCKDB_CHINOOK}"\n[security]\ndefault_policy = "public"\n`
  const folder = t.testdir({
    'svc.toml': toml,
    'schema.json': JSON.stringify(schema),
    'offline.json': JSON.stringify(ONE_TYPE),
    'writing.json': JSON.stringify({ ...schema, mutations }),
  })
  const compiled = await runCommand(folder, 'compile', 'schema.json')
  t.match(compiled, { code: 0, err: '' })
  const offline = await runCommand(folder, 'compile', 'offline.json', '--offline')
  t.match(offline, { code: 0, out: /for the dialect duckdb/ })
  const writing = await runCommand(folder, 'compile', 'writing.json')
  t.equal(writing.code, 1)
  t.match(writing.err, /Mutation "createPlaylist" cannot write: with the dialect "duckdb" svc only reads\./)
  const proposed = await runCommand(folder, 'introspect', '--quiet')
  t.equal(proposed.code, 0, proposed.err)
  t.match(proposed.out, /class InvoiceLine/)
  t.match(proposed.out, /invoiceLines/)
  t.match(await runCommand(folder, 'introspect', '--crud'), { code: 2, err: /the dialect "duckdb" svc only reads/ })
})

t.test('serve a file without a project', async (t) => {
  const url = `duckdb:${DUCKDB_CHINOOK}`
  const served = await serve(t, url, { plugin: DUCKDB_PLUGIN, preset: 'minimal' })
  t.match(served.text, /serves chinook\.duckdb read-only/)
  t.match(served.text, /Database +duckdb at duckdb:\S+: 11 tables, 14 views/)
  t.match(served.text, /set plugins\.use and database\.url/)
  const answer = await served.query(
    '{ artists(limit: 1, orderBy: [{ id: ASC }]) { items { name albums { title tracks(limit: 1) { name } } } } }',
  )
  t.strictSame(answer, {
    data: {
      artists: {
        items: [
          {
            name: 'AC/DC',
            albums: [
              {
                title: 'For Those About To Rock We Salute You',
                tracks: [{ name: 'For Those About To Rock (We Salute You)' }],
              },
              { title: 'Let There Be Rock', tracks: [{ name: 'Go Down' }] },
            ],
          },
        ],
      },
    },
  })
  const folder = t.testdir({})
  t.match(await runCommand(folder, 'serve', url), { code: 2, err: /"duckdb" of the URL is unknown\..*--plugin FILE/ })
  t.match(await runCommand(folder, 'serve', url, '--plugin', './nowhere'), { code: 2, err: /nowhere.* does not exist/ })
  t.match(await runCommand(folder, 'serve', url, '--plugin', 'svc-plugin-none'), {
    code: 2,
    err: /"svc-plugin-none" .*npm install svc-plugin-none/,
  })
  t.match(await runCommand(folder, 'serve', 'duckdb:gone.duckdb', '--plugin', DUCKDB_PLUGIN), {
    code: 2,
    err: /There is no database in .*gone\.duckdb/i,
  })
})
