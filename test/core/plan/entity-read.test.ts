import t from 'tap'
import type { QueryRoot } from '../../../core/front/operation.ts'
import { prepareEntityRead } from '../../../core/plan/entity.ts'
import type { ObjectType } from '../../../core/schema/model.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../helpers/library.ts'
import { openWorld } from '../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const read = async (query: string, many: boolean, ids: readonly string[], variables = {}) => {
      const operation = world.operation(query, variables)
      const root = operation.template.roots[0] as QueryRoot
      const prepared = prepareEntityRead({
        schema: world.model,
        settings: world.settings,
        variables: operation.variables,
        responseKey: root.responseKey,
        type: root.operation.named as ObjectType,
        selection: root.selection as Exclude<QueryRoot['selection'], null> & { kind: 'object' },
        many,
        keep: true,
      })
      const { rows } = await world.database.query(
        prepared.statement,
        prepared.bind(ids, operation.variables, null),
        null,
      )
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
      const request = {
        schema: world.model,
        settings: world.settings,
        variables: {},
        responseKey: 'x',
        many: false,
        keep: false,
      }
      t.throws(() => prepareEntityRead({ ...request, type, selection: { kind: 'object', type, fields: [] } }), {
        code: 'INTERNAL_SERVER_ERROR',
      })
    })
  },
  { sql: LIBRARY_SQL },
)
