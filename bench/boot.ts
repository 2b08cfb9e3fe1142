/**
 * `npm run bench:boot`: start of the compiled example on PostgreSQL with each preset and with trimmed lists: time from
 * spawn to the first response of /health/live, processor time, time to the response of the first query, and memory.
 * Medians of `--rounds`, default 9, of the built CLI. The lists take turns, so that other load of the machine meets all.
 *
 *     npm run bench:boot -- --rounds 21
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BOOT, type BootRow } from './lib/boot-table.ts'
import { postData } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, ROOT, readMemory, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const admin = process.env.BENCH_ADMIN_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `svc_bench_boot_${process.pid}`
const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
const example = join(ROOT, 'examples', 'chinook')

interface PluginList {
  readonly list: string
  readonly preset: 'minimal' | 'standard' | 'full'
  readonly enable?: readonly string[]
  readonly disable?: readonly string[]
}

/** `health` stays in every list, because its probe is what the bench waits for. */
const LISTS: readonly PluginList[] = [
  { list: 'only graphql', preset: 'minimal', disable: ['jwt', 'scopes', 'pglite'] },
  { list: 'only rest', preset: 'minimal', enable: ['rest'], disable: ['graphql', 'jwt', 'scopes', 'pglite'] },
  { list: 'minimal', preset: 'minimal' },
  { list: 'minimal and rest', preset: 'minimal', enable: ['rest'] },
  { list: 'standard − graphiql, openapi, metrics', preset: 'standard', disable: ['graphiql', 'openapi', 'metrics'] },
  { list: 'standard', preset: 'standard' },
  { list: 'full', preset: 'full' },
]

const psql = (target: string, ...args: string[]): string =>
  execFileSync('psql', [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', '-A', '-t', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** Writes the example with this list of plugins into a folder of its own. */
function writeProject({ preset, enable = [], disable = [] }: PluginList): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-boot-'))
  cpSync(example, folder, { recursive: true, filter: (path) => !path.includes('.svc') })
  const list = `preset = "${preset}"\nenable = ${JSON.stringify(enable)}\ndisable = ${JSON.stringify(disable)}`
  const config = readFileSync(join(folder, 'svc.toml'), 'utf8').replace('preset = "standard"', list)
  writeFileSync(join(folder, 'svc.toml'), config)
  return folder
}

type Start = Omit<BootRow, 'list' | 'plugins' | 'leastMs'>

async function startOnce(folder: string, hasGraphql: boolean): Promise<Start> {
  const started = performance.now()
  const server = await startSvc({ project: join(folder, 'svc.toml'), databaseUrl: url })
  try {
    const processorMs = cpuSeconds(server.pid) * 1000
    const queried = await query(server.url, hasGraphql)
    const queryMs = performance.now() - started
    if (!queried.includes('AC/DC')) throw new Error(`the first query returned ${queried.slice(0, 300)}`)
    return { startMs: server.startMs, processorMs, queryMs, mib: Number.NaN }
  } finally {
    await server.stop()
  }
}

async function query(graphql: string, hasGraphql: boolean): Promise<string> {
  if (hasGraphql)
    return (await postData(graphql, { query: '{ artists(limit: 1, orderBy: [{ id: ASC }]) { name } }' })).body
  return (await fetch(new URL('/rest/v1/artists?limit=1', graphql))).text()
}

/** Memory without a query, which would add the document and its plan. */
async function measureMemory(folder: string): Promise<number> {
  const server = await startSvc({ project: join(folder, 'svc.toml'), databaseUrl: url })
  try {
    await new Promise((done) => setTimeout(done, 500))
    return readMemory(server.pid).rss
  } finally {
    await server.stop()
  }
}

function countPlugins(folder: string): number {
  const cli = join(ROOT, 'bin', 'svc.js')
  const env = { ...process.env, DATABASE_URL: url, SVC_DIST: '1' }
  const text = execFileSync(process.execPath, [cli, 'plugins', folder, '--json'], { encoding: 'utf8', env })
  return (JSON.parse(text) as { plugins: readonly unknown[] }).plugins.length
}

ensureBuilt()
psql(admin, '-c', `CREATE DATABASE ${name}`)
const folders: string[] = []
try {
  const scripts = readdirSync(join(example, 'db')).filter((file) => file.endsWith('.sql'))
  for (const file of scripts.sort()) psql(url, '-f', join(example, 'db', file))
  const lists = LISTS.map((each) => ({ ...each, folder: writeProject(each), starts: [] as Start[] }))
  folders.push(...lists.map(({ folder }) => folder))
  for (const { folder } of lists) compileProject(join(folder, 'svc.toml'), url)
  const load = loadavg()[0]!
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const { folder, disable, starts } of lists) {
      const start = await startOnce(folder, disable?.includes('graphql') !== true)
      starts.push({ ...start, mib: await measureMemory(folder) })
    }
    progress(`round ${round} of ${values.rounds}`)
  }
  const rows = lists.map(({ list, folder, starts }): BootRow => {
    const of = (key: keyof Start): number => median(starts.map((each) => each[key]))
    return {
      list,
      plugins: countPlugins(folder),
      startMs: of('startMs'),
      leastMs: Math.min(...starts.map(({ startMs }) => startMs)),
      processorMs: of('processorMs'),
      queryMs: of('queryMs'),
      mib: of('mib'),
    }
  })
  print(BOOT.render(rows))
  const postgres = psql(url, '-c', 'SHOW server_version').trim()
  progress(writeResults('boot', { ...describeRun({ postgres }), rounds: Number(values.rounds), load, rows }))
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  psql(admin, '-c', `DROP DATABASE ${name} WITH (FORCE)`)
}
