import { type App, createApp } from '../../core/app.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createSignals, type Signal } from '../../core/signals/signals.ts'
import { minimal } from '../../presets/minimal.ts'
import { compileFixture, readCatalogFor } from './compile-fixture.ts'
import type { TestDatabase } from './databases.ts'
import { openTestDatabase } from './open-database.ts'
import type { TestLike } from './services.ts'

export interface TestApp extends App {
  /** Everything that was signalled, oldest first. */
  readonly signals: readonly Signal[]
}

/** The real service with the minimal preset: this schema over this database, open to everybody, on a free port. */
export async function openApp(t: TestLike, test: TestDatabase, authored: AuthoredSchema): Promise<TestApp> {
  const database = await openTestDatabase(t, test)
  const schema = compileFixture(authored, await readCatalogFor(authored, database))
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const plugins = await Promise.all(
    minimal.plugins.map(async ({ load }) => ({ plugin: (await load()).default, options: {}, source: 'test' })),
  )
  const app = await createApp({
    config: {
      database: {
        ssl_mode: 'disable',
        pool_min: 0,
        pool_max: 5,
        connect_timeout_ms: 5000,
        idle_timeout_ms: 10_000,
        prepared_statements: true,
        plan_cache_mode: 'auto',
        init_dir: 'db',
      },
      server: {
        host: '127.0.0.1',
        port: 0,
        request_timeout_ms: 30_000,
        keep_alive_secs: 5,
        max_body_bytes: 1_048_576,
        shutdown_grace_ms: 0,
        shutdown_timeout_ms: 1000,
        tls: { enabled: false, min_version: '1.2' },
      },
      svc: { schema_file: '', output_file: '', max_rows: 10_000, max_document_tokens: 10_000 },
      security: { default_policy: 'public' },
    },
    baseDir: process.cwd(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signals,
    plugins,
    version: '0.0.0-test',
    loadSchema: async () => schema,
    database,
  })
  t.teardown(() => app.close())
  return { ...app, signals: seen }
}
