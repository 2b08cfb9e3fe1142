import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, ResultSetHeader } from 'mysql2/promise'
import type { EventBus } from './event-bus.ts'
import { createMariadbTable } from './mariadb-table.ts'

/** Interval of polling: short after new rows, longer while none arrive. */
const POLL_MS = 20
const IDLE_MS = 200
const RETRY_MS = 500
const MOST_READ = 500
/** How long a missing number is looked for: its transaction may commit late. */
const GAP_MS = 10_000
const MOST_GAPS = 1000
/** Age at which messages are removed. They are meant for connected listeners only. */
const KEPT_SECONDS = 60
const SWEEP_MS = 30_000
const MOST_DELETED = 10_000

const COLUMNS = `
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  channel varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  message longtext CHARACTER SET utf8mb4 NOT NULL,
  created_at timestamp(3) NOT NULL DEFAULT current_timestamp(3),
  KEY (created_at)`

/** Includes the last row that was read, to detect an emptied table; its message is not fetched again. */
const NEXT = `WITH found AS (SELECT * FROM ?? WHERE id >= ? OR id IN (?) ORDER BY id LIMIT ?)
  SELECT id, channel, IF(id = ?, '', message) AS message, CAST(created_at AS char) AS written FROM found ORDER BY id`

/**
 * Subscribes to messages of other programs, which insert them into a MariaDB table: `INSERT INTO … (channel, message)`.
 * @param keptSeconds age at which messages are deleted
 */
export function createMariadbTopics(
  pool: Pool,
  table: string,
  answerMs: number,
  keptSeconds = KEPT_SECONDS,
): { readonly hear: NonNullable<EventBus['hear']>; close(): void } {
  const query = createMariadbTable(pool, { table, columns: COLUMNS, answerMs })
  const hearers = new Map<string, Map<(text: string) => void, () => void>>()
  /** Missing numbers, with the time at which each was found missing. */
  const gaps = new Map<string, number>()
  let at: bigint | null = null
  /** Time at which the row at `at` was written; `null`: it has not been read. */
  let written: string | null = null
  let isRunning = false
  let isOpen = true
  let sweptAt = performance.now()

  async function end(): Promise<bigint> {
    const [row] = await query('SELECT coalesce(max(id), 0) AS last FROM ??')
    return BigInt(row!.last)
  }

  async function look(): Promise<number> {
    // No row has the number 0.
    const missing = ['0', ...gaps.keys()]
    const rows = await query(NEXT, [String(at), missing, MOST_READ + 1, String(at)])
    const found = rows.find(({ id }) => BigInt(id) === at)?.written ?? null
    // If there are more rows than one read returns, the row may be behind the others.
    if (rows.length <= MOST_READ && (await isAnew(found))) return MOST_READ
    const news = rows.filter(({ id }) => BigInt(id) !== at)
    for (const row of news) {
      const id = BigInt(row.id)
      if (id > at!) written = row.written
      pass(id)
      for (const heard of hearers.get(String(row.channel))?.keys() ?? []) heard(String(row.message))
    }
    const now = performance.now()
    for (const [id, since] of gaps) if (now - since > GAP_MS || gaps.size > MOST_GAPS) gaps.delete(id)
    return news.length
  }

  /**
   * Was the table emptied by TRUNCATE, so that numbers start again? Then the last row that was read is gone or replaced, and there are
   * rows before it, whereas sweeping removes older rows first. The table is read again from its beginning.
   * @param found time at which the row with the last number was written; `null`: no such row
   */
  async function isAnew(found: string | null): Promise<boolean> {
    if (at === 0n) return false
    if (found !== null && (written === null || written === found)) {
      written = found
      return false
    }
    if (found === null && (await query('SELECT 1 FROM ?? WHERE id < ? LIMIT 1', [String(at)])).length === 0)
      return false
    at = 0n
    written = null
    gaps.clear()
    return true
  }

  function pass(id: bigint): void {
    gaps.delete(String(id))
    if (id <= at!) return
    for (let left = at! + 1n; left < id && gaps.size < MOST_GAPS; left++) gaps.set(String(left), performance.now())
    at = id
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < SWEEP_MS) return
    sweptAt = performance.now()
    // The last row stays, so that each reader recognizes the table that it has read.
    const sql =
      'DELETE FROM ?? WHERE created_at < current_timestamp(3) - INTERVAL ? SECOND AND id < ? ORDER BY created_at LIMIT ?'
    await query<ResultSetHeader>(sql, [keptSeconds, String(at), MOST_DELETED])
  }

  /** Reports a gap when rows could not be read for longer than messages are kept. */
  function tellGap(sinceMs: number): void {
    if (performance.now() - sinceMs < keptSeconds * 1000) return
    for (const all of [...hearers.values()]) for (const gap of all.values()) gap()
  }

  async function run(): Promise<void> {
    isRunning = true
    let idle = POLL_MS
    let readAt = performance.now()
    while (isOpen && hearers.size > 0) {
      try {
        at ??= await end()
        idle = (await look()) > 0 ? POLL_MS : Math.min(idle * 2, IDLE_MS)
        tellGap(readAt)
        readAt = performance.now()
        await sweep()
        await sleep(idle)
      } catch (error) {
        // The numbers of a table that was dropped start again.
        if ((error as { code?: string }).code === 'ER_NO_SUCH_TABLE') [at, written] = [0n, null]
        await sleep(RETRY_MS)
      }
    }
    isRunning = false
    at = null
    written = null
    gaps.clear()
  }

  return {
    async hear(channel, heard, gap = () => {}) {
      at ??= await end()
      const all = hearers.get(channel) ?? new Map<(text: string) => void, () => void>()
      hearers.set(channel, all.set(heard, gap))
      if (!isRunning) void run()
      return async () => {
        all.delete(heard)
        if (all.size === 0 && hearers.get(channel) === all) hearers.delete(channel)
      }
    },
    close() {
      isOpen = false
    },
  }
}
