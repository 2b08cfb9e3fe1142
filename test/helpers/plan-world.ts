import type { LentText } from '../../core/base/util/lent-text.ts'
import type { NotedText } from '../../core/base/util/noted-text.ts'
import type { Database } from '../../core/contract/database.ts'
import type { Operation } from '../../core/contract/operation.ts'
import type { PreparedRead } from '../../core/contract/prepared-read.ts'
import type { BindExchange } from '../../core/contract/slot.ts'
import type { Row, Statement } from '../../core/contract/statement.ts'
import type { EngineSettings } from '../../core/engine/execute/context/context.ts'
import { prepareRead } from '../../core/engine/execute/read/prepare-read.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import type { SchemaModel } from '../../core/schema/model.ts'
import { PreparedDocument } from '../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView, type SchemaView } from '../../plugins/graphql/schema/graphql-schema.ts'
import { compileFixture, readCatalogFor } from './compile-fixture.ts'
import type { TestDatabase } from './databases.ts'
import { openTestDatabase } from './open-database.ts'
import type { TestLike } from './services.ts'

/**
 * A compiled schema on a real database: queries go in as text and come out as what the database said. Where a plan has a
 * packed twin, both run and must agree to the letter.
 */
export interface PlanWorld {
  readonly model: SchemaModel
  readonly database: Database
  readonly settings: EngineSettings
  readonly operation: (query: string, variables?: Record<string, unknown>) => Operation
  readonly prepare: (query: string, variables?: Record<string, unknown>) => PreparedRead
  /** JSON text of the roots. @throws SvcError as the service would answer */
  readonly text: (query: string, variables?: Record<string, unknown>, exchange?: BindExchange) => Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape, looked at by assertions
  readonly run: (query: string, variables?: Record<string, unknown>, exchange?: BindExchange) => Promise<any>
}

export const LIMITS = { maxTokens: 10_000, introspection: true }

export async function openWorld(
  t: TestLike,
  database: TestDatabase,
  authored: AuthoredSchema,
  maxRows = 1000,
): Promise<PlanWorld> {
  return worldOn(await openTestDatabase(t, database), authored, maxRows)
}

/** Another schema, or other limits, on the database of a world. */
export async function worldOn(opened: Database, authored: AuthoredSchema, maxRows = 1000): Promise<PlanWorld> {
  const model = compileFixture(authored, await readCatalogFor(authored, opened), undefined, opened.dialect)
  return worldOf(model, opened, maxRows)
}

export function worldOf(model: SchemaModel, database: Database, maxRows: number): PlanWorld {
  const view: SchemaView = createSchemaView(model, false)
  const settings: EngineSettings = { dialect: database.dialect, maxRows }
  const operation = (query: string, variables: Record<string, unknown> = {}): Operation =>
    new PreparedDocument(query, view, LIMITS, () => {}).operation(null).toOperation(variables)
  const text: PlanWorld['text'] = async (query, variables, exchange = null) => {
    const op = operation(query, variables)
    const prepared = prepareRead(op, model, settings)
    if (prepared.statement === null) return prepared.constant ?? ''
    const written = await textOf(prepared.statement, prepared, op, exchange)
    const { packed } = prepared
    if (packed !== null) {
      const own = await textOf(packed.statement, packed, op, exchange, packed.write)
      if (own !== null && own !== written) throw new Error(`Packed: ${own}\nelse: ${written}`)
    }
    return written ?? ''
  }
  async function textOf(
    statement: Statement,
    plan: Pick<PreparedRead, 'bind' | 'guards'>,
    op: Operation,
    exchange: BindExchange,
    write: (row: Row) => string | NotedText | LentText | null = (row) => row[0] ?? null,
  ): Promise<string | null> {
    try {
      const { rows } = await database.query(statement, plan.bind(op.variables, exchange), null)
      const json = rows[0] === undefined ? null : write(rows[0])
      return json === null ? null : String(json)
    } catch (error) {
      throw database.dialect.errors.readGuard(error, plan) ?? database.dialect.errors.read(error)
    }
  }
  return {
    model,
    database,
    settings,
    operation,
    text,
    prepare: (query, variables) => prepareRead(operation(query, variables), model, settings),
    run: async (query, variables, exchange) => JSON.parse(await text(query, variables, exchange)),
  }
}
