import type { Redis } from 'ioredis'
import type { EventBus } from './event-bus.ts'

/**
 * Subscribes to Redis channels on a separate connection, because a subscribed connection accepts no other commands.
 * @param connect opens the connection
 * @param everyMs interval in milliseconds of checks that the connection works
 */
export function createRedisTopics(
  connect: () => Redis,
  everyMs: number,
): { readonly hear: NonNullable<EventBus['hear']>; close(): void } {
  const hearers = new Map<string, Map<(text: string) => void, () => void>>()
  let redis: Redis | null = null
  let pulse: NodeJS.Timeout | undefined

  /** The client subscribes again after every reconnect. */
  function open(): Redis {
    if (redis !== null) return redis
    const opened = connect()
    opened.on('error', () => {})
    opened.on('message', (channel: string, text: string) => {
      for (const heard of hearers.get(channel)?.keys() ?? []) heard(text)
    })
    const tellGap = (): void => {
      for (const all of [...hearers.values()]) for (const gap of all.values()) gap()
    }
    let isFirst = true
    opened.on('ready', () => {
      // The client subscribes again after this event, and the answer to a ping follows after that.
      if (!isFirst) setImmediate(() => opened.ping().then(tellGap, () => {}))
      isFirst = false
    })
    // A connection that only listens would not notice that its server has gone.
    pulse = setInterval(() => {
      if (opened.status === 'ready') opened.ping().catch(() => opened.disconnect(true))
    }, everyMs)
    pulse.unref()
    redis = opened
    return opened
  }

  return {
    async hear(channel, heard, gap = () => {}) {
      const all = hearers.get(channel) ?? new Map<(text: string) => void, () => void>()
      hearers.set(channel, all.set(heard, gap))
      const end = async (): Promise<void> => {
        all.delete(heard)
        if (all.size > 0 || hearers.get(channel) !== all) return
        hearers.delete(channel)
        await redis?.unsubscribe(channel).catch(() => {})
      }
      try {
        await open().subscribe(channel)
      } catch (error) {
        await end()
        throw error
      }
      return end
    },
    close() {
      clearInterval(pulse)
      redis?.disconnect()
    },
  }
}
