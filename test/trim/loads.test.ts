import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { entriesOf } from '../../core/config/plugin-catalog.ts'
import { PRESETS } from '../../presets/index.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { writeProject } from '../helpers/open-project.ts'
import { runService } from '../helpers/service.ts'
import { requireService } from '../helpers/services.ts'
import { importsOf, listFiles, ROOT, read } from '../repo/source-files.ts'

/** A trimmed process reads neither the files nor the packages of what was left out. */
// A start for each round of plugins.
t.setTimeout(480_000)

const manifests = entriesOf(PRESETS.at(-1)!).map(({ manifest }) => manifest)
const NAMES = manifests.map(({ name }) => name)
const ROWS = '{ relations(where: { name: { _eq: "pg_class" } }) { name } }'
const RELATIONS = { relations: [{ name: 'pg_class' }] }
/** A server that is not there: the service boots all the same, and in a third of the time of an embedded database. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

interface Loaded {
  /** Our own files, relative to the repository. */
  readonly files: readonly string[]
  readonly packages: ReadonlySet<string>
}

interface Trim {
  readonly preset: string
  readonly disable?: readonly string[]
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs the service, serves one query, stops it. V8's own coverage lists every script that the process compiled, however
 * it was loaded.
 */
async function trace(t: Test, trim: Trim): Promise<Loaded> {
  const { preset, disable = [], url = 'pglite:memory', env = {} } = trim
  const folder = t.testdir({ trace: {} })
  writeProject(
    folder,
    `[database]\nurl = "${url}"\n[security]\ndefault_policy = "public"\n[plugins]\npreset = "${preset}"\ndisable = ${JSON.stringify(disable)}\n`,
  )
  const coverage = join(folder, 'trace')
  const service = await runService(t, folder, { env: { ...env, NODE_V8_COVERAGE: coverage } })
  if (!disable.includes('graphql')) {
    const [query, data] = url === NOWHERE ? ['{ __typename }', { __typename: 'Query' }] : [ROWS, RELATIONS]
    t.strictSame((await service.graphql(query)).body, { data }, 'it serves')
  }
  t.equal(await service.stop(), 0)
  const urls = readdirSync(coverage).flatMap((file) =>
    (JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] }).result.map(
      ({ url }) => url,
    ),
  )
  const paths = urls
    .filter((one) => one.startsWith('file:'))
    .map((one) => relative(ROOT, fileURLToPath(one.split('?')[0]!)))
    .flatMap((path) => (/^dist\/core\/[^/]+\.js$/.test(path) ? modulesOf(path) : path))
  const packages = paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return { files: paths.filter((path) => !path.startsWith('node_modules')), packages: new Set(packages) }
}

/** Modules in a chunk of the build, which tests start with SVC_DIST: esbuild writes the path of each as a comment. */
function modulesOf(chunk: string): readonly string[] {
  return [
    ...new Set([...read(chunk).matchAll(/^\/\/ ((?:core|plugins|presets)\/\S+\.ts)$/gm)].map(([, path]) => path!)),
  ]
}

/** Files of a plugin that are more than a listing of it. */
function implementationOf(name: string, { files }: Loaded): readonly string[] {
  return files.filter(
    (file) =>
      file.startsWith(`plugins/${name}/`) &&
      !/\/(manifest|options|schema-keys|tables?|(?:[a-z]+-)?packages?)\.ts$/.test(file),
  )
}

/** Packages that this plugin imports, and neither core nor a plugin outside of `left` does. */
function ownPackages(left: readonly string[]): readonly string[] {
  const wanted = (files: readonly string[]) =>
    new Set(
      files
        .flatMap((file) => importsOf(read(file)))
        .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
        .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0]),
    )
  const others = NAMES.filter((name) => !left.includes(name)).flatMap((name) => listFiles(`plugins/${name}`, '.ts'))
  const kept = wanted([...listFiles('core', '.ts'), ...others])
  return [...wanted(left.flatMap((name) => listFiles(`plugins/${name}`, '.ts')))].filter((name) => !kept.has(name))
}

t.test('preset minimal reads nothing of the other plugins, and no driver but the one in use', async (t) => {
  const loaded = await trace(t, { preset: 'minimal' })
  t.ok(implementationOf('graphql', loaded).length > 10, 'the trace sees what is loaded')
  t.ok(loaded.packages.has('@electric-sql/pglite'))
  const minimal = entriesOf(PRESETS[0]!).map(({ manifest }) => manifest.name)
  for (const name of NAMES.filter((one) => !minimal.includes(one))) t.same(implementationOf(name, loaded), [], name)
  for (const name of ['pg', 'pg-cursor', 'pg-protocol', 'graphiql', 'react']) t.notOk(loaded.packages.has(name), name)
  t.notOk(loaded.files.includes('plugins/postgres/driver.ts'), 'the driver itself is not read')
})

t.test('a PostgreSQL server: the embedded database is not read', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const loaded = await trace(t, { preset: 'minimal', url: await createPostgresDatabase(t) })
  t.ok(loaded.packages.has('pg'))
  t.notOk(loaded.packages.has('@electric-sql/pglite'))
  t.notOk(loaded.files.includes('plugins/pglite/driver.ts'))
})

t.test('NODE_ENV=production reads nothing of what is for development', async (t) => {
  const loaded = await trace(t, { preset: 'standard', url: NOWHERE, env: { NODE_ENV: 'production' } })
  t.same(implementationOf('graphiql', loaded), [])
  t.ok(implementationOf('cors', loaded).length > 0)
  t.notOk(loaded.packages.has('ajv'), 'options that are right need no library that says what is wrong')
})

t.test('preset full reads nothing of what is off until its section says otherwise', async (t) => {
  const loaded = await trace(t, { preset: 'full', url: NOWHERE })
  const off = manifests.filter(({ options }) => {
    const { enabled } = (options?.properties ?? {}) as { enabled?: { default?: unknown } }
    return enabled?.default === false
  })
  t.ok(off.length > 8)
  for (const { name } of off) t.same(implementationOf(name, loaded), [], name)
  const telemetry = [...loaded.packages].filter((name) => name.startsWith('@opentelemetry/'))
  t.same(telemetry, [], 'nothing of OpenTelemetry is read where nothing is traced')
  t.ok(ownPackages(['tracing']).includes('@opentelemetry/api'))
})

/** What is left out with it: those that need it. */
const withDependents = (names: readonly string[]): readonly string[] => [
  ...new Set([
    ...names,
    ...manifests.filter((one) => one.dependencies?.some((of) => names.includes(of))).map((one) => one.name),
  ]),
]

/**
 * Which plugins are left out together, so that of each two one is left out while the other is there, unless it needs it: what
 * is read of a plugin is read for one that is there. Those that others need are left out alone; the others stand in a square,
 * by its rows and by its columns, in which two of them share a row or a column, never both.
 */
function makeRounds(): readonly (readonly string[])[] {
  const alone = NAMES.filter((name) => name === 'postgres' || withDependents([name]).length > 1)
  const square = NAMES.filter((name) => !alone.includes(name))
  const width = Math.ceil(Math.sqrt(square.length))
  const lines = (lineOf: (at: number) => number) =>
    Array.from({ length: width }, (_, line) => square.filter((_, at) => lineOf(at) === line)).filter(
      ({ length }) => length > 0,
    )
  return [...alone.map((name) => [name]), ...lines((at) => Math.floor(at / width)), ...lines((at) => at % width)]
}

t.test('preset full without some plugins reads nothing of them', async (t) => {
  const rounds = makeRounds()
  for (const round of rounds) {
    await t.test(round.join(', '), async (t) => {
      const left = withDependents(round)
      const loaded = await trace(t, {
        preset: 'full',
        disable: left,
        ...(round[0] === 'postgres' ? {} : { url: NOWHERE }),
      })
      for (const one of left) t.same(implementationOf(one, loaded), [], one)
      for (const one of ownPackages(left)) t.notOk(loaded.packages.has(one), `package ${one}`)
      // Commands that compare and generate import it, too.
      if (left.includes('graphql')) t.notOk(loaded.packages.has('graphql'), 'package graphql')
    })
  }
  for (const name of NAMES) {
    const without = rounds.filter((round) => round.includes(name)).map(withDependents)
    const never = NAMES.filter(
      (other) => !withDependents([name]).includes(other) && without.every((left) => left.includes(other)),
    )
    t.strictSame(never, [], `beside all others, ${name} has been left out`)
  }
  t.same(ownPackages(['arrow']), ['apache-arrow'], 'packages are found')
})
