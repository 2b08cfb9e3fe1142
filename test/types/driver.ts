/** A database driver, written against `svc/driver`. It is compiled and never run; `@ts-expect-error` marks code that must not compile. */
import { type Database, definePlugin, type Manifest, type Parameter, type Rows, type Statement } from 'svc'
import {
  type Cancellable,
  type Catalog,
  type CatalogNames,
  type DatabaseConfig,
  type DatabaseDriver,
  type Dialect,
  type DriverContext,
  integer,
  literal,
  POSTGRES,
  type Session,
  type Setting,
  type SqlFragment,
  type TransactionOptions,
} from 'svc/driver'
import { exact } from './exact.ts'

const manifest: Manifest = {
  name: 'types-memory',
  version: '1.0.0',
  kernelApi: 1,
  description: 'Keeps nothing.',
  databaseSchemes: ['memory'],
}

declare const rows: Rows
declare const catalog: Catalog

const memory: Database = {
  kind: 'memory',
  dialect: POSTGRES,
  query: async (statement, parameters, cancel, settings) => {
    exact<Statement>()(statement)
    exact<readonly Parameter[]>()(parameters)
    exact<Cancellable | null>()(cancel)
    exact<readonly Setting[] | undefined>()(settings)
    return rows
  },
  transaction: async (work, options) => {
    exact<TransactionOptions>()(options)
    return work({ query: async () => rows })
  },
  stream: async function* () {},
  catalog: async (names) => {
    exact<CatalogNames>()(names)
    return catalog
  },
  script: async () => {},
  explain: async () => '[]',
  ping: async () => {},
  pool: { active: 0, idle: 0, waiting: 0, connected: true },
  close: async () => {},
}
exact<Dialect>()(POSTGRES)
exact<Promise<number>>()(
  memory.transaction(
    async (session) => {
      exact<Session>()(session)
      return 1
    },
    { readOnly: true },
  ),
)

// @ts-expect-error the rows of a statement come in a promise
memory.query({ text: 'SELECT 1' }, [], null).rows
// @ts-expect-error a statement is no text
memory.query('SELECT 1', [], null)
// @ts-expect-error there is no such isolation
memory.transaction(async () => 1, { isolation: 'serializable' })

export const incomplete: Database = {
  ...memory,
  // @ts-expect-error a database closes by a promise
  close: () => undefined,
}

// SQL is made of fragments, which no text is.
exact<SqlFragment>()(literal('text'))
exact<SqlFragment>()(integer(1))
// @ts-expect-error a text is no fragment
export const forged: SqlFragment = { text: 'DROP TABLE posts' }
// @ts-expect-error an integer of SQL is made of a number
integer('1; DROP TABLE posts')

export default definePlugin(manifest, (scope) => {
  const driver: DatabaseDriver = {
    name: 'memory',
    accepts: (url) => {
      exact<string>()(url)
      return url.startsWith('memory:')
    },
    open: async (config, context) => {
      exact<DatabaseConfig>()(config)
      exact<DriverContext>()(context)
      return memory
    },
  }
  scope.driver(driver)
  // @ts-expect-error a driver opens databases
  scope.driver({ name: 'memory', accepts: () => true })
  // @ts-expect-error a driver opens databases of this interface
  scope.driver({ ...driver, open: async () => ({ query: async () => rows }) })
})
