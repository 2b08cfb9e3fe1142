import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import t from 'tap'
import { svcDependency } from '../../../core/cli/init/config-files.ts'
import { initCommand } from '../../../core/cli/init/init.ts'
import { loadSchema } from '../../../core/compiler/load.ts'
import { printSchemaJson } from '../../../core/compiler/write-schema-json.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { runService, svc } from '../../helpers/service.ts'
import type { TestLike } from '../../helpers/services.ts'
import { createTestIo } from './helpers.ts'

// Projects are compiled one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const FILES = [
  'svc.toml',
  'schema.ts',
  'schema.json',
  'db/01_tables.sql',
  'db/02_views.sql',
  'db/03_functions.sql',
  'db/04_data.sql',
  'test/api.test.ts',
  'README.md',
  'package.json',
  'tsconfig.json',
  '.gitignore',
]

async function init(cwd: string, name?: string, database?: string): Promise<string> {
  const process = createTestIo(cwd)
  const flags = database === undefined ? {} : { database }
  const code = await initCommand.run({ positionals: name === undefined ? [] : [name], flags }, process.io)
  t.equal(code, 0)
  return process.stdout()
}

t.test('svc init NAME writes a project and says what comes next', async (t) => {
  const cwd = t.testdir()
  t.equal(
    await init(cwd, 'shop'),
    `Created shop:\n${FILES.map((file) => `  ${file}\n`).join('')}\nNext:\n  cd shop\n  npm install\n  npx svc compile\n  npx svc run\n\nThen open http://localhost:8080/graphql\n`,
  )
  const folder = join(cwd, 'shop')
  const written = readdirSync(folder, { recursive: true }).map((one) => String(one).replaceAll('\\', '/'))
  t.strictSame(written.sort(), ['db', 'test', ...FILES].sort())

  const config = parse(readFileSync(join(folder, 'svc.toml'), 'utf8'))
  t.match(config, {
    project: { name: 'shop' },
    plugins: { preset: 'standard' },
    database: { url: `\${DATABASE_URL:-pglite:.svc/data}` },
    server: { host: '127.0.0.1' },
    svc: { schema_file: 'schema.ts' },
    security: { default_policy: 'public' },
  })
  const { schema } = await loadSchema(join(folder, 'schema.ts'))
  const text = readFileSync(join(folder, 'schema.json'), 'utf8')
  t.equal(text, printSchemaJson(schema), 'schema.json is what schema.ts says')
  t.equal(text, readFileSync('test/golden/init/schema.json', 'utf8'), 'test/golden/init/schema.json')
})

t.test('svc init uses the current folder when it is empty', async (t) => {
  const cwd = join(t.testdir({ 'my blog': { '.git': {} } }), 'my blog')
  const said = await init(cwd)
  t.match(said, 'Created a project in this folder:')
  t.notMatch(said, 'cd ')
  t.match(readFileSync(join(cwd, 'svc.toml'), 'utf8'), 'name = "my blog"')
})

t.test('svc init joins what a package manager and git laid down', async (t) => {
  const mine = {
    name: 'mine',
    type: 'commonjs',
    scripts: { start: 'node own.js' },
    dependencies: { svc: 'file:../svc.tgz' },
  }
  const cwd = t.testdir({
    'package.json': JSON.stringify(mine),
    'package-lock.json': '{}',
    'tsconfig.json': '{ "files": [] }',
    node_modules: { svc: {} },
    '.gitignore': '*.log\nnode_modules/',
    '.editorconfig': '',
  })
  await init(cwd)
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  t.match(manifest, {
    name: 'mine',
    type: 'commonjs',
    scripts: { compile: 'svc compile', start: 'node own.js' },
    dependencies: { svc: 'file:../svc.tgz', '@electric-sql/pglite': /^\d/ },
    devDependencies: { typescript: /^\^\d/ },
  })
  t.equal(readFileSync(join(cwd, 'tsconfig.json'), 'utf8'), '{ "files": [] }')
  t.equal(readFileSync(join(cwd, '.gitignore'), 'utf8'), '*.log\nnode_modules/\n.svc/\nschema.compiled.json\n')

  const broken = t.testdir({ broken: { 'package.json': '{' } })
  await t.rejects(init(broken, 'broken'), { code: 'SVC_INIT_REFUSED', message: /package\.json is no JSON/ })
  t.strictSame(readdirSync(join(broken, 'broken')), ['package.json'], 'nothing is written before')
})

t.test('package.json names the svc that wrote it', async (t) => {
  const manifest = { name: 'svc-server', version: '1.2.3', devDependencies: {}, peerDependencies: {} }
  const lockOf = (resolved?: string) => JSON.stringify({ packages: { 'node_modules/svc': { resolved } } })
  const from = (lock?: string) => {
    const root = t.testdir({ node_modules: { svc: {}, ...(lock === undefined ? {} : { '.package-lock.json': lock }) } })
    return svcDependency(join(root, 'shop'), { folder: join(root, 'node_modules/svc'), manifest })
  }
  t.equal(from(lockOf('file:../svc-server-1.2.3.tgz')), 'file:../../svc-server-1.2.3.tgz', 'a tarball')
  t.equal(from(lockOf('git+ssh://git@host/svc.git#abc')), 'git+ssh://git@host/svc.git#abc')
  t.equal(from(lockOf('https://registry/svc-server-1.2.3.tgz')), 'npm:svc-server@^1.2.3', 'a registry, by the alias')
  t.equal(from(lockOf()), 'npm:svc-server@^1.2.3')
  t.equal(from(), 'npm:svc-server@^1.2.3')
  const checkout = t.testdir({ svc: {} })
  t.equal(svcDependency(join(checkout, 'a/shop'), { folder: join(checkout, 'svc'), manifest }), 'file:../../svc')
})

t.test('a folder that is in use is refused, and stays as it is', async (t) => {
  const cwd = t.testdir()
  mkdirSync(join(cwd, 'used'))
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(cwd, 'used', name), '')
  writeFileSync(join(cwd, 'file'), '')
  await t.rejects(init(cwd, 'used'), { code: 'SVC_INIT_REFUSED', message: /used is not empty \(a, b, c, …\)/ })
  await t.rejects(init(cwd, 'file'), { code: 'SVC_INIT_REFUSED', message: /file is a file/ })
  await t.rejects(init(cwd), { code: 'SVC_INIT_REFUSED' })
  t.strictSame(readdirSync(join(cwd, 'used')), ['a', 'b', 'c', 'd'])
})

const SQL = ['tables', 'views', 'functions', 'data']

t.test('the project compiles and runs', async (t) => {
  const parent = t.testdir()
  await init(parent, 'blog')
  const folder = join(parent, 'blog')
  const sql = SQL.map((name, index) => readFileSync(join(folder, `db/0${index + 1}_${name}.sql`), 'utf8')).join('\n')
  await eachDatabase(
    t,
    async (t, { url }) => {
      const env = { DATABASE_URL: url }
      const compiled = await svc(['compile'], folder, env)
      t.equal(compiled.code, 0, compiled.stderr)
      t.notMatch(compiled.stdout + compiled.stderr, /warning/i)
      await tryProject(t, folder, env, url.startsWith('postgres') ? 'postgres' : 'pglite')
    },
    { sql },
  )
})

/** Runs the project, and does with it what its README says, and more. */
async function tryProject(t: TestLike, folder: string, env: Readonly<Record<string, string>>, kind: string) {
  const service = await runService(t as typeof import('tap').t, folder, { env })
  const ask = async (query: string) => (await service.graphql(query)).body
  t.match(await (await fetch(`${service.url}/health`)).json(), {
    database: { database_type: kind, connected: true },
  })

  const [readmeQuery = '', readmeMutation = ''] = readmeOperations(readFileSync(join(folder, 'README.md'), 'utf8'))
  t.match(await ask(readmeQuery), {
    data: { posts: [{ title: 'The first bug', author: { name: 'Grace Hopper' } }, { comments: [{}] }] },
  })
  t.match(await ask(readmeMutation), { data: { createPost: { slug: 'hello', status: 'DRAFT' } } })
  t.match(await ask(readmeMutation), {
    errors: [{ message: 'There is a post "hello" already', extensions: { code: 'CONFLICT' } }],
  })
  const draft = '"00000000-0000-4000-8000-000000000013"'
  t.match(await ask(`mutation { updatePost(id: ${draft}, input: { title: "New" }) { title body } }`), {
    data: { updatePost: { title: 'New', body: 'To be written.' } },
  })
  t.match(await ask(`mutation { publishPost(id: ${draft}) { status } }`), {
    data: { publishPost: { status: 'PUBLISHED' } },
  })
  const comment = `postId: ${draft}, authorId: "00000000-0000-4000-8000-000000000002", body: "Yes"`
  t.match(await ask(`mutation { addComment(input: { ${comment} }) { body post { title } author { name } } }`), {
    data: { addComment: { body: 'Yes', post: { title: 'New' }, author: { name: 'Grace Hopper' } } },
  })
  t.match(await ask(`mutation { deletePost(id: ${draft}) { title } }`), { data: { deletePost: { title: 'New' } } })
  t.match(await ask(`mutation { deletePost(id: ${draft}) { title } }`), {
    errors: [{ extensions: { code: 'NOT_FOUND' } }],
  })
  t.match(await ask('{ postBySlug(slug: "the-first-bug") { title } tags { name posts { post { slug } } } }'), {
    data: { postBySlug: { title: 'The first bug' }, tags: [{ name: 'engines' }, { name: 'debugging' }] },
  })
  t.equal(await service.stop(), 0)
}

/** The indented blocks behind "## Try". */
function readmeOperations(readme: string): readonly string[] {
  return readme.slice(readme.indexOf('## Try')).match(/(?:^ {4}.*\n)+/gm) ?? []
}

const SCRIPTS = ['fn_create_post', 'fn_update_post', 'fn_publish_post', 'fn_delete_post', 'fn_add_comment']

t.test('svc init --database sqlite: the same project over a file', async (t) => {
  const parent = t.testdir()
  const said = await init(parent, 'blog', 'sqlite')
  const folder = join(parent, 'blog')
  for (const name of SCRIPTS) t.match(said, `  db/functions/${name}.sql\n`)
  t.notMatch(said, /functions\.sql/)
  t.match(parse(readFileSync(join(folder, 'svc.toml'), 'utf8')), {
    plugins: { preset: 'standard', enable: ['sqlite'] },
    database: { url: `\${DATABASE_URL:-sqlite:.svc/data.db}`, functions: 'db/functions' },
  })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  t.match(dependencies, { 'node-sqlite3-wasm': /^\^0\.8\./ }, 'what Node 20 needs')
  t.notOk('@electric-sql/pglite' in dependencies)
  const schema = readFileSync(join(folder, 'schema.json'), 'utf8')
  t.equal(schema, readFileSync('test/golden/init/schema.json', 'utf8'), 'the schema is the same')

  const compiled = await svc(['compile'], folder)
  t.equal(compiled.code, 0, compiled.stderr)
  t.notMatch(compiled.stdout + compiled.stderr, /warning/i)
  t.equal((await svc(['compile', '--check'], folder)).code, 0, 'the artifact is what the schema says')
  await tryProject(t, folder, {}, 'sqlite')

  const offline = await svc(['compile', '--offline', '-o', 'offline.json'], folder)
  t.equal(offline.code, 1, 'nobody knows what a script gives')
  t.match(offline.stderr, /Mutation "create_?[pP]ost" calls "fn_create_post", and nothing is known of its result/)
  const workers = await svc(['run'], folder, { SVC_SERVER__WORKERS: '2' })
  t.equal(workers.code, 2)
  t.match(workers.stderr, /server\.workers = 2 needs a database server/)
})

t.test('svc run --watch follows scripts, views and the schema of a project with SQLite', async (t) => {
  const parent = t.testdir()
  await init(parent, 'blog', 'sqlite')
  const folder = join(parent, 'blog')
  t.equal((await svc(['compile'], folder)).code, 0)
  const service = await runService(t, folder, { args: ['--watch'] })
  const ask = async (query: string) => (await service.graphql(query)).body
  const until = async (query: string, holds: (data: unknown) => boolean) => {
    for (let tries = 0; tries < 300; tries++) {
      const { data } = await ask(query)
      if (holds(data)) return
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    throw new Error(`${query} did not change: ${service.output()}`)
  }
  const change = (file: string, from: string, to: string) => {
    const text = readFileSync(join(folder, file), 'utf8')
    t.ok(text.includes(from), file)
    writeFileSync(join(folder, file), text.replace(from, to))
  }
  // It watches from here on.
  while (!service.output().includes('"message":"serving"')) await new Promise((resolve) => setTimeout(resolve, 20))
  change('db/02_views.sql', 'slug, title, body', 'upper(slug) AS slug, title, body')
  await until('{ posts { slug } }', (data) => JSON.stringify(data).includes('THE-FIRST-BUG'))
  const draft = '"00000000-0000-4000-8000-000000000013"'
  change('db/functions/fn_publish_post.sql', '-- :id uuid', '-- :id uuid\n-- :reason text')
  change(
    'schema.ts',
    "sqlSource: 'fn_publish_post', args: { id: ID }",
    "sqlSource: 'fn_publish_post', args: { id: ID, reason: String }",
  )
  change('db/functions/fn_publish_post.sql', "'Post published'", ':reason')
  await until('{ __type(name: "Mutation") { fields { name args { name } } } }', (data) =>
    JSON.stringify(data).includes('reason'),
  )
  t.match(await ask(`mutation { publishPost(id: ${draft}, reason: "x") { status } }`), {
    data: { publishPost: { status: 'PUBLISHED' } },
  })
  t.equal(await service.stop(), 0)
})

t.test('svc init --database: an invalid URL is an error', async (t) => {
  await t.rejects(init(t.testdir(), 'blog', 'sqlit'), {
    code: 'SVC_USAGE',
    message: /--database sqlit is no database that a new project can have: pglite, sqlite\..*sqlite.*DATABASE_URL/s,
  })
})
