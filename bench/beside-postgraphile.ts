/**
 * `npm run bench:beside`: svc and PostGraphile on the same database, the tables of Chinook without anything of svc: time to the first
 * answer and memory, in turns, and what each serves, read from its introspection. Needs the benchmark kit with PostGraphile and a newer
 * Node ({@link findKit}).
 *
 *     npm run bench:beside -- --rounds 9
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql'
import { readFacts } from './lib/beside/facts.ts'
import { type BesideRow, renderFirstAnswers, renderServed } from './lib/beside/page.ts'
import {
  type BesideServer,
  type FirstAnswer,
  measureFirstAnswer,
  postgraphileServer,
  runSvc,
  svcServer,
} from './lib/beside/servers.ts'
import { findKit } from './lib/kit.ts'
import { postData } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { ensureBuilt, ROOT } from './lib/svc-process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const admin = process.env.BENCH_ADMIN_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `svc_bench_beside_${process.pid}`
const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
const tables = 'album artist customer employee genre invoice invoice_line media_type playlist playlist_track track'

function psql(target: string, ...args: readonly string[]): string {
  return execFileSync('psql', [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', '-A', '-t', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

type Served = Pick<BesideRow, 'facts' | 'restPaths' | 'editor'>

async function readServed(address: string): Promise<Served> {
  const { body } = await postData(`${address}/graphql`, { query: getIntrospectionQuery() })
  const { data } = JSON.parse(body) as { data: IntrospectionQuery }
  const facts = readFacts(buildClientSchema(data), tables.split(' '), ['playlist_track'])
  const document = await fetch(`${address}/rest/v1/openapi.json`)
  const paths = document.ok ? ((await document.json()) as { paths: object }).paths : {}
  const pages = ['/graphql', '/'].map(async (path) => {
    const page = await fetch(`${address}${path}`, { headers: { accept: 'text/html' } })
    return page.ok && /<html/i.test(await page.text())
  })
  return { facts, restPaths: Object.keys(paths).length, editor: (await Promise.all(pages)).includes(true) }
}

ensureBuilt()
const kit = findKit()
if (kit.newestNode === null)
  throw new Error('PostGraphile needs a newer Node than this one: install the benchmark kit with it.')
const node = kit.newestNode
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-beside-'))
psql(admin, '-c', `CREATE DATABASE ${name}`)
try {
  for (const file of ['01_tables.sql', '02_data.sql']) psql(url, '-f', join(ROOT, 'examples/chinook/db', file))
  runSvc(node, folder, 'init', 'shop', '--database', url, '--crud')
  const shop = join(folder, 'shop')
  const servers: readonly BesideServer[] = [
    svcServer('svc serve', node, 'npx svc serve URL', { args: ['serve', url], cwd: folder }),
    postgraphileServer(kit.dir, node, url),
    svcServer('svc project', node, 'svc init shop --database URL --crud, svc db apply, svc compile, svc run', {
      args: ['run'],
      cwd: shop,
      env: { SVC_SECURITY__DEFAULT_POLICY: 'public' },
    }),
  ]
  const load = loadavg()[0]!
  const answers = servers.map(() => [] as FirstAnswer[])
  const served: Served[] = []
  const look = async (at: number, address: string): Promise<void> => {
    if (served[at] === undefined) served[at] = await readServed(address)
  }
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const [at, server] of servers.slice(0, 2).entries())
      answers[at]!.push(await measureFirstAnswer(server, (address) => look(at, address)))
    progress(`round ${round} of ${values.rounds}`)
  }
  // The functions that it writes are in the database from now on, so it comes last.
  runSvc(node, shop, 'db', 'apply')
  runSvc(node, shop, 'compile')
  for (let round = 1; round <= Number(values.rounds); round++)
    answers[2]!.push(await measureFirstAnswer(servers[2]!, (address) => look(2, address)))
  const rows = servers.map(({ name, version, command }, at): BesideRow => {
    const middle = (key: keyof FirstAnswer): number => median(answers[at]!.map((answer) => answer[key]))
    const first = { ms: middle('ms'), processorMs: middle('processorMs'), mib: middle('mib') }
    return { name, version, command, ...first, ...served[at]! }
  })
  print(renderFirstAnswers(rows))
  print(renderServed(rows))
  const postgres = psql(url, '-c', 'SHOW server_version').trim()
  progress(writeResults('beside', { ...describeRun({ postgres }), rounds: Number(values.rounds), load, rows }))
} finally {
  psql(admin, '-c', `DROP DATABASE ${name} WITH (FORCE)`)
  rmSync(folder, { recursive: true, force: true })
}
