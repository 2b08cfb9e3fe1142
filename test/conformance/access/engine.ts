import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Database } from '../../../core/contract/database.ts'
import type { Auth, Exchange } from '../../../core/contract/exchange.ts'
import type { ObjectSelection, Operation, RootSelection } from '../../../core/contract/operation.ts'
import type { PreparedRead } from '../../../core/contract/prepared-read.ts'
import type { Result } from '../../../core/contract/result.ts'
import type { StreamForm } from '../../../core/contract/result-stream.ts'
import type { SessionConfig } from '../../../core/contract/session-variable.ts'
import type { Handler } from '../../../core/contract/stages.ts'
import { createSessionVariables } from '../../../core/engine/access/session-variables.ts'
import { prepareRowsByKeys } from '../../../core/engine/execute/read/prepare-read.ts'
import { objectShape } from '../../../core/engine/execute/read/shape.ts'
import { complete } from '../../../core/engine/json/complete.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { ObjectType } from '../../../core/schema/model.ts'
import { createOperationRunner } from '../../../core/service/lifecycle/run-operation.ts'
import { type ExecuteOptions, type ExecuteWorld, executeWorldOn } from '../../helpers/execute-world.ts'
import { roleOf } from './library.ts'

/** What somebody is told. */
export interface Told {
  /** All that is shown: JSON text of data, or the rows of a stream. */
  readonly text: string
  readonly codes: readonly string[]
}

/** The guarded way to data with one hook of authorize, for one schema. */
export interface Engine {
  ask(document: string, who: string | null): Promise<Told>
  /** All roots of the document in one transaction. */
  together(document: string, who: string | null): Promise<Told>
  stream(document: string, form: StreamForm, who: string | null): Promise<Told>
  /** Roots that fronts ask for, and no client can write. */
  roots(make: (world: ExecuteWorld) => readonly RootSelection[], who: string | null): Promise<Told>
  /** Books by keys, as whoever asks for rows by keys has them. */
  keys(ids: readonly string[], who: string | null): Promise<Told>
}

export interface EngineOptions extends Pick<ExecuteOptions, 'change'> {
  /** What the configuration gives every statement. */
  readonly session?: SessionConfig | undefined
}

export async function createEngine(
  database: Database,
  authored: AuthoredSchema,
  authorize: Handler<'authorize'>,
  { session, ...options }: EngineOptions = {},
): Promise<Engine> {
  const world = await executeWorldOn(database, authored, options)
  const exchangeOf = (who: string | null): Partial<Exchange> => ({
    auth: authOf(who),
    context: who === null ? {} : { user: who },
    headers: who === null ? {} : { 'x-reader': who },
  })

  async function run(operation: Operation, who: string | null, innermost: (operation: Operation) => Promise<Result>) {
    const runner = createOperationRunner({
      defaultPolicy: () => {},
      authorize,
      sessionVariables: session === undefined ? null : createSessionVariables(session),
      resolve: null,
      innermost: (_exchange, given) => innermost(given),
    })
    const exchange = { ...exchangeOf(who), generation: { schema: world.model } } as Exchange
    try {
      return await runner(exchange, operation)
    } catch (error) {
      if (error instanceof SvcError) return { data: null, errors: [error] }
      throw error
    }
  }

  return {
    async ask(document, who) {
      return told(await run(world.operation(document), who, (operation) => world.resolve(operation, exchangeOf(who))))
    },
    async together(document, who) {
      const operation = { ...world.operation(document), write: { atomic: true } }
      return told(await run(operation, who, (given) => world.resolve(given, exchangeOf(who))))
    },
    async stream(document, form, who) {
      const result = await run({ ...world.operation(document), form }, who, (operation) =>
        world.resolve(operation, exchangeOf(who)),
      )
      let text = ''
      for await (const rows of result.stream ?? []) for (const row of rows) text += `${JSON.stringify(row)}\n`
      const { codes } = told(result)
      return { text, codes }
    },
    async roots(make, who) {
      const { template, variables } = world.operation('{ __typename }')
      const operation = { template: { ...template, roots: make(world) }, variables }
      return told(await run(operation, who, (given) => world.resolve(given, exchangeOf(who))))
    },
    async keys(ids, who) {
      const operation = world.operation('{ book(id: "x") { id title } }')
      const result = await run(operation, who, async (given) => {
        const [root] = given.template.roots
        if (root?.kind !== 'operation') throw new Error('a query')
        if (root.denied !== undefined) return world.resolve(given, exchangeOf(who))
        const read = {
          key: 'book',
          type: root.operation.named as ObjectType,
          selection: root.selection as ObjectSelection,
          many: true,
        }
        const settings = { dialect: database.dialect, maxRows: 1000 }
        const prepared = prepareRowsByKeys(given, 'keys', read, world.model, settings)
        const parameters = prepared.bind({}, exchangeOf(who) as Exchange, ids, given.access)
        const { rows } = await database.query(prepared.statement!, parameters, null, given.access?.settings)
        const row = objectShape(read.selection)
        const list = { ...row.shape, nullable: true, members: null, items: { ...row.shape, nullable: true } }
        const { text } = complete(rows[0]?.[0] ?? 'null', { ...row, shape: list }, [])
        return { data: text, errors: null }
      })
      return told(result)
    },
  }
}

function told({ data, errors }: Result): Told {
  return { text: data ?? '', codes: (errors ?? []).map(({ code }) => code) }
}

/** What the rules of rights ask for. */
const RIGHTS: Readonly<Record<string, Pick<Auth, 'scopes' | 'roles'>>> = {
  ann: { scopes: ['read:other'], roles: ['writer'] },
  bob: { scopes: ['read:*'], roles: ['reader'] },
}

export function authOf(who: string | null): Auth | null {
  return who === null
    ? null
    : {
        subject: who,
        claims: { sub: who, role: roleOf(who) },
        ...(RIGHTS[who] ?? { scopes: [], roles: [] }),
        method: 'test',
      }
}

/** The same database, which writes all JSON itself. */
export function unpacked(database: Database): Database {
  const { dialect } = database
  const alone = {
    ...dialect,
    read: (...given: Parameters<typeof dialect.read>) => withoutPacked(dialect.read(...given)),
  }
  return new Proxy(database, {
    get(target, key) {
      if (key === 'dialect') return alone
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function withoutPacked(prepared: PreparedRead): PreparedRead {
  return new Proxy(prepared, {
    get: (target, key) => (key === 'packed' ? null : Reflect.get(target, key, target)),
  })
}
