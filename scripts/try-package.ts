/**
 * `npm run try:package`: the first steps of a new user with the package, in an empty folder outside the repository.
 * Packs a fresh clone of the commit, installs the tarball, and tries it without optional peers. Then runs `init`,
 * `compile`, a type check, plugins in JavaScript and TypeScript, `run`, and a query. Checks the package with `publint`,
 * `attw` and a size limit. Part of `.ci/run`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installedSize } from './package/installed-size.ts'
import { tryWithoutOptional } from './package/without-optional.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Packages of test/package.json: `npm run tools` installs them. */
const TOOLS = join(root, 'test/node_modules/.bin')
const scratch = mkdtempSync(join(tmpdir(), 'svc-try-package-'))
const app = join(scratch, 'app')
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Maximum size of the tarball. Most of it is the empty database of PGlite and the two pages. */
const MOST_BYTES = 8 * 1024 * 1024

/** Maximum size of node_modules without optional peers, in MB. */
const MOST_MB = 70

/** Variables that npm and the tests set for their children, and that the new user's programs must not see. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(_?TAP|SVC_|npm_|NODE_OPTIONS|NODE_V8|DATABASE_URL|INIT_CWD)/.test(name),
  ),
)

function run(cwd: string, command: string, ...args: readonly string[]): string {
  process.stdout.write(`$ ${[command, ...args].join(' ').replaceAll(scratch, '…')}\n`)
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`not so: ${what}`)
  process.stdout.write(`  ✓ ${what}\n`)
}

function write(file: string, text: string): void {
  mkdirSync(join(app, file, '..'), { recursive: true })
  writeFileSync(join(app, file), text)
}

/** Packs a clone that was installed and never built. @returns the tarball */
function pack(): string {
  const clone = join(scratch, 'clone')
  run(scratch, 'git', 'clone', '--quiet', '--depth', '1', pathToFileURL(root).href, clone)
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  check(!existsSync(join(clone, 'dist')), 'a fresh clone has no dist/')
  run(clone, 'npm', 'pack', '--silent', '--pack-destination', scratch)
  const [tarball = ''] = readdirSync(scratch).filter((name) => name.endsWith('.tgz'))
  const files = run(scratch, 'tar', '-tf', tarball).split('\n')
  for (const file of [
    'dist/core/cli/main.js',
    'dist/core/doors/plugin.d.ts',
    'dist/plugins/graphiql/assets',
    'bin/svc.js',
  ]) {
    check(
      files.some((one) => one.startsWith(`package/${file}`)),
      `the tarball has ${file}`,
    )
  }
  check(files.includes('package/python/svc/__init__.py'), 'and the Python package')
  check(!files.some((one) => /^package\/(core|test|plugins|python\/tests)\/|__pycache__/.test(one)), 'and no sources')
  for (const file of ['docs/README.md', 'docs/guides/query.md', 'examples/chinook/schema.ts', 'python/README.md']) {
    check(files.includes(`package/${file}`), `and ${file}, which the README links to`)
  }
  const bytes = statSync(join(scratch, tarball)).size
  check(bytes <= MOST_BYTES, `it is no larger than ${MOST_BYTES} bytes: ${bytes}`)
  // Checks the entries and the types for every resolver. There is no CommonJS.
  run(root, join(TOOLS, 'publint'), join(scratch, tarball), '--strict')
  run(root, join(TOOLS, 'attw'), join(scratch, tarball), '--profile', 'esm-only', '--format', 'ascii')
  return join(scratch, tarball)
}

const JAVASCRIPT = `import { definePlugin } from 'svc'
export default definePlugin(
  { name: 'stamp', version: '1.0.0', kernelApi: 1, description: 'Stamps answers.' },
  (scope) => scope.on('onRequest', async (ctx, next) => {
    ctx.replyHeaders = { ...ctx.replyHeaders, 'x-stamp': 'yes' }
    return next()
  }),
)
`
const TYPESCRIPT = `import { definePlugin, type HttpExchange } from 'svc'
const greet = (ctx: HttpExchange): string => \`Hello, \${ctx.params.name}!\`
export default definePlugin(
  { name: 'hello', version: '1.0.0', kernelApi: 1, description: 'Says hello.' },
  (scope) => scope.route({
    method: 'GET', path: '/hello/:name', handler: (ctx) => ({ status: 200, headers: {}, body: greet(ctx) }),
  }),
)
`

const PYTHON = `import svc

@svc.type
class Note:
    id: svc.ID

@svc.query
def notes() -> list[Note]: ...
`

/** Starts the service of a folder, sends a query, stops it. @returns the packages whose files it loaded */
async function serve(ask: (url: string) => Promise<void>, cwd = app, more: Record<string, string> = {}) {
  const coverage = mkdtempSync(join(scratch, 'loaded-'))
  process.stdout.write('$ npx svc run\n')
  const child: ChildProcess = spawn(
    process.execPath,
    [join(app, 'node_modules/svc/bin/svc.js'), 'run', '--port', '0'],
    {
      cwd,
      env: { ...env, ...more, NODE_V8_COVERAGE: coverage },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const serving = () => /"graphql":"(http:\/\/127\.0\.0\.1:\d+)\/graphql"/.exec(log)?.[1]
  for (let tries = 0; serving() === undefined; tries++) {
    if (child.exitCode !== null || tries > 1200) throw new Error(`svc run does not serve:\n${log}`)
    await new Promise((done) => setTimeout(done, 100))
  }
  try {
    check(/"access":"public: [1-9]\d* quer.*, from this machine only"/.test(log), 'it says who may call what')
    await ask(serving() as string)
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = await once(child, 'close')
  check(code === 0, 'it stops with code 0')
  const scripts = readdirSync(coverage).map((file) => readFileSync(join(coverage, file), 'utf8'))
  return new Set(
    scripts.flatMap((text) =>
      [...text.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\/[^"]*"/g)].map(([, name]) => name as string),
    ),
  )
}

/** Sends a query. */
async function post(url: string, query: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
}

const tarball = pack()
mkdirSync(app)
run(app, 'npm', 'install', '--silent', `svc@file:${tarball}`)
const alone = installedSize(app)
check(
  alone.megabytes <= MOST_MB,
  `svc alone: ${alone.megabytes} MB in ${alone.packages} packages, at most ${MOST_MB} MB`,
)
const bare = join(scratch, 'bare')
cpSync(app, bare, { recursive: true, verbatimSymlinks: true })
await tryWithoutOptional({
  folder: bare,
  env,
  check,
  async ask(folder, query) {
    let answer = ''
    await serve(
      async (url) => {
        answer = await (await post(url, query)).text()
      },
      join(bare, folder),
      { SVC_SECURITY__DEFAULT_POLICY: 'public' },
    )
    return answer
  },
})
check(
  /^Created a project in this folder/.test(run(app, 'npx', '--no', 'svc', 'init')),
  'svc init joins the package.json of npm',
)
run(app, 'npm', 'install', '--silent')
const { megabytes, packages } = installedSize(app)
check(
  existsSync(join(app, 'node_modules/@electric-sql/pglite')),
  `package.json of svc init brings the embedded database: ${megabytes} MB in ${packages} packages with TypeScript`,
)
check(/✓ 5 types/.test(run(app, 'npx', '--no', 'svc', 'compile')), 'svc compile')
const plain = readFileSync(join(app, 'svc.toml'), 'utf8')
write('svc.toml', `${plain}\n[pglite]\nextensions = ["vector"]\n`)
const { stdout: examined } = spawnSync(process.execPath, ['node_modules/svc/bin/svc.js', 'doctor'], {
  cwd: app,
  env,
  encoding: 'utf8',
})
check(
  /✗ database .*plugin pglite needs .*`npm install @electric-sql\/pglite-pgvector@0\.0\.15`/.test(examined),
  'svc doctor names the package of an extension',
)
write('svc.toml', plain)
run(app, 'npx', '--no', 'svc-cli', 'openapi', 'schema.compiled.json', '-o', 'openapi.json')
check(JSON.parse(readFileSync(join(app, 'openapi.json'), 'utf8')).openapi === '3.0.3', 'svc-cli openapi')
write('api.py', PYTHON)
check(
  /✓ 1 type, 1 query/.test(run(app, 'npx', '--no', 'svc', 'compile', 'api.py', '--offline', '-o', 'api.compiled.json')),
  'a schema in Python compiles without pip install',
)
write(
  'node_modules/svc-plugin-stamp/package.json',
  '{ "name": "svc-plugin-stamp", "type": "module", "exports": "./index.js" }',
)
write('node_modules/svc-plugin-stamp/index.js', JAVASCRIPT)
write('plugins/hello.ts', TYPESCRIPT)
check(run(app, 'npm', 'run', '--silent', 'types') === '', 'schema and plugin type-check')

write('svc.toml', `${plain}\n[[plugins.use]]\npackage = "svc-plugin-stamp"\n`)
const loaded = await serve(async (url) => {
  const reply = await post(url, '{ posts(limit: 1) { title author { name } } }')
  const { data } = (await reply.json()) as { data?: { posts?: unknown[] } }
  check(data?.posts?.length === 1, 'a query is answered')
  check(reply.headers.get('x-stamp') === 'yes', 'the plugin of a package runs')
})
check(loaded.has('svc-plugin-stamp') && !loaded.has('tsx'), 'JavaScript alone loads no translator')

write('svc.toml', `${plain}\n[[plugins.use]]\npath = "./plugins/hello.ts"\n`)
await serve(async (url) => {
  check((await (await fetch(`${url}/hello/Ada`)).text()) === 'Hello, Ada!', 'the plugin in TypeScript runs')
})
