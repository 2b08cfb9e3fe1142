/**
 * `npm run bench:boot`: how long the compiled example takes to start on PostgreSQL, and what it holds in memory after.
 * Prints one line per preset: median of several starts of the built CLI, from spawn to the first answer of /health/live.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const RUNS = 5
const root = fileURLToPath(new URL('..', import.meta.url))
const admin = process.env.BENCH_ADMIN_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const name = `svc_bench_boot_${process.pid}`
const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href
const example = join(root, 'examples', 'chinook')
const cli = join(root, 'bin', 'svc.js')
const env = { ...process.env, DATABASE_URL: url, SVC_DIST: '1', SVC_LOG_LEVEL: 'error', NODE_ENV: 'production' }

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const psql = (target: string, ...args: string[]): void =>
  void execFileSync('psql', [target, '-v', 'ON_ERROR_STOP=1', '-q', '-X', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** Milliseconds from spawn to the first answer, and MiB resident then. */
async function startOnce(preset: string): Promise<{ ms: number; rss: number }> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [cli, 'run', join(example, 'svc.toml'), '--preset', preset, '--port', String(port)],
    { env, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  try {
    for (;;) {
      const answered = await fetch(`http://127.0.0.1:${port}/health/live`).then(
        (r) => r.ok,
        () => false,
      )
      if (answered) break
      if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
      if (performance.now() - started > 30_000) throw new Error('the server did not start within 30 s')
      await new Promise((done) => setTimeout(done, 5))
    }
    const ms = performance.now() - started
    await new Promise((done) => setTimeout(done, 500))
    const rss =
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024
    return { ms, rss }
  } finally {
    child.kill('SIGKILL')
  }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

if (!existsSync(join(root, 'dist'))) execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
psql(admin, '-c', `CREATE DATABASE ${name}`)
try {
  for (const file of execFileSync('ls', [join(example, 'db')], { encoding: 'utf8' })
    .split('\n')
    .filter((f) => f.endsWith('.sql'))
    .sort())
    psql(url, '-f', join(example, 'db', file))
  execFileSync(process.execPath, [cli, 'compile', '--config', join(example, 'svc.toml')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
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
