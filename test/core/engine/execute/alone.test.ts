import t from 'tap'
import type { Cancellable } from '../../../../core/contract/cancellable.ts'
import type { Database } from '../../../../core/contract/database.ts'
import type { Exchange } from '../../../../core/contract/exchange.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { resolveRead } from '../../../../core/engine/execute/read/read.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const SQL = `
CREATE TABLE part (id int PRIMARY KEY, body text NOT NULL, share int NOT NULL);
INSERT INTO part VALUES (1, repeat('x', 400), 1), (2, 'y', 0);
CREATE VIEW v_part AS SELECT id, body, 1 / share AS share FROM part;`
const SCHEMA = tableSchema(
  { name: 'Part', sql_source: 'v_part', fields: { id: 'Int!', body: 'String', share: 'Int' } },
  { queries: [{ name: 'part', type: 'Part', sql_source: 'v_part', arguments: [{ name: 'id', type: 'Int!' }] }] },
)
/** The first root fails, so that all are run alone. */
const DOCUMENT = '{ bad: part(id: 2) { share } a: part(id: 1) { body } b: part(id: 1) { body } }'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openExecuteWorld(t, database, SCHEMA)
    const operation = world.operation(DOCUMENT)
    const exchange = (await capture(world.database, () => world.resolve(operation)))[0] as Exchange
    const settings = { dialect: POSTGRES, maxRows: 100 } as const
    const context = (maxResultBytes: number) => ({
      database: () => world.database,
      settings,
      maxResultBytes,
      streamIdleMs: 0,
      onCommit: null,
      mutationHooks: null,
      contributions: [],
    })

    await t.test('roots that run alone are cancelled with their request', async (t) => {
      const seen = await capture(world.database, () => world.resolve(operation))
      t.ok(seen.length >= 4, 'the statement of all, and one per root')
      for (const one of seen) t.equal(one, seen[0], 'each is bound to the exchange')
      t.ok(seen[0])
    })

    await t.test('roots that run alone keep the bound in bytes together', async (t) => {
      const fits = await resolveRead(context(2000), exchange, operation)
      t.match(fits.errors, [{ path: ['bad'] }])
      await t.rejects(async () => resolveRead(context(600), exchange, operation), { message: /larger than 600 bytes/ })
    })
  },
  { sql: SQL },
)

/** What the statements of `run` are cancelled with. */
async function capture(database: Database, run: () => Promise<unknown>): Promise<(Cancellable | null)[]> {
  const seen: (Cancellable | null)[] = []
  const { query, readRow } = database
  Object.assign(database, {
    query: (...args: Parameters<Database['query']>) => {
      seen.push(args[2])
      return query(...args)
    },
    ...(readRow === undefined
      ? {}
      : {
          readRow: (...args: Parameters<NonNullable<Database['readRow']>>) => {
            seen.push(args[2])
            return readRow(...args)
          },
        }),
  })
  try {
    await run()
  } finally {
    Object.assign(database, { query, ...(readRow === undefined ? {} : { readRow }) })
  }
  return seen
}
