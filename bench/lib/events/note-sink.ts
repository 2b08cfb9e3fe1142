import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Events received since the last request. */
export interface Received {
  readonly count: number
  /** Latency from `written` of the note to its arrival, in milliseconds. */
  readonly latencies: readonly number[]
}

/** A receiver of webhooks that answers at once. */
export interface NoteSink {
  readonly url: string
  readonly host: string
  /** Events received since the last request. */
  received(): Promise<Received>
  close(): Promise<void>
}

/** Runs in its own process: a process that also writes would delay each call. */
export async function openNoteSink(): Promise<NoteSink> {
  const child = fork(fileURLToPath(new URL('./note-sink-child.ts', import.meta.url)), { execArgv: ['--import=tsx'] })
  const [port] = (await once(child, 'message')) as [number]
  const host = `127.0.0.1:${port}`
  return {
    host,
    url: `http://${host}`,
    async received() {
      child.send('report')
      const [received] = (await once(child, 'message')) as [Received]
      return received
    },
    async close() {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}
