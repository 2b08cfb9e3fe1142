import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { SvcError } from '../errors/svc-error.ts'
import type { Signals } from '../signals/signals.ts'
import { escapePercents } from '../util/escape-percents.ts'
import { RedisState } from './redis-state.ts'
import { storeUnavailable } from './store-failure.ts'

export interface RedisOptions {
  readonly signals: Signals
  /** Longest that a command takes, the wait for a connection included. Default 1000. */
  readonly timeoutMs?: number
}

/** A connection to a key-value server that speaks Redis' protocol. Commands of all users are pipelined on it. */
export interface RedisConnection {
  /** @throws SvcError SERVICE_UNAVAILABLE whatever the reason; the log has it */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown>
  /** Runs a Lua script, which is atomic. */
  script(lua: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Closes it when the last user has. */
  close(): Promise<void>
}

/** A script of ours, and the name that the server has it under once it has run. */
export interface RedisScript {
  readonly text: string
  readonly sha1: string
}

/** Not for texts of clients: those are keys and arguments. */
export function redisScript(text: string): RedisScript {
  return Object.freeze({ text, sha1: createHash('sha1').update(text).digest('hex') })
}

interface Shared {
  readonly client: Redis
  readonly state: RedisState
  users: number
}

/** By URL: the plugins of a process share one connection to a server. */
const open = new Map<string, Shared>()

/**
 * Opens a connection, or joins the one that is open to the same URL. Does not wait for the server: while it is away every
 * command fails, and it is tried again by itself.
 * @param url `redis://user:password@host:6379/0`, `rediss://…` for TLS
 * @throws SvcError SVC_CONFIG_INVALID
 */
export async function openRedis(url: string, { signals, timeoutMs = 1000 }: RedisOptions): Promise<RedisConnection> {
  const host = hostOf(url)
  const { Redis } = await import('ioredis').catch((cause: unknown) => {
    throw new SvcError('SVC_CONFIG_INVALID', 'A kvstore_url needs the package "ioredis": npm install ioredis', {
      cause,
    })
  })
  let shared = open.get(url)
  if (shared === undefined) {
    // As it is read: ioredis takes `REDISS://` for one without TLS.
    const client = new Redis(new URL(escapePercents(url)).href, {
      lazyConnect: true,
      connectTimeout: 5000,
      disconnectTimeout: 100,
      // What waits is a request: it is told soon, and nothing piles up behind a server that is away.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      enableAutoPipelining: true,
      retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 2000),
    })
    shared = { client, state: new RedisState(client, host), users: 0 }
    open.set(url, shared)
    // Failures are the state's to tell.
    void client.connect().catch(() => {})
  }
  shared.users++
  shared.state.join(signals)
  return connectionOf(url, shared, { signals, timeoutMs })
}

/** The key-value servers that one app uses, for whoever shows their state. */
export function listStores(signals: Signals): readonly StoreState[] {
  return [...open.values()].flatMap(({ state }) =>
    state.isUsedBy(signals) ? [{ host: state.host, isUp: state.isUp }] : [],
  )
}

/** A key-value server and whether it answers. */
export interface StoreState {
  /** Host and port: the URL may hold a password. */
  readonly host: string
  readonly isUp: boolean
}

function connectionOf(
  url: string,
  shared: Shared,
  { signals, timeoutMs }: { readonly signals: Signals; readonly timeoutMs: number },
): RedisConnection {
  const { client, state } = shared
  let isOpen = true
  /** Set while a call was not answered in time and no probe has been since: requests do not wait to find that out again. */
  let stopWaiting: (() => void) | null = null

  async function run(work: () => Promise<unknown>): Promise<unknown> {
    if (stopWaiting !== null) throw storeUnavailable(state.lastError)
    try {
      if (client.status !== 'ready') await state.untilReady(timeoutMs)
      const answer = await inTime(work())
      state.worked()
      return answer
    } catch (error) {
      if (/NOSCRIPT/.test(String((error as Error).message))) throw error
      state.failed(error)
      throw storeUnavailable(error)
    }
  }

  /** The time is this user's: others of the same connection may wait for more or less. */
  function inTime(work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const error = new Error(`The key-value server did not answer within ${timeoutMs} ms.`)
        reject(error)
        if (stopWaiting !== null || !isOpen) return
        stopWaiting = state.silent(timeoutMs, error, () => {
          stopWaiting = null
        })
      }, timeoutMs)
      work.then(
        (answer) => {
          clearTimeout(timer)
          resolve(answer)
        },
        (error) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }

  return {
    call: (command, ...args) => run(() => client.call(command, ...args.map(String))),
    async script({ text, sha1 }, keys, args) {
      const rest = [String(keys.length), ...keys, ...args.map(String)]
      try {
        return await run(() => client.call('EVALSHA', sha1, ...rest))
      } catch (error) {
        if (error instanceof SvcError) throw error
        return run(() => client.call('EVAL', text, ...rest))
      }
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      stopWaiting?.()
      shared.users--
      state.leave(signals)
      if (shared.users > 0) return
      open.delete(url)
      state.end()
      client.disconnect()
    },
  }
}

/** Never the rest of the URL, which may hold a password. */
function hostOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && (parsed.protocol === 'redis:' || parsed.protocol === 'rediss:') && parsed.hostname !== '') {
    return parsed.host
  }
  const message =
    'A kvstore_url is "redis://host:6379", with user and password before the host where they are needed, or "rediss://…" for TLS.'
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
