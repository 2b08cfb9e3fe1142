import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import { SvcError } from '../../base/errors/svc-error.ts'
import { importPackages } from '../../base/packages/import-packages.ts'
import type { OptionalPackages } from '../../base/packages/optional-packages.ts'
import { escapePercents } from '../../base/util/escape-percents.ts'
import type { Signals } from '../../contract/signals.ts'
import { RedisState } from './redis-state.ts'
import { storeUnavailable } from './store-failure.ts'

export interface RedisOptions {
  readonly signals: Signals
  /** Time limit of a command in milliseconds, including the wait for a connection. Default 1000. */
  readonly timeoutMs?: number
}

/** A use of a connection to a Redis server. Plugins with the same URL share one connection. */
export interface RedisConnection {
  /** Runs a Redis command. @throws SvcError SERVICE_UNAVAILABLE for any failure; the log has the reason */
  call(command: string, ...args: readonly (string | number)[]): Promise<unknown>
  /** Runs a Lua script on the server as one atomic step. @throws as {@link RedisConnection.call} */
  script(lua: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Ends this use of the connection. The connection is closed when its last user calls `close`. */
  close(): Promise<void>
}

/** A Lua script with its SHA-1, by which the server finds the script after its first run. */
export interface RedisScript {
  readonly text: string
  readonly sha1: string
}

/** Prepares a Lua script. Its text must be constant: pass values of clients as keys or arguments. */
export function redisScript(text: string): RedisScript {
  return Object.freeze({ text, sha1: createHash('sha1').update(text).digest('hex') })
}

/** The client of Redis. Plugins with the option `kvstore_url` need it. */
export const REDIS_PACKAGE: OptionalPackages = { names: ['ioredis'], for: 'A key-value store (kvstore_url)' }

interface Shared {
  readonly client: Redis
  readonly state: RedisState
  users: number
}

/** Open connections by URL. The plugins of a process share one connection to a server. */
const open = new Map<string, Shared>()

/**
 * Opens a connection to a Redis server, or shares the open one with the same URL. It does not wait for the server.
 * While the server is unreachable, commands fail, and svc reconnects in the background.
 * @param url `redis://user:password@host:6379/0`, or `rediss://…` for TLS
 * @throws SvcError SVC_CONFIG_INVALID: the URL is invalid; SVC_PACKAGE_MISSING: `ioredis` is not installed
 */
export async function openRedis(url: string, { signals, timeoutMs = 1000 }: RedisOptions): Promise<RedisConnection> {
  const host = hostOf(url)
  const { Redis } = await importPackages(null, REDIS_PACKAGE, () => import('ioredis'))
  let shared = open.get(url)
  if (shared === undefined) {
    // Normalised by URL, because ioredis would treat `REDISS://` as a URL without TLS.
    const client = new Redis(new URL(escapePercents(url)).href, {
      lazyConnect: true,
      connectTimeout: 5000,
      disconnectTimeout: 100,
      // Requests wait for commands, so commands fail early and none are queued while the server is down.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      enableAutoPipelining: true,
      retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 2000),
    })
    shared = { client, state: new RedisState(client, host), users: 0 }
    open.set(url, shared)
    // RedisState reports failures.
    void client.connect().catch(() => {})
  }
  shared.users++
  shared.state.join(signals)
  return connectionOf(url, shared, { signals, timeoutMs })
}

/** Returns the availability of each Redis server that an app uses. @param signals signal bus of the app */
export function listStores(signals: Signals): readonly StoreState[] {
  return [...open.values()].flatMap(({ state }) =>
    state.isUsedBy(signals) ? [{ host: state.host, isUp: state.isUp }] : [],
  )
}

/** Availability of a Redis server. */
export interface StoreState {
  /** Host and port of the server. The rest of its URL is left out, because it may contain a password. */
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
  /** Set after a call timed out, until a probe is answered. Meanwhile calls fail at once. */
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

  /** Applies the timeout of this user; other users of the connection have their own. */
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

/** Returns host and port of a URL, whose other parts may contain a password. */
function hostOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed !== null && (parsed.protocol === 'redis:' || parsed.protocol === 'rediss:') && parsed.hostname !== '') {
    return parsed.host
  }
  const message =
    'A kvstore_url is "redis://host:6379", with user and password before the host where they are needed, or "rediss://…" for TLS.'
  throw new SvcError('SVC_CONFIG_INVALID', message)
}
