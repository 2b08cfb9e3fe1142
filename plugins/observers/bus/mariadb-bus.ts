import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SslOptions } from 'mysql2'
import type { Pool, ResultSetHeader } from 'mysql2/promise'
import { settlesWithin } from '../../../core/doors/front.ts'
import { importPackages, SvcError } from '../../../core/doors/plugin.ts'
import { type BusEntry, readEntry } from './bus-entry.ts'
import { BUS_PACKAGES } from './bus-packages.ts'
import { BusBehind, type EventBus, groupEntries, MOST_FETCHED } from './event-bus.ts'
import { createMariadbTable } from './mariadb-table.ts'
import { createMariadbTopics } from './mariadb-topics.ts'
import { Unread } from './unread.ts'

/** Names of TLS options in other tools. The driver would ignore them and send everything unencrypted. */
const OTHER_NAMES = /^(ssl|tls|use_?ssl|require_?ssl|sec)/i
/** Time after which a server that does not answer counts as unreachable. */
const ANSWER_MS = 5000
const MOST_DELETED = 10_000
const LEAVE_MS = 1000
/** Interval of polling: short after new rows, longer while none arrive. */
const POLL_MS = 10
const IDLE_MS = 100

/**
 * Creates the message bus in a MariaDB table, which processes poll.
 * @param url MariaDB connection URL
 * @param answerMs milliseconds after which a silent server counts as unreachable
 */
export async function createMariadbBus(url: string, table: string, answerMs = ANSWER_MS): Promise<EventBus> {
  const { createPool } = await importPackages('observers', BUS_PACKAGES.mariadb, () => import('mysql2/promise'))
  const pool: Pool = createPool({
    ...connectionOf(url),
    connectionLimit: 4,
    connectTimeout: answerMs,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  const open = new Set<{ readonly stream: Socket }>()
  pool.on('connection', (connection) => {
    const one = connection as unknown as { readonly stream: Socket }
    open.add(one)
    one.stream.once('close', () => open.delete(one))
  })
  const query = createMariadbTable(pool, { table, columns: COLUMNS, answerMs })
  const topics = createMariadbTopics(pool, `${table}_messages`, answerMs)

  async function last(): Promise<string> {
    const [row] = await query('SELECT coalesce(max(position), 0) AS last FROM ??')
    return String(row!.last)
  }

  async function behind(position: string): Promise<readonly BusEntry[]> {
    const sql = 'SELECT entry FROM ?? WHERE position > ? ORDER BY position LIMIT ?'
    return (await query(sql, [position, MOST_FETCHED])).flatMap((row) => readEntry(String(row.entry)) ?? [])
  }

  /** Passes rows after a position, until the signal is aborted. */
  async function poll(
    from: string,
    isOpen: () => boolean,
    take: (entries: readonly BusEntry[]) => Promise<void>,
  ): Promise<void> {
    let at = from
    let idle = POLL_MS
    while (isOpen()) {
      const entries = await behind(at)
      if (entries.length > 0) {
        at = entries.at(-1)!.event.position
        idle = POLL_MS
        await take(entries)
      } else {
        await sleep(idle)
        idle = Math.min(idle * 2, IDLE_MS)
      }
    }
  }

  return {
    last,
    async append(previous, events, isFirst) {
      const found = await last()
      if (found !== previous && !(isFirst && BigInt(found) < BigInt(previous))) throw new BusBehind(found, previous)
      for (const { entries } of groupEntries(previous, events)) {
        const rows = entries.map(({ event, text }) => [event.position, text])
        // Only the process with the lease writes, so that existing rows are the same.
        await query('INSERT IGNORE INTO ?? (position, entry) VALUES ?', [rows])
      }
    },
    async tail(to, signal) {
      const from = await last()
      await to.begin(from)
      await poll(
        from,
        () => !signal.aborted,
        (entries) => to.take(entries),
      )
    },
    async consume(floor, arrived) {
      const unread = new Unread()
      let failure: unknown = null
      let isOpen = true
      const running = poll(
        floor,
        () => isOpen,
        async (entries) => {
          unread.add(entries)
          arrived()
          while (isOpen && unread.isFull) await sleep(5)
        },
      ).catch((error: unknown) => {
        failure = error
        arrived()
      })
      return {
        read(limit) {
          if (failure !== null) throw failure
          return unread.take(limit)
        },
        // The position of delivered events is stored with the lease.
        done() {},
        async close() {
          isOpen = false
          await running
        },
      }
    },
    async trim(position) {
      // In small steps, because a large deletion would block inserts.
      const sql = 'DELETE FROM ?? WHERE position < ? ORDER BY position LIMIT ?'
      for (let isMore = true; isMore; ) {
        const { affectedRows } = await query<ResultSetHeader>(sql, [position, MOST_DELETED])
        isMore = affectedRows === MOST_DELETED
      }
    },
    hear: topics.hear,
    async close() {
      topics.close()
      // An unreachable server does not answer the goodbye.
      if (!(await settlesWithin(pool.end(), LEAVE_MS))) for (const { stream } of open) stream.destroy()
    },
  }
}

const COLUMNS = `
  position bigint unsigned NOT NULL PRIMARY KEY,
  entry longtext CHARACTER SET utf8mb4 NOT NULL,
  created_at timestamp(3) NOT NULL DEFAULT current_timestamp(3)`

/**
 * Reads connection options from a MariaDB URL. `?ssl=true`, or TLS options as JSON, encrypts the connection and
 * requires a certificate that matches the host.
 * @throws SvcError SVC_CONFIG_INVALID
 */
export function connectionOf(url: string): { readonly uri: string; readonly ssl?: SslOptions } {
  const parsed = new URL(url)
  const given = parsed.searchParams.getAll('ssl')
  parsed.searchParams.delete('ssl')
  for (const name of parsed.searchParams.keys()) if (OTHER_NAMES.test(name)) throw invalid()
  const [text] = given
  if (text === undefined) return { uri: url }
  const ssl = given.length === 1 ? sslOf(text) : null
  if (ssl === null) throw invalid()
  return { uri: parsed.href, ssl: { verifyIdentity: true, ...ssl } }
}

function sslOf(text: string): SslOptions | null {
  if (text === 'true') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function invalid(): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', '[observers] TLS of mariadb_url is "?ssl=true", or its options as JSON.')
}
