import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOADER = new URL('./loader/register.js', import.meta.url).href
/** Grace period: after a request to end, the process reports its pending work, and is then killed. */
const GRACE_MS = 2000

export interface TestProcess {
  /** Its output, after its end. */
  readonly tap: string
  readonly errors: string
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface TestProcessOptions {
  /** Number of a parallel slot; tap names folders after it. */
  readonly job: number
  readonly env: NodeJS.ProcessEnv
  readonly timeoutMs: number
  /** tap's time limit, if different. */
  readonly tapTimeoutMs?: number
  /** Receives its messages, and may return another time limit. */
  readonly onMessage: (message: Readonly<Record<string, unknown>>, setBound: (ms: number) => void) => void
  /** Its time limit has passed, and it is being ended. */
  readonly onLate: () => void
}

const running = new Set<ChildProcess>()

/** Runs a module of tap tests; its child processes end with it. */
export async function runTestProcess(args: readonly string[], options: TestProcessOptions): Promise<TestProcess> {
  const { job, env, timeoutMs, tapTimeoutMs = timeoutMs } = options
  const key = randomUUID()
  const child = spawn(process.execPath, ['--import', LOADER, ...args], {
    cwd: ROOT,
    env: {
      ...env,
      TAP: '1',
      TAP_CHILD_ID: String(job),
      TAP_JOB_ID: String(job),
      TAP_CHILD_KEY: key,
      TAP_TIMEOUT: String(tapTimeoutMs / 1000),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The process group allows ending it together with its child processes.
    detached: true,
  })
  running.add(child)
  let tap = ''
  let errors = ''
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (tap += chunk))
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk))

  let timer = setTimeout(expire, timeoutMs)
  const setBound = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(expire, ms)
  }
  child.on('message', (message: Readonly<Record<string, unknown>>) => {
    if (message.key === key) options.onMessage(message, setBound)
  })
  function expire(): void {
    options.onLate()
    child.send({ tapAbort: 'timeout', key, child: String(job) }, () => {})
    timer = setTimeout(() => kill(child), GRACE_MS)
  }

  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  // A surviving child process may hold its output open.
  void once(child, 'exit').then(() => setTimeout(() => kill(child), GRACE_MS).unref())
  const [code, signal] = await closed
  clearTimeout(timer)
  running.delete(child)
  return { tap, errors, code, signal }
}

/** Ends the running processes if the run itself is ended. */
export function killAll(): void {
  for (const child of running) kill(child)
}

function kill(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // All of them have ended.
  }
}
