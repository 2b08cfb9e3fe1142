import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const STARTED_WITHIN_MS = 30_000
/** Account for servers that refuse to run as root. */
export const ACCOUNT = 'nobody'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Returns the account that servers run as; `null`: that of this process, which is not root. */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string): number => Number(execFileSync('id', [flag, ACCOUNT], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Makes a folder accessible to the account of servers. */
export function giveFolder(folder: string, account: Account | null): void {
  if (account === null) return
  chmodSync(folder, 0o755)
  chownSync(folder, account.uid, account.gid)
}

/** Returns a port on which nothing listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })
}

export interface Started {
  readonly port: number
  /** Stops the process, and resolves when it has ended. */
  stop(): Promise<void>
}

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly account: Account | null
  readonly port: number
}

/**
 * Starts a server, and resolves when it accepts connections. It ends with this process at the latest.
 * @throws Error with the output of a server that does not start
 */
export async function startProgram({ command, args, account, port }: Program): Promise<Started> {
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...account })
  let output = ''
  const record = (chunk: Buffer): void => {
    output = `${output}${chunk}`.slice(-4000)
  }
  server.stdout.on('data', record)
  server.stderr.on('data', record)
  const kill = (): void => void server.kill('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<void>((resolve) => {
    server.once('error', (error) => {
      output += String(error)
      resolve()
    })
    server.once('exit', () => resolve())
  })
  let isOver = false
  void ended.then(() => {
    isOver = true
    process.off('exit', kill)
  })
  for (const late = performance.now() + STARTED_WITHIN_MS; !(await accepts(port)); await sleep(50)) {
    if (!isOver && performance.now() < late) continue
    kill()
    throw new Error(`${command} does not start:\n${output}`)
  }
  return { port, stop: () => stop(server, ended) }
}

/** Ends a server, first in its own way. */
async function stop(server: ChildProcess, ended: Promise<void>): Promise<void> {
  server.kill('SIGINT')
  const hard = setTimeout(() => server.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(hard)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isAccepted: boolean) => () => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', end(true))
    socket.once('error', end(false))
  })
}
