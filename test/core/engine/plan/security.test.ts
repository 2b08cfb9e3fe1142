import t from 'tap'
import type { BindExchange } from '../../../../core/contract/slot.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../../helpers/library.ts'
import { openWorld, worldOn } from '../../../helpers/plan-world.ts'

const as = (claims: Record<string, unknown>, context: Record<string, unknown> = {}): BindExchange => ({
  auth: { subject: 'x', claims, scopes: [], roles: [], method: 'test' },
  context,
})
const ANYONE = '_or: [{ title: { _neq: "nothing" } }, { title: { _eq: "x" } }]'

/** The rules of the queries below hold for these queries only. */
const OPEN_BOOKS = LIBRARY.types?.map((type) => (type.name === 'Book' ? { ...type, open: true } : type)) ?? []

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const mine = async (exchange: BindExchange, args = '') =>
      (await world.run(`{ myBooks${args} { title } }`, {}, exchange)).myBooks.map((b: { title: string }) => b.title[0])

    // proves: query.inject
    await t.test('inject is a condition that the client can neither see nor lift', async (t) => {
      t.strictSame(await mine(as({ sub: 'ann' })), ['A', 'G'])
      t.strictSame(await mine(as({ sub: 'bob' }), `(where: { ${ANYONE} })`), ['b', 'd'])
      t.strictSame(await mine(as({ sub: ['ann', 'bob'] })), ['A', 'b', 'G', 'd'], 'an array is one of')
      t.strictSame(await mine(as({ sub: [] })), [])
      t.strictSame(await mine(as({ sub: "ann' OR '1'='1" })), [])
      await t.rejects(mine(null), { code: 'UNAUTHENTICATED' })
      await t.rejects(mine({ auth: null, context: {} }), { code: 'UNAUTHENTICATED', path: ['myBooks'] })
      await t.rejects(mine(as({})), { code: 'FORBIDDEN', message: /claim "sub"/ })
      await t.rejects(mine(as({ sub: null })), { code: 'FORBIDDEN' })
      await t.rejects(mine(as({ sub: { a: 1 } })), { code: 'FORBIDDEN' })
      await t.rejects(async () => world.run('{ myBooks(owner: "ann") { title } }'), Error)
    })

    // proves: query.row_filter
    await t.test('row_filter is filled from the context', async (t) => {
      const filtered = async (exchange: BindExchange) =>
        (await world.run(`{ filteredBooks(where: { ${ANYONE} }) { title } }`, {}, exchange)).filteredBooks.length
      t.equal(await filtered(as({}, { user: 'bob' })), 2)
      t.equal(await filtered(as({}, { user: "x' OR true --" })), 0)
      await t.rejects(filtered(as({})), { code: 'FORBIDDEN', message: /"user"/ })
      await t.rejects(filtered({ auth: null, context: {} }), { code: 'UNAUTHENTICATED' })
    })

    await t.test('the rules hold for counts, pages and node', async (t) => {
      const rules = { inject: { owner: 'jwt:org.user' }, row_filter: "genre = 'sf' OR {all} = 'yes'" }
      const schema: AuthoredSchema = {
        ...LIBRARY,
        types: OPEN_BOOKS,
        queries: [
          { name: 'counted', type: '[Book!]!', sql_source: 'v_book', auto_params: { total_count: true }, ...rules },
          { name: 'paged', type: '[Book!]!', sql_source: 'v_book', relay: true, ...rules },
          { name: 'one', type: 'Book', sql_source: 'v_book', arguments: [{ name: 'id', type: 'ID!' }], ...rules },
        ],
      }
      const guarded = await worldOn(world.database, schema)
      const query = `query($id: ID!) { counted { totalCount items { title } } paged { totalCount edges { node { title } } }
        node(id: $id) { id } one(id: $id) { id } }`
      const seen = async (exchange: BindExchange, id: string) => {
        const { counted, paged, node, one } = await guarded.run(query, { id }, exchange)
        return [
          counted.totalCount,
          counted.items.length,
          paged.totalCount,
          paged.edges.length,
          node !== null,
          one !== null,
        ]
      }
      t.strictSame(await seen(as({ org: { user: 'ann' } }, { all: 'no' }), BOOK.alpha), [1, 1, 1, 1, true, true])
      t.strictSame(await seen(as({ org: { user: 'ann' } }, { all: 'no' }), BOOK.gamma), [1, 1, 1, 1, false, false])
      t.strictSame(await seen(as({ org: { user: 'ann' } }, { all: 'yes' }), BOOK.gamma), [2, 2, 2, 2, true, true])
      t.strictSame(await seen(as({ 'org.user': 'bob', org: { user: 'ann' } }, { all: 'no' }), BOOK.delta), [
        1,
        1,
        1,
        1,
        true,
        true,
      ])
      await t.rejects(guarded.run('query($id: ID!) { node(id: $id) { id } }', { id: BOOK.alpha }, null), {
        code: 'UNAUTHENTICATED',
      })
      const { text } = guarded.prepare('{ counted(where: { title: { _eq: "x" } }) { totalCount } }').statement ?? {}
      t.match(
        text,
        /WHERE "t1"."owner" = ANY\(\$1::text\[\]\) AND \(genre = 'sf' OR \$2 = 'yes'\n\) AND \("t1"."title" = \$3::text\)/,
      )
    })

    await t.test('node applies the rule of the query by id, and hides types without a query', async (t) => {
      const one = (name: string, argument: string, owner: string) => ({
        name,
        type: 'Book',
        sql_source: 'v_book',
        arguments: [{ name: argument, type: argument === 'id' ? 'ID!' : 'String!' }],
        row_filter: `owner = '${owner}'`,
      })
      const queries = [one('by_title', 'title', 'bob'), one('by_id', 'id', 'ann')]
      const guarded = await worldOn(world.database, { ...LIBRARY, types: OPEN_BOOKS, queries })
      const node = async (id: string) => (await guarded.run('query($id: ID!) { node(id: $id) { id } }', { id })).node
      t.strictSame(await node(BOOK.alpha), { id: BOOK.alpha }, 'of ann')
      t.equal(await node(BOOK.delta), null, 'of bob')
      t.equal(await node(SHELF(1)), null, 'no query returns a shelf')
      t.equal(await node(Buffer.from(`Shelf:${SHELF(1)}`).toString('base64')), null)
    })

    // proves: query.arguments
    await t.test('declared arguments are equalities', async (t) => {
      const query = 'query($p: Boolean) { books(inPrint: $p) { title } }'
      t.equal((await world.run(query, { p: false })).books.length, 1)
      t.equal((await world.run(query, { p: null })).books.length, 4)
      t.equal((await world.run(query)).books.length, 4)
      const { shelfDoc } = await world.run('{ shelfDoc(label: "Shelf 2") { size } }')
      t.equal(shelfDoc.size, 20, 'a key of the document')
      t.strictSame(await world.run('{ shelfDoc(label: "Shelf 9") { size } }'), { shelfDoc: null })
    })
  },
  { sql: LIBRARY_SQL },
)
