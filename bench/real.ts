/**
 * `npm run bench:real`: svc on two million posts as people have them, W9 to W20, beside the statements by hand (prepared, planned
 * with their values), PostGraphile and Mercurius. The data is larger than the memory of the database server.
 *
 *     npm run bench:real                                     # an hour: three rounds of four servers
 *     npm run bench:real -- --targets svc,hand --rounds 1 --workloads W9,W14 --out quick
 *     npm run bench:real -- --posts 50000 --verify-only
 */
import { deepStrictEqual } from 'node:assert'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { writeBenchProject } from './lib/bench-project.ts'
import { findKit } from './lib/kit.ts'
import { postGraphQL } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { REAL, REAL_COLD, type RealCell, realRows } from './lib/real-tables.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt } from './lib/svc-process.ts'
import { wrkLoad } from './lib/wrk-load.ts'
import { openRealDatabase } from './real/real-database.ts'
import { type RealTarget, type RunningTarget, realTargets } from './real/real-targets.ts'
import { type RealWorkload, realWorkloads } from './real/workloads.ts'

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    warmup: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    pool: { type: 'string', default: '10' },
    targets: { type: 'string', default: 'svc,hand,postgraphile,mercurius' },
    workloads: { type: 'string' },
    out: { type: 'string', default: 'real' },
    reseed: { type: 'boolean', default: false },
    'verify-only': { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
  },
})
checkResultsName(values.out)
const [posts, rounds, seconds, warmup, connections, pool] = (
  ['posts', 'rounds', 'seconds', 'warmup', 'connections', 'pool'] as const
).map((name) => Number(values[name])) as [number, number, number, number, number, number]
/** Samples whose responses are compared with the hand-written ones, and samples of a cold run. */
const COMPARED = 12
const MIXED = 240

ensureBuilt()
const kit = findKit()
const database = await openRealDatabase(kit, posts, values.reseed)
const all = realWorkloads(posts, words())
const workloads = all.filter(({ id }) => values.workloads === undefined || values.workloads.split(',').includes(id))
const schema = JSON.parse(readFileSync(new URL('./real/schema.json', import.meta.url), 'utf8'))
const project = writeBenchProject(schema, { database: { pool_max: pool } })
const scratch = mkdtempSync(join(tmpdir(), 'svc-bench-real-'))
const cells: RealCell[] = []

try {
  compileProject(project.dir, database.url)
  const known = realTargets({ kit, databaseUrl: database.url, project: project.dir, scratch, pool, workloads: all })
  const targets = values.targets.split(',').map((id) => {
    const target = known.find((one) => one.id === id)
    if (target === undefined)
      throw new Error(`There is no target ${id}. Targets: ${known.map((one) => one.id).join(', ')}.`)
    return target
  })
  const wanted = await answersByHand(known.find(({ id }) => id === 'hand')!)
  for (let round = 1; round <= (values['verify-only'] ? 1 : rounds); round++) {
    for (const target of targets) await runTarget(target, round, wanted)
  }
  if (values.cold) for (const target of targets.filter(({ id }) => id === 'svc' || id === 'hand')) await runCold(target)
  if (!values['verify-only']) report(targets)
} finally {
  project.remove()
  rmSync(scratch, { recursive: true, force: true })
}

/** Values as `data.sql` makes them. */
function words(): readonly string[] {
  return Array.from({ length: 20_001 }, (_, n) => {
    const hash = createHash('md5').update(`word:${n}`).digest('hex')
    return hash.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!).slice(0, 4 + (n % 6))
  })
}

async function ask(url: string, body: string): Promise<unknown> {
  const answer = await postGraphQL(url, JSON.parse(body))
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${answer.body.slice(0, 500)}`)
  return JSON.parse(answer.body)
}

async function answersByHand(hand: RealTarget): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const server = await hand.start()
  const answers = new Map<string, readonly unknown[]>()
  try {
    for (const workload of workloads) {
      const bodies = (await server.bodies(workload))!.slice(0, COMPARED)
      const own = await Promise.all(bodies.map((body) => ask(server.url, body)))
      if (own.every((one) => JSON.stringify(one).includes('[]')))
        throw new Error(`${workload.id}: every answer is empty`)
      answers.set(workload.id, own)
    }
  } finally {
    await server.stop()
  }
  return answers
}

async function compare(
  target: RealTarget,
  workload: RealWorkload,
  url: string,
  bodies: readonly string[],
  wanted: readonly unknown[],
): Promise<void> {
  for (const [index, one] of wanted.entries()) {
    try {
      deepStrictEqual(await ask(url, bodies[index]!), one)
    } catch (error) {
      throw new Error(`${target.id} ${workload.id}, ${bodies[index]}: ${(error as Error).message.slice(0, 1500)}`, {
        cause: error,
      })
    }
  }
}

/** All samples, the first ones more often: by a Zipf distribution, the same in every run. */
function mixed(bodies: readonly (readonly string[])[]): readonly string[] {
  return Array.from({ length: MIXED }, (_, i) => {
    const place = Math.min(bodies.length, Math.floor((bodies.length + 1) ** ((i * 0.618_034) % 1)))
    const own = bodies[place - 1]!
    return own[(i * 7) % own.length]!
  })
}

async function runTarget(
  target: RealTarget,
  round: number,
  wanted: ReadonlyMap<string, readonly unknown[]>,
): Promise<void> {
  const server = await target.start()
  try {
    const spoken: (readonly string[])[] = []
    for (const workload of workloads) {
      const bodies = await server.bodies(workload)
      if (bodies === null) continue
      spoken.push(bodies)
      await compare(target, workload, server.url, bodies, wanted.get(workload.id)!)
      if (!values['verify-only']) await measure(target, workload.id, round, server, bodies)
    }
    progress(`round ${round} ${target.id}: answers equal those by hand`)
    if (spoken.length === all.length && !values['verify-only'])
      await measure(target, 'W20', round, server, mixed(spoken))
  } finally {
    await server.stop()
  }
}

async function measure(
  target: RealTarget,
  workload: string,
  round: number,
  server: RunningTarget,
  bodies: readonly string[],
): Promise<void> {
  const request = { url: server.url, method: 'POST' as const, headers: { 'content-type': 'application/json' }, bodies }
  await wrkLoad(request, connections, warmup)
  const { rps, p50, p99, errors } = await wrkLoad(request, connections, seconds)
  // Slow statements must not disturb the next measurement.
  for (let left = 20; left > 0; left--) {
    database.settle()
    await sleep(100)
  }
  if (errors > 0) throw new Error(`${target.id} ${workload}: ${errors} requests failed`)
  cells.push({ target: target.id, workload, round, rps, p50, p99, cold: null })
  progress(`  ${target.id} ${workload}: ${rps.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms`)
}

/** Sends each sample once, one after the other, to a server without pages in memory. */
async function runCold(target: RealTarget): Promise<void> {
  for (const workload of workloads) {
    const isEmpty = database.chill()
    const server = await target.start()
    try {
      const bodies = await server.bodies(workload)
      if (bodies === null) continue
      const times: number[] = []
      for (const body of bodies.slice(0, COMPARED)) {
        const started = performance.now()
        await ask(server.url, body)
        times.push(performance.now() - started)
      }
      cells.push({
        target: target.id,
        workload: workload.id,
        round: 0,
        rps: 0,
        p50: median(times),
        p99: Math.max(...times),
        cold: isEmpty ? 'disk' : 'server',
      })
      progress(`  cold ${target.id} ${workload.id}: ${median(times).toFixed(1)} ms`)
    } finally {
      await server.stop()
    }
  }
}

function report(targets: readonly RealTarget[]): void {
  const titles = [...workloads, { id: 'W20', title: 'all of them, mixed' }].map(({ id, title }) => ({ id, title }))
  const rows = realRows(cells, titles)
  const path = writeResults(values.out, {
    ...describeRun({ postgres: database.version }),
    settings: {
      posts,
      rounds,
      seconds,
      connections,
      pool,
      bytes: database.bytes,
      sharedBuffers: database.sharedBuffers,
    },
    targets: targets.map(({ id, title }) => ({ id, title })),
    rows,
    cells,
  })
  print(REAL.render(rows))
  if (rows.some(({ cold }) => Object.keys(cold).length > 0)) print(`\n${REAL_COLD.render(rows)}`)
  progress(`\n${path}; npm run bench:report puts it into docs/explain/performance.md`)
}
