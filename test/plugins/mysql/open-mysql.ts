import type { DatabaseConfig } from '../../../core/doors/driver.ts'
import type { Database, Signal, Statement } from '../../../core/doors/plugin.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { connectionAttempts } from '../../../plugins/mysql/connection-options.ts'
import { openMysql } from '../../../plugins/mysql/driver.ts'
import { runScript } from '../../../plugins/mysql/run-script.ts'
import { createMariaDb } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'

export const CONFIG: Omit<DatabaseConfig, 'url'> = {
  ssl_mode: 'prefer',
  pool_min: 1,
  pool_max: 4,
  connect_timeout_ms: 5000,
  idle_timeout_ms: 600_000,
  prepared_statements: true,
  plan_cache_mode: 'auto',
}

export interface OpenOptions {
  readonly config?: Partial<DatabaseConfig>
  readonly maxResultBytes?: number
  readonly onSignal?: (signal: Signal) => void
}

/** Runs a test in a database of its own on the MariaDB server. */
export async function onMariaDb(
  t: Pick<TestLike, 'test'>,
  name: string,
  sql: string,
  body: (t: TestLike, url: string) => Promise<void>,
): Promise<void> {
  await t.test(name, async (sub) => {
    if (!(await requireService(sub, 'mariadb'))) return
    await body(sub, (await createMariaDb(sub, { sql })).url)
  })
}

/** Opens a database through the driver, closed when the test ends. */
export async function open(t: TestLike, url: string, options: OpenOptions = {}): Promise<Database> {
  const signals = createSignals()
  if (options.onSignal !== undefined) signals.subscribe(options.onSignal)
  const database = await openMysql(
    { ...CONFIG, ...options.config, url },
    { signals, maxResultBytes: options.maxResultBytes ?? 0 },
  )
  t.teardown(() => database.close())
  return database
}

/** Runs SQL past the driver, as root. */
export function onServer(url: string, sql: string): Promise<void> {
  return runScript(connectionAttempts({ ...CONFIG, url }), sql)
}

export function write(text: string, name: string | null = null): Statement {
  return { name, text }
}

export function read(text: string, name: string | null = null): Statement {
  return { name, text, readOnly: true }
}

/** The one value of a read. */
export async function single(
  database: Database,
  text: string,
  parameters: Parameters<Database['query']>[1] = [],
): Promise<string | null | undefined> {
  return (await database.query(read(text), parameters, null)).rows[0]?.[0]
}

/** Waits until it holds, five seconds at most. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 5000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not come to hold: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
