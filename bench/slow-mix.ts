/**
 * `npm run bench:slow-mix`: effect of statements of 200 ms, 5 % of all, on the latency of W1 beside them.
 *
 * Two kinds of load: a steady rate, as of independent users, and the maximum rate of 32 connections with slow
 * statements each, where most connections wait for a slow statement most of the time.
 *
 * Then eight clients beside three whose statements take five seconds, with a deadline of one second, on a pool of
 * five; or whose writes wait that long for a locked row.
 *
 *     npm run bench:slow-mix -- --rate 500 --seconds 5
 *     npm run bench:slow-mix -- --slow-ms 50 --out quick
 */
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema, writeBenchProject } from './lib/bench-project.ts'
import { SLOW_MIX, type SlowMixRow } from './lib/growth-tables.ts'
import { findKit } from './lib/kit.ts'
import { type MixOptions, runMix } from './lib/mix-load.ts'
import { NAP, napView, unevenNap, unevenNapView, withNapType } from './lib/nap-type.ts'
import { print, progress } from './lib/print.ts'
import { checkResultsName, describeRun, writeResults } from './lib/results.ts'
import { compileProject, ensureBuilt, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    connections: { type: 'string', default: '32' },
    share: { type: 'string', default: '0.05' },
    seconds: { type: 'string', default: '5' },
    'slow-ms': { type: 'string', default: '200' },
    out: { type: 'string', default: 'slow-mix' },
  },
})
checkResultsName(values.out)
const seconds = Number(values.seconds)
const share = Number(values.share)
const slowMs = Number(values['slow-ms'])

ensureBuilt()
const kit = findKit()
const [schema, workloads] = await Promise.all([readKitSchema(), kit.workloads()])
const database = await createBenchDatabase(kit)
const project = writeBenchProject(withNapType(schema))
const rows: SlowMixRow[] = []

async function measureStuck(): Promise<void> {
  const settings = { database: { pool_max: 5 }, server: { host: '127.0.0.1', request_timeout_ms: 1000 } }
  const narrow = writeBenchProject(withNapType(schema), settings)
  try {
    database.run(`DROP VIEW bench.vf_nap; ${unevenNapView(5000)}`)
    compileProject(narrow.dir, database.url)
    const server = await startSvc({ project: narrow.dir, databaseUrl: database.url })
    try {
      let count = 0
      const eight = { kind: 'connections', count: 8 } as const
      const mix = { url: server.url, quick: workloads.W1!, slow: NAP, share: 0, pace: eight, seconds }
      for (const [load, next] of [
        ['always the same', () => unevenNap(true)],
        ['never seen before', () => unevenNap(true, `n${count++}`)],
        ['slow with every tenth parameter', () => unevenNap(count++ % 10 === 0)],
      ] as const) {
        const result = await runMix({ ...mix, beside: { count: 3, next } })
        rows.push({ load: `8 clients, 3 whose statements hang: ${load}`, ...result })
        progress(load)
      }
      const release = database.hold('BEGIN; SELECT count(*) FROM (SELECT 1 FROM bench.tb_user FOR UPDATE) t;\n')
      const result = await runMix({ ...mix, beside: { count: 3, next: () => workloads.W6! } })
      release()
      rows.push({ load: '8 clients, 3 whose writes wait for a locked row', ...result })
    } finally {
      await server.stop()
    }
  } finally {
    narrow.remove()
  }
}

try {
  database.run(napView(slowMs))
  compileProject(project.dir, database.url)
  const server = await startSvc({ project: project.dir, databaseUrl: database.url })
  try {
    const mix = { url: server.url, quick: workloads.W1!, slow: NAP, seconds }
    const rate = { kind: 'rate', perSecond: Number(values.rate) } as const
    const closed = { kind: 'connections', count: Number(values.connections) } as const
    await runMix({ ...mix, pace: closed, share: 0, seconds: 3 })
    const measure = async (load: string, options: Pick<MixOptions, 'pace' | 'share'>): Promise<void> => {
      rows.push({ load, ...(await runMix({ ...mix, ...options })) })
      progress(load)
    }
    const percent = `${share * 100} %`
    await measure(`${values.rate} requests/s, none slow`, { pace: rate, share: 0 })
    await measure(`${values.rate} requests/s, ${percent} slow`, { pace: rate, share })
    await measure(`${values.connections} connections, none slow`, { pace: closed, share: 0 })
    await measure(`${values.connections} connections, ${percent} slow`, { pace: closed, share })
  } finally {
    await server.stop()
  }
  await measureStuck()
  print(SLOW_MIX.render(rows))
  const results = { settings: { ...values, slowMs }, rows }
  progress(writeResults(values.out, { ...describeRun({ postgres: database.version }), ...results }))
} finally {
  project.remove()
  database.drop()
}
