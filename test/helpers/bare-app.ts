import type { Cancellable } from '../../core/contract/cancellable.ts'
import type { Config } from '../../core/contract/config.ts'
import type { Database } from '../../core/contract/database.ts'
import type { Signal } from '../../core/contract/signals.ts'
import type { Statement } from '../../core/contract/statement.ts'
import { POSTGRES } from '../../core/dialects/postgres/dialect.ts'
import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import type { SchemaModel } from '../../core/schema/model.ts'
import { type App, type AppOptions, createApp } from '../../core/service/app.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { emptySchema } from '../../core/testing/testing.ts'
import { serviceConfigWith } from './config.ts'
import type { TestLike } from './services.ts'

/** A database in which every list is empty, and which remembers what it was asked. */
export interface BareDatabase extends Database {
  readonly asked: { readonly statement: Statement; readonly cancel: Cancellable | null }[]
  closed: number
}

export function createBareDatabase(overrides: Partial<Database> = {}): BareDatabase {
  const asked: BareDatabase['asked'] = []
  const refuse = (): never => {
    throw new Error('The bare database does not do this.')
  }
  const database: BareDatabase = {
    kind: 'bare',
    dialect: POSTGRES,
    asked,
    closed: 0,
    async query(statement, _parameters, cancel) {
      asked.push({ statement, cancel })
      return { rows: [['0', null]], columns: [] }
    },
    transaction: async () => refuse(),
    stream: refuse,
    catalog: async () => refuse(),
    script: async () => refuse(),
    explain: async () => refuse(),
    ping: async () => {},
    pool: { active: 0, idle: 1, waiting: 0, connected: true },
    async close() {
      database.closed++
    },
    ...overrides,
  }
  return database
}

export interface BareAppOptions {
  readonly plugins?: readonly PluginInstance[]
  readonly schema?: SchemaModel
  readonly server?: Partial<Config['server']>
  readonly svc?: Partial<Config['svc']>
  readonly databaseConfig?: Partial<Config['database']>
  readonly defaultPolicy?: Config['security']['default_policy']
  /** `null`: the one that the drivers open. */
  readonly database?: Database | null
  readonly url?: string
  readonly loadSchema?: AppOptions['loadSchema']
  /** The processes that serve together; absent: it is alone. */
  readonly peers?: AppOptions['peers']
}

export interface BareApp extends App {
  readonly signals: readonly Signal[]
}

/** The composition root with these plugins, without a preset and without a database server. Closed by the test. */
export async function createBareApp(t: TestLike, options: BareAppOptions = {}): Promise<BareApp> {
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const app = await createApp({
    config: serviceConfigWith({
      database: { url: options.url ?? 'bare:', ...options.databaseConfig },
      server: options.server ?? {},
      svc: options.svc ?? {},
      security: { default_policy: options.defaultPolicy ?? 'authenticated' },
    }),
    baseDir: process.cwd(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signals,
    plugins: options.plugins ?? [],
    version: '0.0.0-test',
    ...(options.peers === undefined ? {} : { peers: options.peers }),
    loadSchema: options.loadSchema ?? (async () => options.schema ?? emptySchema()),
    ...(options.database === null ? {} : { database: options.database ?? createBareDatabase() }),
  })
  t.teardown(() => app.close().catch(() => {}))
  return { ...app, signals: seen }
}
