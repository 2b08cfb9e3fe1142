/**
 * `npm run bench:serve`: `svc serve`, `svc init --database` and `svc introspect --diff` on databases with many tables, each with eight
 * columns and two foreign keys: time, processor time and peak memory of the built CLI. Medians of `--rounds`.
 *
 *     npm run bench:serve -- --tables 200,5000 --rounds 3
 *     npm run bench:serve -- --rounds 1 --cpu-prof /tmp/profiles
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { postData } from './lib/post.ts'
import { print, progress } from './lib/print.ts'
import { cpuSeconds } from './lib/process-tree.ts'
import { describeRun, writeResults } from './lib/results.ts'
import { SERVE, type ServeRow } from './lib/serve-table.ts'
import { median } from './lib/stats.ts'
import { ensureBuilt, freePort, ROOT, readMemory } from './lib/svc-process.ts'

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '200,5000' },
    rounds: { type: 'string', default: '3' },
    'cpu-prof': { type: 'string' },
  },
})
const admin = process.env.BENCH_ADMIN_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const profile = values['cpu-prof']
const node = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]

type Run = Omit<ServeRow, 'command' | 'tables'>

function psql(url: string, script: string): string {
  return execFileSync('psql', [url, '-v', 'ON_ERROR_STOP=1', '-q', '-X', '-A', '-t', '-f', '-'], {
    encoding: 'utf8',
    input: script,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

/** Tables in transactions of a hundred, because each table takes locks. */
function tableScript(count: number): string {
  const parts: string[] = []
  for (let i = 1; i <= count; i++) {
    const references =
      i === 1
        ? ''
        : `, parent_id int REFERENCES item_${i >> 1}, other_id int REFERENCES item_${((i * 7919) % (i - 1)) + 1}`
    parts.push(
      `CREATE TABLE item_${i} (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text NOT NULL UNIQUE,
        title text NOT NULL, amount numeric(12, 2), quantity int, notes jsonb,
        created_at timestamptz NOT NULL DEFAULT now()${references});`,
    )
    if (i % 100 === 0) parts.push('COMMIT; BEGIN;')
  }
  return `BEGIN;\n${parts.join('\n')}\nINSERT INTO item_1 (code, title) VALUES ('a', 'First');\nCOMMIT;\nANALYZE;\n`
}

function start(args: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [...node, join(ROOT, 'bin', 'svc.js'), ...args], {
    cwd,
    env: { ...process.env, DATABASE_URL: '', SVC_DIST: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Samples a process until it ends, because its memory is unknown afterwards. */
function watch({ pid }: ChildProcess): { read(): { readonly processorMs: number; readonly peakMiB: number } } {
  let last = { processorMs: 0, peakMiB: 0 }
  const sample = (): typeof last => {
    try {
      last = { processorMs: cpuSeconds(pid!) * 1000, peakMiB: readMemory(pid!).peak || last.peakMiB }
    } catch {
      // It has just ended.
    }
    return last
  }
  const timer = setInterval(sample, 20)
  return {
    read() {
      clearInterval(timer)
      return sample()
    },
  }
}

async function ended(child: ChildProcess): Promise<number> {
  return child.exitCode ?? (await new Promise<number>((done) => child.once('exit', (code) => done(code ?? -1))))
}

async function serve(url: string, cwd: string): Promise<Run> {
  const began = performance.now()
  const port = await freePort()
  const child = start(['serve', url, '--port', String(port)], cwd)
  const samples = watch(child)
  let text = ''
  let errors = ''
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  await new Promise<void>((done, fail) => {
    child.once('exit', (code) => fail(new Error(`svc serve exited with ${code}: ${errors}`)))
    child.stdout!.on('data', (chunk) => {
      text += chunk
      if (text.includes('Stop with Ctrl+C')) done()
    })
  })
  const ms = performance.now() - began
  const { processorMs, peakMiB } = samples.read()
  const query = '{ item1s(limit: 1) { items { title } } }'
  const answer = await postData(`http://127.0.0.1:${port}/graphql`, { query })
  if (!answer.body.includes('First')) throw new Error(answer.body.slice(0, 500))
  child.removeAllListeners('exit')
  child.kill('SIGTERM')
  await ended(child)
  return { ms, processorMs, peakMiB, queryMs: answer.ms }
}

async function command(args: readonly string[], cwd: string): Promise<Run> {
  const began = performance.now()
  const child = start(args, cwd)
  const samples = watch(child)
  let errors = ''
  child.stdout!.resume()
  child.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  const code = await ended(child)
  if (code !== 0) throw new Error(`svc ${args[0]} exited with ${code}: ${errors}`)
  return { ms: performance.now() - began, ...samples.read(), queryMs: null }
}

ensureBuilt()
const rows: ServeRow[] = []
const load = loadavg()[0]!
let postgres = ''
for (const tables of values.tables.split(',').map(Number)) {
  const name = `svc_bench_serve_${process.pid}`
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-serve-'))
  psql(admin, `CREATE DATABASE ${name};`)
  try {
    psql(url, tableScript(tables))
    postgres = psql(url, 'SHOW server_version;').trim()
    progress(`${tables} tables are there`)
    const runs: Record<string, Run[]> = { 'svc serve': [], 'svc init --database': [], 'svc introspect --diff': [] }
    for (let round = 1; round <= Number(values.rounds); round++) {
      runs['svc serve']!.push(await serve(url, folder))
      runs['svc init --database']!.push(await command(['init', `shop${round}`, '--database', url], folder))
      runs['svc introspect --diff']!.push(await command(['introspect', '--diff'], join(folder, `shop${round}`)))
      progress(`round ${round} of ${values.rounds}`)
    }
    for (const [command, of] of Object.entries(runs)) {
      const middle = (key: keyof Run): number => median(of.map((run) => run[key] ?? Number.NaN))
      const queryMs = of[0]!.queryMs === null ? null : middle('queryMs')
      const figures = { ms: middle('ms'), processorMs: middle('processorMs'), peakMiB: middle('peakMiB'), queryMs }
      rows.push({ command, tables, ...figures })
    }
  } finally {
    psql(admin, `DROP DATABASE ${name} WITH (FORCE);`)
    rmSync(folder, { recursive: true, force: true })
  }
}
print(SERVE.render(rows))
progress(writeResults('serve', { ...describeRun({ postgres }), rounds: Number(values.rounds), load, rows }))
