import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const books = async (where: unknown) =>
      (await world.run('query($w: BookWhereInput) { books(where: $w) { title } }', { w: where })).books.map(
        (book: { title: string }) => book.title.split(' ')[0],
      )
    const shelves = async (root: 'Shelf' | 'ShelfDoc', where: unknown) => {
      const field = root === 'Shelf' ? 'shelves' : 'shelfDocs'
      const result = await world.run(`query($w: ${root}WhereInput) { ${field}(where: $w) { label } }`, { w: where })
      return result[field].map((shelf: { label: string }) => Number(shelf.label.slice(-1)))
    }

    await t.test('a filter over one parent is EXISTS', async (t) => {
      t.strictSame(await books({ shelf: {} }), ['Alpha', 'beta', 'Gamma'])
      t.strictSame(await books({ _not: { shelf: {} } }), ['delta'])
      t.strictSame(await books({ shelf: { label: { _eq: 'Shelf 1' } } }), ['Alpha', 'beta'])
      t.strictSame(await books({ _not: { shelf: { label: { _eq: 'Shelf 1' } } } }), ['Gamma', 'delta'])
    })

    await t.test('{} is true wherever it stands, and _not turns it round', async (t) => {
      const all = ['Alpha', 'beta', 'Gamma', 'delta']
      const empty = [{}, { id: {} }, { _and: [] }, { _and: [{}] }, { _or: [{}] }, { _not: { _not: {} } }]
      for (const where of [...empty, { _not: { _or: [] } }]) {
        t.strictSame(await books(where), all, JSON.stringify(where))
        t.strictSame(await books({ _not: where }), [], `_not: ${JSON.stringify(where)}`)
        t.strictSame(await books({ shelf: { _not: where } }), [], `across a relation: ${JSON.stringify(where)}`)
        t.strictSame(await books({ _or: [{ _not: where }, { title: { _eq: 'beta' } }] }), ['beta'])
      }
      const where = { books: { some: { _not: {} } } }
      t.strictSame(await shelves('Shelf', where), [])
      t.strictSame(await shelves('ShelfDoc', where), [])
      t.strictSame(await shelves('Shelf', { _not: { books: {} } }), [])
      t.strictSame(await shelves('Shelf', { books: { every: { _not: {} } } }), [3])
    })

    await t.test('some, every and none of a list', async (t) => {
      for (const root of ['Shelf', 'ShelfDoc'] as const) {
        const printed = { inPrint: { _eq: true } }
        t.strictSame(await shelves(root, { books: { some: printed } }), [1, 2])
        t.strictSame(await shelves(root, { books: { every: printed } }), [2, 3], 'true of an empty list')
        t.strictSame(await shelves(root, { books: { none: printed } }), [3])
        t.strictSame(await shelves(root, { books: { some: {} } }), [1, 2])
        t.strictSame(await shelves(root, { books: { none: {} } }), [3])
        t.strictSame(await shelves(root, { books: { every: {} } }), [1, 2, 3])
        t.strictSame(await shelves(root, { books: { every: { pages: { _gt: 0 } } } }), [1, 3], 'null breaks it')
        t.strictSame(await shelves(root, { books: { some: printed, every: printed } }), [2])
        t.strictSame(await shelves(root, { books: { some: { shelf: { books: { none: printed } } } } }), [])
        t.strictSame(await shelves(root, { books: {} }), [1, 2, 3])
      }
    })

    await t.test('objects in a document', async (t) => {
      t.strictSame(await shelves('ShelfDoc', { keeper: {} }), [1, 2])
      t.strictSame(await shelves('ShelfDoc', { keeper: { age: { _gt: 41 } } }), [2])
      t.strictSame(await shelves('ShelfDoc', { _not: { keeper: { age: { _gt: 41 } } } }), [1, 3])
      t.strictSame(await shelves('ShelfDoc', { labels: { some: { rank: { _eq: 2 } } } }), [2])
      t.strictSame(await shelves('ShelfDoc', { labels: { every: { rank: { _eq: 1 } } } }), [1, 3])
      t.strictSame(await shelves('ShelfDoc', { labels: { none: { text: { _eq: 'L1' } } } }), [3])
      t.strictSame(await shelves('ShelfDoc', { numbers: { _contains: [3] } }), [3])
      t.strictSame(await shelves('ShelfDoc', { kind: { _eq: 'FIRST' }, size: { _gte: 20 } }), [2, 3])
      t.strictSame(await shelves('ShelfDoc', { createdAt: { _eq: '2024-05-06T09:08:09+02:00' } }), [1, 2, 3])
    })

    await t.test('the filter of a related list holds for each parent by itself', async (t) => {
      const { shelves: rows } = await world.run(
        '{ shelves { books(where: { pages: { _gte: 100 } }, orderBy: [{ pages: DESC }], limit: 1) { pages } } }',
      )
      t.strictSame(rows, [{ books: [{ pages: 250 }] }, { books: [] }, { books: [] }])
    })
  },
  { sql: LIBRARY_SQL },
)
