import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, ResultSetHeader } from 'mysql2/promise'
import type { EventBus } from './event-bus.ts'
import { createMariadbTable } from './mariadb-table.ts'

/** Between looks: soon behind something that came, seldom where nothing comes. */
const POLL_MS = 20
const IDLE_MS = 200
const RETRY_MS = 500
const MOST_READ = 500
/** A number that was left out is looked for so long: whoever took it may commit late. */
const GAP_MS = 10_000
const MOST_GAPS = 1000
/** Messages are there for who is connected; then they are removed. */
const KEPT_SECONDS = 60
const SWEEP_MS = 30_000
const MOST_DELETED = 10_000

const COLUMNS = `
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY,
  channel varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  message longtext CHARACTER SET utf8mb4 NOT NULL,
  created_at timestamp(3) NOT NULL DEFAULT current_timestamp(3),
  KEY (created_at)`

/** With the last one that was read, by which a table that was emptied is told; its message is not fetched again. */
const NEXT = `WITH found AS (SELECT * FROM ?? WHERE id >= ? OR id IN (?) ORDER BY id LIMIT ?)
  SELECT id, channel, IF(id = ?, '', message) AS message, CAST(created_at AS char) AS written FROM found ORDER BY id`

/** Messages on channels, as rows of a table that whoever has something to say writes: `INSERT INTO … (channel, message)`. */
export function createMariadbTopics(
  pool: Pool,
  table: string,
  answerMs: number,
  keptSeconds = KEPT_SECONDS,
): { readonly hear: NonNullable<EventBus['hear']>; close(): void } {
  const query = createMariadbTable(pool, { table, columns: COLUMNS, answerMs })
  const hearers = new Map<string, Map<(text: string) => void, () => void>>()
  /** Numbers that were left out, and when that was seen. */
  const gaps = new Map<string, number>()
  let at: bigint | null = null
  /** When the row at that place was written; `null`: it has not been read. */
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
    // Of more than are read at once it may be behind the others.
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
   * Numbers begin anew where the table was emptied by TRUNCATE: the last row that was read is gone, or another one, and there are
   * rows before it. (Sweeping takes the older rows first.) Then it is read from its beginning.
   * @param found when the row with the last number was written; `null`: there is none
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
    // The last one stays: by it everybody sees that the table is the one that they have read.
    const sql =
      'DELETE FROM ?? WHERE created_at < current_timestamp(3) - INTERVAL ? SECOND AND id < ? ORDER BY created_at LIMIT ?'
    await query<ResultSetHeader>(sql, [keptSeconds, String(at), MOST_DELETED])
  }

  /** Messages are removed while nothing can be read for longer than they are kept. */
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
        // One that was dropped counts anew.
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
