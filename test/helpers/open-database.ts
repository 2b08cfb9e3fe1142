import type { Database, DatabaseConfig } from '../../core/contract/database.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { openMysql } from '../../plugins/mysql/driver.ts'
import { openPglite } from '../../plugins/pglite/driver.ts'
import { openPostgres } from '../../plugins/postgres/driver.ts'
import { openSqlite } from '../../plugins/sqlite/driver.ts'
import type { TestDatabase } from './databases.ts'
import type { TestLike } from './services.ts'

/** Opens a test's database with its real driver; closed when the test ends. */
export async function openTestDatabase(
  t: TestLike,
  { kind, url, functions, extensions, open }: TestDatabase,
): Promise<Database> {
  const config: DatabaseConfig = {
    url,
    ssl_mode: 'disable',
    pool_min: 0,
    pool_max: 4,
    connect_timeout_ms: 5000,
    idle_timeout_ms: 10_000,
    prepared_statements: true,
    plan_cache_mode: 'force_generic_plan',
    ...(functions === undefined ? {} : { functions }),
  }
  const database = await (open?.(config) ?? openKind(kind, config, extensions))
  t.teardown(() => database.close())
  return database
}

function openKind(
  kind: TestDatabase['kind'],
  config: DatabaseConfig,
  extensions?: readonly string[],
): Promise<Database> {
  const signals = createSignals()
  switch (kind) {
    case 'postgres':
      return openPostgres(config, signals)
    case 'pglite':
      return openPglite(config, config.url.slice('pglite:'.length), signals, extensions)
    case 'mysql':
      return openMysql(config, { signals })
    case 'sqlite':
      return openSqlite(config, { baseDir: '/', signals, maxResultBytes: 0 })
    case 'plugin':
      throw new Error('A database of a plugin needs `open`')
  }
}
