import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildSchema, introspectionFromSchema } from 'graphql'
import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { runService, svc } from '../../../helpers/service.ts'
import { skip } from '../../../helpers/services.ts'

t.setTimeout(600_000)

const HERE = 'test/core/cli/generate'
const ODD = readFileSync(join(HERE, 'odd-names.graphql'), 'utf8')
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ['*.ts'],
}

/** Compiles the modules of a folder. @returns what tsc says */
function typeCheck(folder: string): string {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  try {
    return execFileSync(resolve('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

function python(folder: string, ...args: readonly string[]): string {
  return execFileSync('python3', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** @returns why there is no Python 3.10; `false`: there is one */
function lacksPython(): string | false {
  try {
    python('.', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))')
    return false
  } catch {
    return 'no python3 of version 3.10 or later'
  }
}

const USE = `
import { ClientError, createClient, MakeListDocument, TopArtistsDocument } from './client.ts'
declare const process: { readonly argv: readonly string[] }
const api = createClient({ url: process.argv[2]!, headers: { 'x-test': '1' } })
const artists = await api.query.artists({ limit: 1 }, { id: true, name: true, albums: { title: true, $args: { limit: 1 } } })
const typed: readonly { readonly id: string; readonly name: string | null; readonly albums: readonly { readonly title: string }[] }[] = artists
const people = await api.query.people({ limit: 1 }, { $on: { Customer: { email: true }, Employee: { title: true } } })
const emails = people.flatMap((one) => (one.__typename === 'Customer' ? [one.email] : []))
const artist = await api.query.artist({ id: 1 }, { $scalars: true })
const page = await api.query.tracks({ first: 1, orderBy: [] }, { edges: { node: { name: true, length: true } } })
const length: 'SHORT' | 'REGULAR' | 'LONG' | null | undefined = page.edges[0]!.node.length
const top = await api.request(TopArtistsDocument, { n: 1 })
const name: string | null = top.artists[0]!.name
const made = await api.request(MakeListDocument, { input: { name: 'typed' } })
const again = await api.mutation.createPlaylist({ input: { name: 'again' } }, { name: true })
const code = await api.query.artists({ limit: -1 }, { id: true }).catch((error: unknown) => (error as ClientError).code)
const stopped = await api.query.artists({}, { id: true }, { signal: AbortSignal.abort() }).catch((error: Error) => error.name)
// @ts-expect-error unknown field
const unknownField = () => api.query.artists({}, { nope: true })
// @ts-expect-error unknown field of a relation
const unknownBelow = () => api.query.artists({}, { albums: { nope: true } })
// @ts-expect-error wrong type of an argument
const wrongArgument = () => api.query.artists({ limit: 'x' }, { id: true })
// @ts-expect-error a required argument is missing
const missing = () => api.query.artist({}, { id: true })
// @ts-expect-error a field that was not selected
const notSelected = () => artists[0]!.songs
// @ts-expect-error variables are missing
const noVariables = () => api.request(TopArtistsDocument)
export { unknownField, unknownBelow, wrongArgument, missing, notSelected, noVariables }
console.log(JSON.stringify({ typed, emails, artist, length, name, made: made.createPlaylist.name, again, code, stopped }))
`

const DOCUMENTS = {
  'top.graphql':
    'query topArtists($n: Int!, $albums: Boolean = false) { artists(limit: $n) { ...A albums @include(if: $albums) { title } } }\nfragment A on Artist { id name }\n',
  'list.ts': `const gql = (text: TemplateStringsArray): string => text.join('')\nexport const make = gql\`\n  mutation makeList($input: CreatePlaylist!) { createPlaylist(input: $input) { name } }\n\`\n`,
}

const PYTHON = `
import sys
from svc_client import NOT_SELECTED, Client, ClientError
client = Client(sys.argv[1])
artists = client.query.artists(limit=1)
assert artists[0].name == "AC/DC" and artists[0].albums is NOT_SELECTED, artists
nested = client.query.artists(limit=1, select={"albums": {"title": True, "$args": {"limit": 1}}})
print(nested[0].albums[0].title)
people = client.query.people(limit=1)
print(type(people[0]).__name__)
print(client.mutation.createPlaylist(input={"name": "snake"}).name)
try:
    client.query.artists(limit=-1)
except ClientError as error:
    print(error.code)
`

t.test('the clients of examples/chinook against a running service', async (t) => {
  const sql = readdirSync('examples/chinook/db')
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readFileSync(join('examples/chinook/db', file), 'utf8'))
    .join('\n')
  await eachDatabase(
    t,
    async (t, { url }) => {
      const folder = (t as typeof import('tap').t).testdir({ src: { ...DOCUMENTS, 'use.ts': USE } })
      for (const file of ['schema.ts', 'svc.toml']) cpSync(join('examples/chinook', file), join(folder, file))
      const env = { DATABASE_URL: url }
      t.equal((await svc(['compile'], folder, env)).code, 0)
      const generate = (...more: readonly string[]) => svc(['generate', 'schema.compiled.json', ...more], folder, env)
      const typescript = ['--client', 'typescript', '--documents', 'src/*.{ts,graphql}', '-o', 'src/client.ts']
      t.match(await generate(...typescript), {
        code: 0,
        stdout: /^src\/client\.ts: \d+ queries, 5 mutations, 2 documents\n$/,
      })
      t.match(
        await generate(...typescript, '--check'),
        { code: 0, stdout: 'src/client.ts is up to date\n' },
        'deterministic',
      )
      t.equal(typeCheck(join(folder, 'src')), '')
      t.equal((await generate('--client', 'python', '-o', 'svc_client.py')).code, 0)
      const service = await runService(t as typeof import('tap').t, folder, { env })
      const endpoint = `${service.url}/graphql`
      const out = execFileSync(process.execPath, ['--import=tsx', join(folder, 'src/use.ts'), endpoint], {
        encoding: 'utf8',
      })
      t.match(JSON.parse(out), {
        typed: [{ id: /^1$/, name: 'AC/DC', albums: [{ title: String }] }],
        emails: [/^\S+@\S+$/],
        artist: { id: /^1$/, name: 'AC/DC' },
        length: /^[A-Z]+$/,
        name: 'AC/DC',
        made: 'typed',
        again: { name: 'again' },
        code: 'BAD_USER_INPUT',
        stopped: 'AbortError',
      })
      if (lacksPython() !== false) return
      writeFileSync(join(folder, 'use.py'), PYTHON)
      t.equal(
        python(folder, 'use.py', endpoint),
        'For Those About To Rock We Salute You\nCustomer\nsnake\nBAD_USER_INPUT\n',
      )
    },
    { sql },
  )
})

t.test('odd names and descriptions give well-formed TypeScript', async (t) => {
  const folder = t.testdir({ 'odd.graphql': ODD })
  const { code, out } = await runCommand(folder, 'generate', '--schema-sdl', 'odd.graphql', '--client', 'typescript')
  t.equal(code, 0)
  const use = `import { createClient, type Promise_, type list } from './client.ts'
const api = createClient({ url: 'x' })
export const one = async (): Promise<string | undefined> => (await api.query.class({ from: 1 }, { then: true, class: { id: true } }))?.class?.id
export const two = async () => (await api.query.constructor({ in: { class: 'None' } }, { $on: { Promise: { then: true } } })).flatMap((one) => (one.__typename === 'Promise' ? [one.then] : []))
export const three = (input: list, p: Promise_) => api.mutation.delete({ input }, { status: { $args: { in: 'class' } }, from: true }).then((made) => [made.status, made.from, p.then])
export const four = async (): Promise<'None' | 'True' | 'class' | 'default' | '_odd' | null> => api.mutation.None({ value: 'default' })
`
  writeFileSync(join(folder, 'client.ts'), out)
  writeFileSync(join(folder, 'use.ts'), use)
  t.equal(typeCheck(folder), '')
})

t.test('odd names and descriptions give well-formed Python', { skip: lacksPython() }, async (t) => {
  const folder = t.testdir({ 'odd.graphql': ODD })
  t.equal(
    (await runCommand(folder, 'generate', '--schema-sdl', 'odd.graphql', '--client', 'python', '-o', 'odd.py')).code,
    0,
  )
  python(folder, '-m', 'py_compile', 'odd.py')
  t.match(python(folder, '-c', 'import odd; print(odd.Promise(id="1"), odd.list_.__name__)'), "Promise(id='1'")
})

/** Returns the first mypy that runs; `null`: there is none. That of the system need not be of the `python3` in the path. */
function findMypy(): string | null {
  const runs = (program: string): boolean => spawnSync(program, ['--version']).status === 0
  return ['mypy', '/usr/bin/mypy'].find(runs) ?? null
}

t.test('the Python client passes mypy --strict, and mypy reports a wrong use of it', async (t) => {
  const program = findMypy()
  if (program === null) return skip(t, 'mypy', 'mypy does not run here, neither from the path nor as /usr/bin/mypy')
  const folder = t.testdir({ 'odd.graphql': ODD })
  const generated = await runCommand(
    folder,
    'generate',
    '--schema-sdl',
    'odd.graphql',
    '--client',
    'python',
    '-o',
    'odd.py',
  )
  t.equal(generated.code, 0, generated.err)
  const check = (file: string): string =>
    spawnSync(program, ['--strict', '--python-version', '3.10', file], { cwd: folder, encoding: 'utf8' }).stdout
  t.match(check('odd.py'), /^Success/)
  writeFileSync(join(folder, 'wrong.py'), 'import odd\nodd.Promise(id=1)\n')
  t.match(check('wrong.py'), /wrong\.py:2: error: .*"id".*"int".*"str"/)
})

t.test('introspection JSON gives the client of the SDL', async (t) => {
  const introspection = introspectionFromSchema(buildSchema(ODD))
  const folder = t.testdir({
    'a.graphql': ODD,
    'b.json': JSON.stringify({ data: introspection }),
    'c.json': JSON.stringify(introspection),
  })
  for (const client of ['typescript', 'python']) {
    const { out } = await runCommand(folder, 'generate', '--client', client, '--schema-sdl', 'a.graphql')
    for (const file of ['b.json', 'c.json'])
      t.equal(
        (await runCommand(folder, 'generate', '--client', client, '--introspection', file)).out,
        out,
        `${client} ${file}`,
      )
  }
})

t.test('each invalid document is reported with its place', async (t) => {
  const folder = t.testdir({
    'odd.graphql': ODD,
    src: {
      'a.ts': 'const x = 1\nexport const q = gql`query A { nope }`\n',
      'b.graphql': 'query B {\n  kind\n',
      'c.tsx': 'graphql(/* GraphQL */ `\n  query { kind }\n`)',
      'd.gql': 'query A { kind }',
    },
  })
  const argv = ['generate', '--client', 'typescript', '--schema-sdl', 'odd.graphql', '--documents']
  const { code, err } = await runCommand(folder, ...argv, 'src/**')
  t.equal(code, 1)
  t.match(err, 'src/a.ts:2:32: Cannot query field "nope" on type "Query".')
  t.match(err, /src\/b\.graphql:3:1: Syntax Error/)
  t.match(err, 'src/c.tsx:2:3: The operation needs a name')
  t.match(err, 'src/a.ts:2:28: There can be only one operation named "A".')
  t.match((await runCommand(folder, ...argv, 'none/*.ts')).err, 'no file matches none/*.ts')
})

t.test('--check, --json and wrong flags', async (t) => {
  const folder = t.testdir({ 'odd.graphql': ODD })
  const argv = ['generate', '--schema-sdl', 'odd.graphql', '--client', 'typescript', '-o', 'a/client.ts']
  t.match(await runCommand(folder, ...argv, '--check'), { code: 1, err: /not what the schema gives/ })
  t.match(JSON.parse((await runCommand(folder, ...argv, '--json')).out), { ok: true, written: true })
  t.match(JSON.parse((await runCommand(folder, ...argv, '--json')).out), { ok: true, written: false })
  t.equal((await runCommand(folder, ...argv, '--check')).code, 0)
  t.match(await runCommand(folder, 'generate', '--client', 'cobol'), { code: 2, err: /typescript, python/ })
  t.match(await runCommand(folder, 'generate', '--client', 'python', '--documents', 'x'), { code: 2 })
  t.match(await runCommand(folder, ...argv.slice(0, 5), '--check'), { code: 2 })
  const broken = t.testdir({ 'odd.graphql': 'type {' })
  t.match(await runCommand(broken, ...argv), { code: 1, err: /odd\.graphql is no schema/ })
})
