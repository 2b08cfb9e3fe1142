import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Heard, SubscriberJob } from './subscriber-child.ts'

/** Clients that follow changes, in a process of their own. */
export interface Subscribers {
  readonly count: number
  /** Events received since the last request. */
  heard(): Promise<Heard>
  stop(): Promise<void>
}

/** Resolves when all of them follow. @throws Error when one of them is refused */
export async function openSubscribers(url: string, count: number, query: string): Promise<Subscribers> {
  const child = fork(fileURLToPath(new URL('./subscriber-child.ts', import.meta.url)), { execArgv: ['--import=tsx'] })
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const failed = gone.then((code) => {
    throw new Error(`the clients ended with ${code}`)
  })
  failed.catch(() => {})

  function ask(what: SubscriberJob | 'report'): Promise<unknown> {
    const answered = new Promise((resolve) => child.once('message', resolve))
    child.send(what)
    return Promise.race([answered, failed])
  }

  await ask({ url: url.replace(/^http/, 'ws'), count, query })
  return {
    count,
    heard: async () => (await ask('report')) as Heard,
    async stop() {
      child.disconnect()
      await gone
    },
  }
}
