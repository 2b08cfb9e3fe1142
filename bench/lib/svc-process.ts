import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(ROOT, 'bin', 'svc.js')

export interface StartOptions {
  /** Folder with `svc.toml`, or the file. */
  readonly project: string
  readonly databaseUrl: string
  /** Arguments of the CLI, after `run <project>`. */
  readonly args?: readonly string[]
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[]
  readonly node?: string
  readonly cwd?: string
  /** Not the build: where that may be old, or none. */
  readonly fromSource?: boolean
}

/** A running server of the built CLI, as users start it. */
export interface SvcProcess {
  readonly pid: number
  /** The GraphQL endpoint. */
  readonly url: string
  /** Time from spawn to the first response of `/health/live`. */
  readonly startMs: number
  isAlive(): boolean
  /** Drains and waits. */
  stop(): Promise<void>
}

/** Builds `dist` when there is none. */
export function ensureBuilt(): void {
  if (!existsSync(join(ROOT, 'dist', 'core', 'cli', 'main.js'))) {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

const environment = (databaseUrl: string, fromSource = false): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  SVC_DIST: fromSource ? undefined : '1',
  SVC_LOG_LEVEL: 'error',
  NODE_ENV: 'production',
})

/** Runs `svc compile`. @returns milliseconds from spawn to exit */
export function compileProject(project: string, databaseUrl: string, fromSource = false): number {
  const started = performance.now()
  execFileSync(process.execPath, [cli, 'compile', '--config', project], {
    env: environment(databaseUrl, fromSource),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return performance.now() - started
}

/** Starts `svc run` on a free port and waits until it answers. @throws Error when it exits, or takes over two minutes */
export async function startSvc(options: StartOptions): Promise<SvcProcess> {
  const port = await freePort()
  const args = [...(options.nodeArgs ?? []), cli, 'run', options.project, '--port', String(port)]
  const started = performance.now()
  const child = spawn(options.node ?? process.execPath, [...args, ...(options.args ?? [])], {
    env: environment(options.databaseUrl, options.fromSource),
    cwd: options.cwd,
    // Aborted requests, which every load leaves behind, are in them: kept for a failure only.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const keep = (chunk: Buffer): void => {
    log = (log + chunk.toString()).slice(-4000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const url = `http://127.0.0.1:${port}`
  try {
    await waitUntilAnswers(child, `${url}/health/live`)
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${(error as Error).message}\n${log}`, { cause: error })
  }
  return {
    pid: child.pid!,
    url: `${url}/graphql`,
    startMs: performance.now() - started,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () => stop(child),
  }
}

/** Polls every 5 ms. @throws Error when the process exits, or does not answer within two minutes */
export async function waitUntilAnswers(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const live = await fetch(url).then(
      (r) => r.ok,
      () => false,
    )
    if (live) return
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error('the server did not start within two minutes')
    await new Promise((done) => setTimeout(done, 5))
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
  await gone
  clearTimeout(timer)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** Resident memory now and its high-water mark since the start or the last reset, in MiB. */
export function readMemory(pid: number): { readonly rss: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (key: string): number => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
  return { rss: read('VmRSS'), peak: read('VmHWM') }
}

/** Sets the high-water mark to the current resident memory. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
