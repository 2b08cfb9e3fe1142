import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from 'graphql'
import t from 'tap'
import { main } from '../../../core/cli/main.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { createBareApp } from '../../helpers/bare-app.ts'
import { createPostgresDatabase, createSqlite } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { createTestIo } from '../cli/helpers.ts'

const SQL = `
  CREATE TABLE tb_user (id uuid PRIMARY KEY, name text NOT NULL);
  CREATE VIEW v_user AS SELECT id, name FROM tb_user;
  CREATE FUNCTION fn_create_user(p_name text) RETURNS uuid LANGUAGE sql AS 'SELECT gen_random_uuid()';
`
const schemaJson = (field = 'name', type = 'String!') => `{
  "version": "1.0.0",
  "types": [
    {
      "name": "User",
      "fields": [
        { "name": "id", "type": "ID!" },
        { "name": "${field}", "type": "${type}" }
      ]
    }
  ],
  "queries": [{ "name": "users", "type": "[User!]!", "auto_params": { "order_by": false } }],
  "mutations": [{ "name": "create_user", "type": "User!", "arguments": [{ "name": "name", "type": "String!" }] }]
}
`
const schemaTs = (field = 'name') => `
import { field, ID, list, query, String, type } from 'svc/authoring'

@type()
export class User {
  @field(ID) id!: string
  @field(String) ${field}!: string
}
export class Api {
  @query(() => list(User)) users!: unknown
}
`

/** A plugin that adds to the GraphQL schema, and serves subscriptions. */
const EXTENDING = `
import { definePlugin } from 'svc'

const manifest = {
  name: 'extend',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Adds.',
  dependencies: ['graphql'],
}
export default definePlugin(manifest, (scope) => {
  const graphql = scope.use('graphql')
  graphql.enableSubscriptions()
  graphql.extend('extend', (schema) => ({
    types: 'enum Tone { LOUD } type Told { by: User, of: Int! @deprecated(reason: "Ask who") }',
    directives: 'directive @tone(of: Tone) on FIELD',
    roots: [
      { kind: 'query', field: 'told(what: Tone = LOUD): [Told!]', resolve: () => schema.types.size },
      { kind: 'mutation', field: 'tell: Int', resolve: () => 1 },
    ],
  }))
  })
`

/** Runs the command line in this process. */
async function svc(argv: readonly string[], cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { io, stdout, stderr } = createTestIo(cwd)
  const code = await main(argv, io)
  return { code, stdout: stdout(), stderr: stderr() }
}

const missing = `[database]\nurl = "\${NOPE}"\n`
const HASH = '[0-9a-f]{64}'

t.test('svc compile', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const toml = `[database]\nurl = "${url}"\n`

  await t.test('says which plugins the schema relies on, and that do not run', async (t) => {
    const schema = schemaJson().replace('"auto_params": { "order_by": false }', '"requires_role": "admin"')
    const folder = t.testdir({
      'svc.toml': `${toml}[plugins]\npreset = "minimal"\ndisable = ["scopes"]\n`,
      'schema.json': schema,
    })
    const run = await svc(['compile'], folder)
    t.equal(run.code, 0, run.stderr)
    t.equal(
      run.stderr,
      'warning  The compiled schema relies on plugin "scopes", which is not running. To have it: take "scopes" out of `disable` under [plugins].\n',
    )
    writeFileSync(join(folder, 'svc.toml'), `${toml}[plugins]\npreset = "minimal"\n`)
    t.equal((await svc(['compile'], folder)).stderr, '')
  })

  await t.test('says that nothing keeps answers, and needs no plugin for it', async (t) => {
    const schema = schemaJson().replace('"auto_params": { "order_by": false }', '"cache_ttl": 5')
    const folder = t.testdir({ 'svc.toml': `${toml}[plugins]\npreset = "minimal"\n`, 'schema.json': schema })
    const run = await svc(['compile'], folder)
    t.match(run.stderr, /^warning {2}"\w+" has cache_ttl or cache, and nothing keeps answers\. To have it: .*\n$/)
    t.strictSame(JSON.parse(readFileSync(join(folder, 'schema.compiled.json'), 'utf8')).requires, [])
  })

  await t.test('an empty schema has an empty SDL', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.json': '{ "version": "1" }' })
    const run = await svc(['compile', '--sdl'], folder)
    t.equal(run.code, 0, run.stderr)
    t.match(run.stderr, /^warning {2}The schema has no query/)
    t.equal(readFileSync(join(folder, 'schema.graphql'), 'utf8'), '')
  })

  // proves: compile.counts
  await t.test('writes the artifact and says what is in it', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.json': schemaJson() })
    const run = await svc(['compile'], folder)
    t.equal(run.code, 0, run.stderr)
    t.equal(
      run.stderr,
      'schema.json:12:15  warning  Query "users" has limit = true and order_by = false: its pages come in no fixed order (non-deterministic pagination).\n',
    )
    t.match(
      run.stdout,
      new RegExp(
        `^✓ 1 type, 1 query, 1 mutation \\(catalog of v_user, fn_create_user read\\)\nschema\\.compiled\\.json  ${HASH}\n$`,
      ),
    )
    const text = readFileSync(join(folder, 'schema.compiled.json'), 'utf8')
    t.match(linkSchema(JSON.parse(text)).queries.get('users'), {
      source: { columns: [{ name: /^id$/, type: 'uuid' }, { name: 'name' }] },
    })
    const again = await svc(['compile', '-o', 'again.json'], folder)
    t.equal(again.code, 0)
    t.equal(readFileSync(join(folder, 'again.json'), 'utf8'), text, 'byte for byte')
  })

  await t.test('--sdl has what plugins add, and what they serve: the text is what introspection shows', async (t) => {
    const subscribed = schemaJson().replace(
      '"mutations"',
      '"subscriptions": [{ "name": "user_added", "type": "User!", "entity_type": "User", "operation": "INSERT" }],\n  "mutations"',
    )
    const folder = t.testdir({
      'svc.toml': `[plugins]
preset = "minimal"
[[plugins.use]]
path = "./extend.ts"
[[plugins.use]]
path = "./needs.ts"
`,
      'schema.json': subscribed,
      'extend.ts': EXTENDING,
      // Not set up: the schema does not depend on it.
      'needs.ts': EXTENDING.replace("name: 'extend'", "name: 'needs'")
        .replace("dependencies: ['graphql'],", '')
        .replace(/const graphql[\s\S]*\n {2}\}\)/, "throw new Error('no secret here') })"),
    })
    const run = await svc(['compile', '--offline', '--sdl'], folder)
    t.equal(run.code, 0, run.stderr)
    const sdl = readFileSync(join(folder, 'schema.graphql'), 'utf8')
    t.match(sdl, /\ntype Subscription \{\n {2}userAdded: User!\n\}\n/)
    t.match(sdl, /\n {2}told\(what: Tone = LOUD\): \[Told!\]\n/)
    t.match(sdl, /\nenum Tone \{/)
    t.match(sdl, /^directive @tone\(of: Tone\) on FIELD\n/)
    t.match(sdl, /\ntype Mutation \{[^}]*\n {2}tell: Int\n/)

    const { default: extending } = await import(pathToFileURL(join(folder, 'extend.ts')).href)
    const artifact = JSON.parse(readFileSync(join(folder, 'schema.compiled.json'), 'utf8'))
    const plugins = [graphql, extending].map((plugin) => ({ plugin, options: {}, source: 'test' }))
    const schema = { ...linkSchema(artifact), requires: [] }
    const app = await createBareApp(t, { plugins, schema, defaultPolicy: 'public' })
    const options = { specifiedByUrl: true, inputValueDeprecation: true, oneOf: true, directiveIsRepeatable: true }
    const reply = await app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery(options) }),
    })
    const { data } = reply.json<{ data: IntrospectionQuery }>()
    const sorted = (of: GraphQLSchema) => printSchema(lexicographicSortSchema(of))
    t.equal(sorted(buildSchema(sdl)), sorted(buildClientSchema(data)))

    writeFileSync(
      join(folder, 'extend.ts'),
      EXTENDING.replace("dependencies: ['graphql'],", "dependencies: ['graphql', 'rset'],"),
    )
    t.match(
      (await svc(['compile', '--offline', '--sdl'], folder)).stderr,
      /needs plugin "rset", which is not in the list/,
    )
  })

  // proves: warning.unseen-key warning.number-as-text
  await t.test('documents are looked at: keys that none has, and numbers that are texts', async (t) => {
    const fields = ['id:ID!', 'shelf:Int', 'sheld:Int', 'price:Decimal', 'ratio:Float', 'seldom:Int', 'gone:String']
    const schema = {
      version: '1',
      types: ['Doc', 'Bare', 'Slow'].map((name) => ({
        name,
        fields: fields.map((field) => ({ name: field.split(':')[0], type: field.split(':')[1] })),
      })),
      queries: ['docs:Doc', 'bares:Bare', 'slows:Slow'].map((one) => ({
        name: one.split(':')[0],
        type: `[${one.split(':')[1]}!]!`,
      })),
    }
    const at = (text: string, line: RegExp) =>
      text
        .split('\n')
        .filter((one) => line.test(one))
        .sort()
    const expected = [
      /^Doc\.sheld: no document of v_doc .* has the key "sheld"\. Did you mean "shelf"\?/,
      /^Doc\.ratio is Float, and documents of v_doc hold texts under the key "ratio"\./,
      /^Doc\.gone: no document of v_doc .* has the key "gone"\. They have: id, price, ratio, seldom, shelf\./,
    ]
    const documents = [
      `{"id": "1", "shelf": 1, "price": "1.50", "ratio": "0.5"}`,
      `{"id": "2", "shelf": null, "ratio": 1, "seldom": 4}`,
      '[1]',
    ]
    const rows = documents.map((one, index) => `('${index}', '${one}')`).join(', ')
    const source = JSON.stringify(schema, null, 1)
    const postgres = await createPostgresDatabase(t, {
      sql: `CREATE TABLE t (id text NOT NULL, data jsonb); INSERT INTO t VALUES ${rows};
        CREATE VIEW v_doc AS SELECT * FROM t; CREATE VIEW v_bare AS SELECT * FROM t WHERE false;
        CREATE VIEW v_slow AS SELECT id, data || jsonb_build_object('x', 1 / (id::int - 1)) AS data FROM t WHERE id = '1';`,
    })
    const sqlite = await createSqlite(t, {
      sql: `CREATE TABLE t (id text, data json); INSERT INTO t VALUES ${rows};
        CREATE VIEW v_doc AS SELECT id, data FROM t; CREATE VIEW v_bare AS SELECT id, data FROM t WHERE false;
        CREATE VIEW v_slow AS SELECT id, data FROM t WHERE false;`,
    })
    for (const [url, preset] of [
      [postgres, 'enable = []'],
      [sqlite.url, 'enable = ["sqlite"]'],
    ] as const) {
      const folder = t.testdir({
        'svc.toml': `[plugins]\n${preset}\n[database]\nurl = "${url}"\n`,
        'schema.json': source,
      })
      const run = await svc(['compile'], folder)
      t.equal(run.code, 0, run.stderr)
      const told = at(run.stderr, / {2}warning {2}(Doc|Bare|Slow)\./)
      t.match(
        told.map((line) => line.replace(/^schema\.json:\d+:\d+ {2}warning {2}/, '')),
        expected,
        preset,
      )
      t.equal(told.length, expected.length, told.join('\n'))
    }
  })

  await t.test('--check compares and writes nothing', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.json': schemaJson() })
    const missing = await svc(['compile', '--check'], folder)
    t.equal(missing.code, 1)
    t.match(missing.stderr, /schema\.compiled\.json is not what the schema compiles to\. Run `svc compile`\.\n$/)
    t.throws(() => readFileSync(join(folder, 'schema.compiled.json')), { code: 'ENOENT' })
    t.equal((await svc(['compile'], folder)).code, 0)
    const same = await svc(['compile', '--check'], folder)
    t.equal(same.code, 0)
    t.match(same.stdout, /schema\.compiled\.json is up to date\n$/)
  })

  // proves: compile.places
  await t.test('faults come with their places, and nothing is written', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.json': schemaJson('nmae') })
    const run = await svc(['compile'], folder)
    t.equal(run.code, 1)
    t.equal(run.stdout, '')
    t.match(
      run.stderr,
      /^schema\.json:8:9 {2}error {2}User\.nmae: v_user has no column "nmae"\. Did you mean "name"\? /,
    )
    t.match(run.stderr, /\n1 error; nothing was written\.\n$/)
    t.throws(() => readFileSync(join(folder, 'schema.compiled.json')), { code: 'ENOENT' })
    const module = t.testdir({ 'svc.toml': toml, 'schema.ts': schemaTs('nmae') })
    t.match((await svc(['compile'], module)).stderr, /^schema\.ts:7:\d+ {2}error {2}User\.nmae: v_user has no column/)
  })

  await t.test('a module wins over schema.json, which it writes', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.ts': schemaTs(), 'schema.json': '{' })
    const run = await svc(['compile'], folder)
    t.equal(run.code, 0, run.stderr)
    const written = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8'))
    t.match(written, { $schema: /schema\.schema\.json$/, types: [{ name: 'User' }] })
    const other = await svc(['compile', '--check', 'schema.json'], folder)
    t.equal(other.code, 0, 'the written schema.json compiles to the same artifact')
  })

  await t.test('INPUT and --config from another folder', async (t) => {
    const folder = t.testdir({
      shop: { 'svc.toml': toml, 'schema.json': schemaJson() },
      'other.json': schemaJson('id2'),
    })
    t.equal((await svc(['compile', 'shop/schema.json'], folder)).code, 0, 'svc.toml beside INPUT')
    t.equal((await svc(['compile', 'shop', '--check'], folder)).code, 0, 'the folder of a project')
    t.equal((await svc(['compile', 'shop/svc.toml', '--check'], folder)).code, 0)
    t.equal((await svc(['compile', '--config', 'shop', '--check'], folder)).code, 0)
    t.match((await svc(['compile', 'other.json', '--config', 'shop'], folder)).stderr, /^other\.json:8:9 {2}error/)
  })

  await t.test('--offline reads no database, and needs no variable for it', async (t) => {
    const folder = t.testdir({ 'svc.toml': missing, 'schema.json': schemaJson('nmae') })
    const run = await svc(['compile', '--offline'], folder)
    t.equal(run.code, 0, run.stderr)
    t.match(run.stdout, /\(offline: the database was not read; for the dialect postgres\)\n/)
    const plain = t.testdir({ 'schema.json': schemaJson() })
    t.equal((await svc(['compile', 'schema.json', '--offline'], plain)).code, 0, 'without a svc.toml')
    const cloud = t.testdir({
      'svc.toml': '[database]\nurl = "cloud://x"\n[[plugins.use]]\npath = "./cloud/index.js"\n',
      'schema.json': schemaJson(),
      cloud: {
        'package.json': '{"type":"module"}',
        'manifest.js': `export default { name: 'cloud', version: '1.0.0', kernelApi: 1, description: 'A driver.', databaseSchemes: ['cloud'] }\n`,
        'index.js': `import manifest from './manifest.js'
          const driver = { name: 'cloud', accepts: (url) => url.startsWith('cloud:'), open() { throw new Error('opened') } }
          export default { manifest, setup(scope) { scope.driver(driver) } }\n`,
      },
    })
    const unsaid = await svc(['compile', '--offline'], cloud)
    t.equal(unsaid.code, 3)
    t.match(unsaid.stderr, /The driver "cloud" does not say what its database speaks.* Compile with the database/)
  })

  // proves: compile.exit-codes
  await t.test('exit codes of configuration and database', async (t) => {
    const root = t.testdir({ a: { 'svc.toml': missing, 'schema.json': schemaJson() }, empty: {} })
    const folder = join(root, 'a')
    t.equal((await svc(['compile'], folder)).code, 2, 'a variable is missing')
    t.equal((await svc(['compile'], join(root, 'empty'))).code, 2, 'no svc.toml')
    const dead = await svc(['compile', '--database', 'postgres://127.0.0.1:1/none'], folder)
    t.equal(dead.code, 3)
    t.match(
      dead.stderr,
      /The database cannot be reached, and the schema is compared with it\. Start it, or compile with --offline\./,
    )
    t.equal((await svc(['compile', 'none.json', '--offline'], folder)).code, 1, 'no schema')
  })

  await t.test('--watch compiles again, and keeps the artifact when that fails', async (t) => {
    const folder = t.testdir({ 'svc.toml': toml, 'schema.json': schemaJson(), db: {} })
    const artifact = join(folder, 'schema.compiled.json')
    const { io, stop, ...written } = createTestIo(folder)
    const code = main(['compile', '--watch'], io)
    const seen = async (where: 'stdout' | 'stderr', pattern: RegExp) => {
      for (let i = 0; i < 600 && !pattern.test(written[where]()); i++) await sleep(50)
      t.match(written[where](), pattern)
    }
    await seen('stdout', /✓ 1 type/)
    const first = readFileSync(artifact, 'utf8')
    await sleep(500)
    writeFileSync(join(folder, 'schema.json'), schemaJson('nmae'))
    await seen('stderr', /1 error; nothing was written/)
    t.equal(readFileSync(artifact, 'utf8'), first)
    writeFileSync(join(folder, 'schema.json'), schemaJson('name', 'String'))
    await seen('stdout', /✓ 1 type[^✓]*✓ 1 type/)
    t.not(readFileSync(artifact, 'utf8'), first)
    writeFileSync(join(folder, 'schema.json'), '{ "version": ')
    await seen('stderr', /error: .*schema\.json:1:\d+/)
    writeFileSync(join(folder, 'schema.json'), schemaJson())
    await seen('stdout', /(✓ 1 type[^✓]*){3}/)
    const runs = written.stdout().split('✓').length
    writeFileSync(join(folder, 'db', 'x.sql'), 'SELECT 1;')
    for (let i = 0; i < 600 && written.stdout().split('✓').length === runs; i++) await sleep(50)
    t.ok(written.stdout().split('✓').length > runs, 'a script of the database')
    stop()
    t.equal(await code, 0)
  })
})
