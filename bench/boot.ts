/**
 * `npm run bench:boot`: start-up time of the compiled example on PostgreSQL, and its memory afterwards. Prints one
 * line per preset: median of several starts of the built CLI, from spawn to the first response of /health/live.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { print } from './lib/print.ts'
import { median } from './lib/stats.ts'
import { compileProject, ensureBuilt, ROOT, readMemory, startSvc } from './lib/svc-process.ts'

const RUNS = 5
const admin = process.env.BENCH_ADMIN_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `svc_bench_boot_${process.pid}`
const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
const example = join(ROOT, 'examples', 'chinook')

const psql = (target: string, ...args: string[]): void =>
  void execFileSync('psql', [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** Milliseconds from spawn to the first answer, and MiB resident half a second later. */
async function startOnce(preset: string): Promise<{ ms: number; rss: number }> {
  const server = await startSvc({
    project: join(example, 'svc.toml'),
    databaseUrl: url,
    args: ['--preset', preset],
  })
  try {
    await new Promise((done) => setTimeout(done, 500))
    return { ms: server.startMs, rss: readMemory(server.pid).rss }
  } finally {
    await server.stop()
  }
}

ensureBuilt()
psql(admin, '-c', `CREATE DATABASE ${name}`)
try {
  for (const file of execFileSync('ls', [join(example, 'db')], { encoding: 'utf8' })
    .split('\n')
    .filter((f) => f.endsWith('.sql'))
    .sort())
    psql(url, '-f', join(example, 'db', file))
  compileProject(join(example, 'svc.toml'), url)
  print(`Node ${process.versions.node}, the Chinook example on PostgreSQL, ${RUNS} starts each`)
  for (const preset of ['minimal', 'standard', 'full']) {
    const runs = []
    for (let i = 0; i < RUNS; i++) runs.push(await startOnce(preset))
    print(
      `${preset.padEnd(9)} start ${median(runs.map((r) => r.ms))
        .toFixed(0)
        .padStart(5)} ms   resident ${median(runs.map((r) => r.rss))
        .toFixed(0)
        .padStart(4)} MiB`,
    )
  }
} finally {
  psql(admin, '-c', `DROP DATABASE ${name} WITH (FORCE)`)
}
