import type { SvcError } from '../../core/base/errors/svc-error.ts'
import type { Database } from '../../core/contract/database.ts'
import type { CommitEvent } from '../../core/contract/engine-stages.ts'
import type { Auth, Exchange } from '../../core/contract/exchange.ts'
import type { MutationHooks, MutationHooksOf } from '../../core/contract/mutation-hooks.ts'
import type { Operation } from '../../core/contract/operation.ts'
import type { Result } from '../../core/contract/result.ts'
import { createExecutor, type ExecutorOptions } from '../../core/engine/execute/resolve.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { SchemaModel } from '../../core/schema/model.ts'
import { PlainExchange } from '../../core/service/lifecycle/plain-exchange.ts'
import { PreparedDocument } from '../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../plugins/graphql/schema/graphql-schema.ts'
import { compileFixture, readCatalogFor } from './compile-fixture.ts'
import type { TestDatabase } from './databases.ts'
import { openTestDatabase } from './open-database.ts'
import type { TestLike } from './services.ts'

type Variables = Record<string, unknown>

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape, looked at by assertions
  readonly data: any
  readonly text: string | null
  readonly errors: readonly SvcError[]
}

/** GraphQL documents in, results of the real engine on a real database out. */
export interface ExecuteWorld {
  readonly authored: AuthoredSchema
  readonly model: SchemaModel
  readonly database: Database
  /** Statements that went to the database, in order; `BEGIN` for a transaction. */
  readonly log: string[]
  readonly events: CommitEvent[]
  operation(document: string, variables?: Variables): Operation
  resolve(operation: Operation, exchange?: Partial<Exchange>): Promise<Result>
  run(document: string, variables?: Variables, auth?: Auth | null): Promise<Answer>
  /** An exchange that can be aborted. */
  exchange(): PlainExchange
  /** Rows of a query, for looking at what was written. */
  look(sql: string): Promise<readonly (readonly (string | null)[])[]>
}

export interface ExecuteOptions extends Pick<ExecutorOptions, 'contributions'> {
  /** Those of every mutation, or of one. */
  readonly mutationHooks?: MutationHooks | MutationHooksOf
  readonly maxRows?: number
  /** Compile without the catalog. */
  readonly offline?: boolean
  /** Default `true`. */
  readonly events?: boolean
  /** Changes the linked schema before it is used. */
  readonly change?: (model: SchemaModel) => SchemaModel
}

export async function openExecuteWorld(
  t: TestLike,
  test: TestDatabase,
  authored: AuthoredSchema,
  options: ExecuteOptions = {},
): Promise<ExecuteWorld> {
  return executeWorldOn(await openTestDatabase(t, test), authored, options)
}

/** The same on a database that is open. */
export async function executeWorldOn(
  real: Database,
  authored: AuthoredSchema,
  options: ExecuteOptions = {},
): Promise<ExecuteWorld> {
  const catalog = options.offline === true ? null : await readCatalogFor(authored, real)
  const linked = compileFixture(authored, catalog, undefined, real.dialect)
  const model = options.change?.(linked) ?? linked
  const log: string[] = []
  const events: CommitEvent[] = []
  const database = logged(real, log)
  const { mutationHooks } = options
  const { resolve: resolver } = createExecutor({
    database: () => database,
    settings: { maxRows: options.maxRows ?? 1000 },
    ...(mutationHooks === undefined
      ? {}
      : {
          mutationHooks:
            typeof mutationHooks === 'function'
              ? mutationHooks
              : () => (isHooked(mutationHooks) ? mutationHooks : null),
        }),
    ...(options.contributions === undefined ? {} : { contributions: options.contributions }),
    ...(options.events === false ? {} : { onCommit: (event: CommitEvent) => void events.push(event) }),
  })
  const view = createSchemaView(model, false)
  const limits = { maxTokens: 10_000, introspection: true }
  const resolve: ExecuteWorld['resolve'] = async (operation, exchange = {}) =>
    resolver(exchange instanceof PlainExchange ? exchange : Object.assign(exchangeOf(model), exchange), operation)
  const operation: ExecuteWorld['operation'] = (document, variables = {}) =>
    new PreparedDocument(document, view, limits, () => {}).operation(null).toOperation(variables)
  return {
    authored,
    model,
    database,
    log,
    events,
    operation,
    resolve,
    async run(document, variables, auth = null) {
      const { data, errors } = await resolve(operation(document, variables), { auth })
      return { data: data === null ? null : JSON.parse(data), text: data, errors: errors ?? [] }
    },
    exchange: () => exchangeOf(model),
    look: async (sql) => (await real.query({ name: null, text: sql }, [], null)).rows,
  }
}

function isHooked({ before, after }: MutationHooks): boolean {
  return before !== null || after !== null
}

function exchangeOf(schema: SchemaModel): PlainExchange {
  const generation = { id: 1, hash: schema.hash, schema, loadedAt: new Date(0), slots: [] }
  return new PlainExchange(generation, { id: 'test', transport: 'internal', address: '127.0.0.1' })
}

function logged(database: Database, log: string[]): Database {
  return {
    ...database,
    kind: database.kind,
    dialect: database.dialect,
    get pool() {
      return database.pool
    },
    query(statement, parameters, cancel, settings) {
      log.push(statement.text)
      return database.query(statement, parameters, cancel, settings)
    },
    ...(database.readRow === undefined
      ? {}
      : {
          readRow(statement, parameters, cancel, take, settings) {
            log.push(statement.text)
            return database.readRow!(statement, parameters, cancel, take, settings)
          },
        }),
    transaction(work, options) {
      log.push('BEGIN')
      return database.transaction(
        (session) =>
          work({
            query(statement, parameters) {
              log.push(statement.text)
              return session.query(statement, parameters)
            },
          }),
        options,
      )
    },
    stream: database.stream.bind(database),
    catalog: database.catalog.bind(database),
    script: database.script.bind(database),
    explain: database.explain.bind(database),
    ping: database.ping.bind(database),
    close: database.close.bind(database),
  }
}

/** A signed-in user. */
export function authOf(claims: Readonly<Record<string, unknown>>): Auth {
  return { subject: 'user', claims, scopes: [], roles: [], method: 'test' }
}
