import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { SvcError } from '../../../core/index.ts'
import type { ChangeEvent } from '../change/change-event.ts'
import {
  BusBehind,
  type BusConsumer,
  type BusEntry,
  type EventBus,
  groupEntries,
  MOST_FETCHED,
  readEntry,
} from './event-bus.ts'
import { Unread } from './unread.ts'

const GROUP = 'observers'
/** How long a read waits for something to come. */
const BLOCK_MS = 2000
const COMMAND_MS = 5000

/** The last id, though all entries are trimmed; then all of them or none. Ids are positions, so nothing stands there twice. */
const APPEND = `local last = '0'
if redis.call('EXISTS', KEYS[1]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do if info[i] == 'last-generated-id' then last = string.match(info[i + 1], '^%d+') end end
end
local previous = ARGV[1]
local isLess = #last < #previous or (#last == #previous and last < previous)
if last ~= previous and not (ARGV[2] == '1' and isLess) then return last end
for i = 3, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[i] .. '-0', 'event', ARGV[i + 1]) end
return 'ok'`

type Entries = readonly (readonly [id: string, fields: readonly string[] | null])[]

/** A stream of Redis; observers are a consumer group of it. */
export async function createRedisBus(url: string, stream: string): Promise<EventBus> {
  const { Redis } = await import('ioredis').catch((cause: unknown) => {
    throw new SvcError('SVC_CONFIG_INVALID', 'The backend "kvstore" needs the package "ioredis": npm install ioredis', {
      cause,
    })
  })
  const options = { lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: COMMAND_MS } as const
  const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000)
  const main = new Redis(url, { ...options, commandTimeout: COMMAND_MS, retryStrategy })
  main.on('error', () => {})

  /** Reads that wait stand on a connection of their own, which ends with them. */
  async function own<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(url, { ...options, retryStrategy: () => null })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }

  async function last(): Promise<string> {
    if ((await main.exists(stream)) === 0) return '0'
    const info = (await main.xinfo('STREAM', stream)) as unknown[]
    return toPosition(String(info[info.indexOf('last-generated-id') + 1]))
  }

  return {
    last,
    async append(previous: string, events: readonly ChangeEvent[], isFirst: boolean) {
      let mayBeLess = isFirst
      for (const { previous: before, entries } of groupEntries(previous, events)) {
        const values = entries.flatMap(({ event, text }) => [event.position, text])
        const found = String(await main.eval(APPEND, 1, stream, before, mayBeLess ? '1' : '0', ...values))
        if (found !== 'ok') throw new BusBehind(found, before)
        mayBeLess = false
      }
    },
    tail: (to, signal) =>
      own(async (redis) => {
        const end = (): void => redis.disconnect()
        signal.addEventListener('abort', end)
        try {
          let at = await last()
          await to.begin(at)
          while (!signal.aborted) {
            const found = await redis.xread('COUNT', MOST_FETCHED, 'BLOCK', BLOCK_MS, 'STREAMS', stream, `${at}-0`)
            const entries = (found?.[0]?.[1] ?? []) as Entries
            if (entries.length === 0) continue
            at = toPosition(entries.at(-1)![0])
            await to.take(entries.flatMap(toEntry))
          }
        } catch (error) {
          if (!signal.aborted) throw error
        } finally {
          signal.removeEventListener('abort', end)
        }
      }),
    consume: (floor, arrived) => consume({ main, own, stream }, floor, arrived),
    async trim(position) {
      await main.xtrim(stream, 'MINID', '~', `${BigInt(position) + 1n}-0`)
    },
    async close() {
      main.disconnect()
    },
  }
}

interface Consuming {
  readonly main: Redis
  readonly own: (work: (redis: Redis) => Promise<void>) => Promise<void>
  readonly stream: string
}

async function consume({ main, own, stream }: Consuming, floor: string, arrived: () => void): Promise<BusConsumer> {
  const name = randomUUID()
  await main.xgroup('CREATE', stream, GROUP, `${floor}-0`, 'MKSTREAM').catch((error: Error) => {
    if (!error.message.startsWith('BUSYGROUP')) throw error
  })
  const unread = new Unread()
  let failure: unknown = null
  let isOpen = true
  let connection: Redis | null = null

  function add(entries: Entries): void {
    // What another process took and was trimmed meanwhile has no fields.
    unread.add(entries.flatMap(toEntry))
    arrived()
  }

  const running = own(async (redis) => {
    connection = redis
    // The process whose turn it was has ended, or may act no more: all that it took is stale.
    for (let from = '0-0'; isOpen; ) {
      const claim = await redis.xautoclaim(stream, GROUP, name, 0, from, 'COUNT', MOST_FETCHED)
      const [next, entries] = claim as [string, Entries]
      add(entries)
      if (next === '0-0') break
      from = next
      while (isOpen && unread.isFull) await sleep(5)
    }
    while (isOpen) {
      const read = ['GROUP', GROUP, name, 'COUNT', MOST_FETCHED, 'BLOCK', BLOCK_MS, 'STREAMS', stream, '>'] as const
      const found = (await redis.xreadgroup(...read)) as [string, Entries][] | null
      add(found?.[0]?.[1] ?? [])
      while (isOpen && unread.isFull) await sleep(5)
    }
  }).catch((error: unknown) => {
    if (!isOpen) return
    failure = error
    arrived()
  })

  return {
    read(limit) {
      if (failure !== null) throw failure
      return unread.take(limit)
    },
    done(position) {
      // What is not acknowledged comes again, and is known to be done by its position.
      void main.xack(stream, GROUP, `${position}-0`).catch(() => {})
    },
    async close() {
      isOpen = false
      connection?.disconnect()
      await running
      // What it took stays pending until the next one claims it; an idle name would stay for ever.
      const pending = (await main.xpending(stream, GROUP, '-', '+', 1, name).catch(() => [null])) as unknown[]
      if (pending.length === 0) await main.xgroup('DELCONSUMER', stream, GROUP, name).catch(() => {})
    },
  }
}

function toEntry([, fields]: Entries[number]): readonly BusEntry[] {
  const entry = fields === null ? null : readEntry(fields[1] ?? '')
  return entry === null ? [] : [entry]
}

function toPosition(id: string): string {
  return id.split('-')[0]!
}
