import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A service of the run's own, that it may kill without anybody else noticing. */
export interface OwnService {
  /** URL, in the form of `svc.toml`. */
  readonly url: string
  start(): Promise<void>
  /** SIGKILL: no goodbye, no flush. */
  kill(): Promise<void>
  /** While it runs. */
  pid(): number
  /** Deletes the stored data while the process is stopped; `null`: the data is the subject of the run. */
  readonly forget: (() => void) | null
}

export interface OwnProcess {
  /** @throws Error when it ends, or is not ready in time */
  start(): Promise<void>
  kill(): Promise<void>
  pid(): number
}

const START_MS = 60_000

/** @param ready throws while it cannot be used */
export function ownProcess(
  command: string,
  args: readonly string[],
  ready: () => Promise<void>,
  asUser?: string,
): OwnProcess {
  let child: ChildProcess | null = null
  return {
    async start() {
      const [program, ...rest] = [...(asUser === undefined ? [] : dropTo(asUser)), command, ...args] as [string]
      const deadline = performance.now() + START_MS
      for (;;) {
        if (child === null || child.exitCode !== null || child.signalCode !== null) {
          // Processes of the killed one may still hold its locks: retry until they have ended.
          child = spawn(program, rest, { stdio: 'ignore', cwd: '/', env: ownEnvironment() })
          child.on('error', () => {})
        }
        try {
          return await ready()
        } catch (error) {
          if (performance.now() > deadline) throw new Error(`${command} does not start`, { cause: error })
        }
        await sleep(50)
      }
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    pid() {
      if (child?.pid === undefined) throw new Error(`${command} does not run`)
      return child.pid
    },
  }
}

/** Servers of databases refuse to run as root. */
function dropTo(user: string): readonly string[] {
  if (process.getuid?.() !== 0) return []
  return ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
}

/** @throws Error while no process listens there */
export async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

/** The temporary folder of a test run is closed to the users that databases run as. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, TMPDIR: undefined }
}
