/**
 * `npm run bench:first-start`: what somebody who begins waits for: `svc compile` of the Chinook example on the embedded database,
 * the first `svc run`, which serves what the compiler laid out, and the next ones. Medians of `--rounds`, default 5; each round in a new folder.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FirstStartRow, renderFirstStart } from './lib/first-start-table.ts'
import { print, progress } from './lib/print.ts'
import { median } from './lib/stats.ts'
import { ensureBuilt, ROOT, readMemory, startSvc } from './lib/svc-process.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const CLI = join(ROOT, 'bin', 'svc.js')
/** Time until garbage of the start is collected. */
const LATER_MS = 5000
/** Unit of `/proc/<pid>/stat`. */
const TICK_MS = 10

function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function compile(folder: string): Promise<FirstStartRow> {
  const started = performance.now()
  const child = spawn(process.execPath, [CLI, 'compile', '--config', join(folder, 'svc.toml')], {
    env: { ...process.env, DATABASE_URL: '', SVC_DIST: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let last = { processorMs: 0, peakMiB: 0 }
  const timer = setInterval(() => {
    try {
      last = { processorMs: processorMs(child.pid!), peakMiB: readMemory(child.pid!).peak || last.peakMiB }
    } catch {
      // The process has just ended.
    }
  }, 10)
  const code = await new Promise((done) => child.once('exit', done))
  clearInterval(timer)
  if (code !== 0) throw new Error(`svc compile exited with ${String(code)}`)
  return { command: 'svc compile', ms: performance.now() - started, ...last, laterMiB: null }
}

async function start(folder: string, command: string): Promise<FirstStartRow> {
  const server = await startSvc({ project: join(folder, 'svc.toml'), databaseUrl: '' })
  try {
    const spent = processorMs(server.pid)
    await new Promise((done) => setTimeout(done, LATER_MS))
    const { rss, peak } = readMemory(server.pid)
    return { command, ms: server.startMs, processorMs: spent, peakMiB: peak, laterMiB: rss }
  } finally {
    await server.stop()
  }
}

async function round(): Promise<readonly FirstStartRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-first-start-'))
  try {
    cpSync(join(ROOT, 'examples', 'chinook'), folder, {
      recursive: true,
      filter: (path) => !path.includes('.svc') && !path.endsWith('schema.compiled.json'),
    })
    return [await compile(folder), await start(folder, 'svc run, the first'), await start(folder, 'svc run, later')]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

ensureBuilt()
const rounds: (readonly FirstStartRow[])[] = []
for (let i = 0; i < Number(values.rounds); i++) {
  rounds.push(await round())
  progress(`round ${i + 1} of ${values.rounds}`)
}
const rows = rounds[0]!.map(({ command, laterMiB }, i): FirstStartRow => {
  const of = (key: 'ms' | 'processorMs' | 'peakMiB'): number => median(rounds.map((each) => each[i]![key]))
  const later = laterMiB === null ? null : median(rounds.map((each) => each[i]!.laterMiB!))
  return { command, ms: of('ms'), processorMs: of('processorMs'), peakMiB: of('peakMiB'), laterMiB: later }
})
print(renderFirstStart(rows))
