import cluster, { type Worker } from 'node:cluster'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { WORKER_VARIABLE } from './messages.ts'

/**
 * Starts a worker process.
 * @param index number of the worker, from 1
 * @param port port to listen on; `null`: the configured one
 */
export type ForkWorker = (index: number, port: number | null) => Worker

/**
 * Creates the function with which the supervisor starts worker processes. A worker runs the same command line, and
 * reads configuration and compiled schema itself.
 */
export function createForker(args: CommandArgs, { cwd, env }: CommandIo): ForkWorker {
  const exec = findExecutable()
  return (index, port) => {
    cluster.setupPrimary({ exec, cwd, args: toArgv(args, port) })
    const worker = cluster.fork({ ...env, [WORKER_VARIABLE]: String(index) })
    closeLostConnection(worker)
    return worker
  }
}

function toArgv({ positionals, flags }: CommandArgs, port: number | null): string[] {
  const given = port === null ? flags : { ...flags, port: String(port) }
  const options = Object.entries(given).flatMap(([name, value]) => {
    // Only the supervisor watches files.
    if (name === 'watch' || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}=${value}`]
  })
  return ['run', ...options, '--', ...positionals]
}

function findExecutable(): string {
  // core/cli/workers/ in a source checkout, dist/core/cli/workers/ in a published package.
  for (const up of ['../../../bin/svc.js', '../../../../bin/svc.js']) {
    const path = fileURLToPath(new URL(up, import.meta.url))
    if (existsSync(path)) return path
  }
  throw new Error('bin/svc.js is not where it belongs.')
}

interface HandoverMessage {
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}
interface Handle {
  close(): void
}

/**
 * Closes a connection that was being passed to a worker when the worker died. node:cluster would keep it open forever,
 * and its client would wait. After a closed connection, clients try again.
 */
function closeLostConnection(worker: Worker): void {
  const child = worker.process
  const send = child.send as (this: unknown, message: unknown, ...rest: unknown[]) => boolean
  let handle: Handle | null = null
  let sequence: unknown
  child.send = ((message: HandoverMessage, ...rest: unknown[]) => {
    if (message.act === 'newconn') {
      handle = rest[0] as Handle
      sequence = message.seq
    }
    return send.call(child, message, ...rest)
  }) as typeof child.send
  child.on('internalMessage', (message: HandoverMessage | null) => {
    // The worker accepted the connection, or rejected it, and then node:cluster passes it to another worker.
    if (message?.ack === sequence) handle = null
  })
  worker.once('exit', () => handle?.close())
}
