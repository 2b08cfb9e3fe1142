import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readReport } from './describe-failures.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const LOADER = new URL('./loader/register.js', import.meta.url).href
/** From being asked to end, telling what it still waits for, to being killed. */
const GRACE_MS = 2000
const TAIL = 4000

export interface FileResult {
  readonly file: string
  readonly word: 'passed' | 'failed' | 'timed out'
  readonly seconds: number
  readonly points: number
  readonly skipped: number
  /** What to print where it did not pass. */
  readonly reasons: readonly string[]
}

export interface RunFileOptions {
  readonly timeoutMs: number
  /** One of those that run at once; tap names folders after it. */
  readonly job: number
  readonly env: NodeJS.ProcessEnv
}

const running = new Set<ChildProcess>()

/** Runs one test file in a process of its own, which tap makes write what it found. */
export async function runFile(file: string, { timeoutMs, job, env }: RunFileOptions): Promise<FileResult> {
  const began = performance.now()
  const key = randomUUID()
  const child = spawn(process.execPath, ['--import', LOADER, file], {
    cwd: ROOT,
    env: {
      ...env,
      TAP: '1',
      TAP_CHILD_ID: String(job),
      TAP_JOB_ID: String(job),
      TAP_CHILD_KEY: key,
      TAP_TIMEOUT: String(timeoutMs / 1000),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // With the processes that it starts it is ended as one.
    detached: true,
  })
  running.add(child)
  let tap = ''
  let errors = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (tap += chunk))
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))

  let isLate = false
  let timer = setTimeout(expire, timeoutMs)
  // `t.setTimeout` at the root of a file is the file's bound.
  child.on('message', (message: { key?: unknown; setTimeout?: unknown }) => {
    if (message.key !== key || typeof message.setTimeout !== 'number') return
    clearTimeout(timer)
    if (message.setTimeout > 0) timer = setTimeout(expire, message.setTimeout)
  })
  function expire(): void {
    isLate = true
    child.send({ tapAbort: 'timeout', key, child: String(job) }, () => {})
    timer = setTimeout(() => kill(child), GRACE_MS)
  }

  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // A process that it left behind may hold its output open.
  void once(child, 'exit').then(() => setTimeout(() => kill(child), GRACE_MS).unref())
  const [code, signal] = await closed
  clearTimeout(timer)
  running.delete(child)

  const report = readReport(tap)
  // However a test skips itself: where nothing may be missing, it is.
  const lacks = env.SVC_TEST_REQUIRE === 'all' && report.skipped > 0
  // A file that asserts nothing cannot fail, so it is not through either.
  const ok = report.ok && report.points > 0 && code === 0 && !isLate && !lacks
  const reasons = [...report.failures]
  if (!ok) {
    if (lacks) reasons.push(`${report.skipped} skipped, and SVC_TEST_REQUIRE=all: nothing may be missing`)
    if (isLate) reasons.push(`ran out of its time, ${Math.round((performance.now() - began) / 1000)} s`)
    else if (report.points === 0 && report.ok && code === 0) reasons.push('asserts nothing')
    else if (reasons.length === 0) reasons.push(`ended with ${signal ?? `exit code ${code}`}:\n${tap.slice(-TAIL)}`)
    if (errors.trim() !== '') reasons.push(`on its error output:\n${errors.slice(-TAIL).trimEnd()}`)
  }
  return {
    file,
    word: ok ? 'passed' : isLate ? 'timed out' : 'failed',
    seconds: (performance.now() - began) / 1000,
    points: report.points,
    skipped: report.skipped,
    reasons,
  }
}

/** Ends what runs, where the run itself is ended. */
export function killAll(): void {
  for (const child of running) kill(child)
}

function kill(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // Nobody is left of them.
  }
}
