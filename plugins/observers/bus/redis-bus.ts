import type { Redis } from 'ioredis'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { importPackages } from '../../../core/doors/plugin.ts'
import { BUS_PACKAGES } from './bus-packages.ts'
import { BusBehind, type EventBus, groupEntries, MOST_FETCHED } from './event-bus.ts'
import { BLOCK_MS, consumeStream, type Entries, toEntry, toPosition } from './redis-consumer.ts'
import { createRedisTopics } from './redis-topics.ts'

/** Time after which a server that does not answer counts as unreachable. */
const ANSWER_MS = 5000

/** Reads the last id, even if all entries are trimmed, then appends all entries or none. Ids are positions, so that none is repeated. */
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

/**
 * Creates the message bus in a Redis stream. The observers read it as a consumer group.
 * @param url Redis connection URL
 * @param stream key of the stream
 * @param answerMs milliseconds after which a silent server counts as unreachable
 */
export async function createRedisBus(url: string, stream: string, answerMs = ANSWER_MS): Promise<EventBus> {
  const { Redis } = await importPackages('observers', BUS_PACKAGES.kvstore, () => import('ioredis'))
  const options = { lazyConnect: true, maxRetriesPerRequest: 0, connectTimeout: answerMs } as const
  const retryStrategy = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000)
  const main = new Redis(url, { ...options, commandTimeout: answerMs, retryStrategy })
  main.on('error', () => {})
  const topics = createRedisTopics(
    () => new Redis(url, { ...options, commandTimeout: answerMs, retryStrategy }),
    answerMs,
  )

  /** Replaces the connection when it does not answer in time, because a dead connection may never be reported. */
  async function answered<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked
    } catch (error) {
      if (isTimeout(error)) main.disconnect(true)
      throw error
    }
  }

  /** Runs blocking reads on a separate connection, which is closed afterwards. */
  async function own<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(url, { ...options, commandTimeout: BLOCK_MS + answerMs, retryStrategy: () => null })
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }

  async function last(): Promise<string> {
    if ((await answered(main.exists(stream))) === 0) return '0'
    const info = (await answered(main.xinfo('STREAM', stream))) as unknown[]
    return toPosition(String(info[info.indexOf('last-generated-id') + 1]))
  }

  return {
    last,
    async append(previous: string, events: readonly ChangeEvent[], isFirst: boolean) {
      let mayBeLess = isFirst
      for (const { previous: before, entries } of groupEntries(previous, events)) {
        const values = entries.flatMap(({ event, text }) => [event.position, text])
        const asked = main.eval(APPEND, 1, stream, before, mayBeLess ? '1' : '0', ...values)
        const found = String(await answered(asked))
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
    consume: (floor, arrived) => consumeStream({ main, own, stream }, floor, arrived),
    async trim(position) {
      await answered(main.xtrim(stream, 'MINID', '~', `${BigInt(position) + 1n}-0`))
    },
    hear: topics.hear,
    async close() {
      topics.close()
      main.disconnect()
    },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}
