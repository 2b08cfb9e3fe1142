import t from 'tap'
import type { ObjectSelection, QueryRoot } from '../../../../core/contract/operation.ts'
import { POSTGRES } from '../../../../core/dialects/postgres/dialect.ts'
import { planRowsByKeys } from '../../../../core/engine/plan/plan-read.ts'
import type { ObjectType } from '../../../../core/schema/model.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const read = async (query: string, many: boolean, ids: readonly string[], variables = {}) => {
      const operation = world.operation(query, variables)
      const root = operation.template.roots[0] as QueryRoot
      const type = root.operation.named as ObjectType
      const selection = root.selection as ObjectSelection
      const keys = { key: root.responseKey, type, selection, many }
      const prepared = POSTGRES.read(planRowsByKeys(keys, operation.variables, world.model, world.settings), true)
      if (prepared.statement === null) throw new Error('There is a statement')
      const parameters = prepared.bind(operation.variables, null, ids)
      const { rows } = await world.database.query(prepared.statement, parameters, null)
      return rows[0]?.[0] == null ? null : JSON.parse(rows[0][0])
    }

    await t.test('rows come in the order of the ids', async (t) => {
      const ids = [BOOK.delta, BOOK.alpha, SHELF(1), BOOK.beta]
      t.strictSame(await read('{ books { title } }', true, ids), [
        { title: 'delta' },
        { title: 'Alpha 100%' },
        { title: 'beta' },
      ])
      t.strictSame(await read('{ books { title } }', true, []), [])
    })

    await t.test('one row, with its relations and their arguments; none is null', async (t) => {
      const query = 'query($n: Int!) { shelfDocs { size books(limit: $n) { title } } }'
      t.strictSame(await read(query, false, [SHELF(1)], { n: 1 }), { size: 10, books: [{ title: 'Alpha 100%' }] })
      t.equal(await read(query, false, [BOOK.alpha], { n: 1 }), null)
    })

    await t.test('a type without a source cannot be read again', async (t) => {
      const type = world.model.types.get('Keeper') as ObjectType
      const keys = { key: 'x', type, selection: { kind: 'object' as const, type, fields: [] }, many: false }
      t.throws(() => planRowsByKeys(keys, {}, world.model, world.settings), {
        code: 'INTERNAL_SERVER_ERROR',
      })
    })
  },
  { sql: LIBRARY_SQL },
)
