import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld, worldOn } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY, 3)
    const titles = async (args: string, variables = {}, head = '') =>
      (await world.run(`${head}{ books(${args}) { title } }`, variables)).books.map(
        (book: { title: string }) => book.title.split(' ')[0],
      )

    await t.test('an order is total: the key breaks ties in the direction of the last sort key', async (t) => {
      t.strictSame(await titles('limit: 3'), ['Alpha', 'beta', 'Gamma'])
      t.strictSame(await titles('orderBy: [{ addedAt: ASC }], limit: 3'), ['Alpha', 'beta', 'Gamma'])
      t.strictSame(await titles('orderBy: [{ addedAt: DESC }], limit: 3'), ['delta', 'Gamma', 'beta'])
      t.strictSame(await titles('orderBy: [{ pages: ASC_NULLS_FIRST }, { title: DESC }], limit: 3'), [
        'Gamma',
        'delta',
        'Alpha',
      ])
      t.strictSame(await titles('orderBy: { pages: DESC_NULLS_LAST }, limit: 3'), ['beta', 'delta', 'Alpha'])
      t.strictSame(await titles('orderBy: [{ pages: DESC_NULLS_FIRST }], limit: 1'), ['Gamma'])
      t.strictSame(await titles('orderBy: [{ genre: ASC_NULLS_LAST }], limit: 1'), ['beta'])
      const text = world.prepare('{ books(orderBy: [{ addedAt: DESC }], limit: 1) { id } }').statement?.text
      t.match(text, /ORDER BY "t1"."added_at" DESC, "t1"."pk_book" DESC LIMIT 1\)/)
    })

    await t.test('a field that is named twice sorts once', async (t) => {
      const twice = 'orderBy: [{ pages: ASC_NULLS_FIRST }, { title: DESC }, { pages: DESC }, { title: ASC }]'
      t.strictSame(await titles(`${twice}, limit: 3`), ['Gamma', 'delta', 'Alpha'])
      t.strictSame(
        await titles('orderBy: [{ addedAt: ASC }, { title: ASC }, { addedAt: DESC }], limit: 3'),
        await titles('orderBy: [{ addedAt: ASC }, { title: ASC }], limit: 3'),
      )
    })

    await t.test('keys of documents sort by their declared type', async (t) => {
      const { shelfDocs } = await world.run('{ shelfDocs(orderBy: [{ createdAt: ASC }, { size: DESC }]) { size } }')
      t.strictSame(shelfDocs, [{ size: 30 }, { size: 20 }, { size: 10 }])
    })

    await t.test('limit and offset, in the document and as variables', async (t) => {
      t.strictSame(await titles('limit: 2, offset: 1'), ['beta', 'Gamma'])
      t.strictSame(await titles('limit: 0'), [])
      const head = 'query($l: Int, $o: Int) '
      t.strictSame(await titles('limit: $l, offset: $o', { l: 2, o: 3 }, head), ['delta'])
      t.strictSame(await titles('limit: $l, offset: $o', { l: 3 }, head), ['Alpha', 'beta', 'Gamma'])
      t.strictSame(await titles('limit: $l, offset: $o', { l: 3, o: null }, head), ['Alpha', 'beta', 'Gamma'])
      await t.rejects(titles('limit: -1'), { code: 'BAD_USER_INPUT', message: /"limit" of "books": -1 is negative/ })
      await t.rejects(titles('limit: $l, offset: $o', { l: 1, o: -1 }, head), {
        code: 'BAD_USER_INPUT',
        message: /offset/,
      })
      await t.rejects(titles('limit: 4'), { code: 'VALIDATION_ERROR', message: /4 is more than the 3 rows/ })
      await t.rejects(titles('limit: $l', { l: 4 }, 'query($l: Int) '), { code: 'VALIDATION_ERROR' })
    })

    await t.test('a list without a limit that is longer than max_rows is an error, never a part of it', async (t) => {
      await t.rejects(titles('where: {}'), {
        code: 'VALIDATION_ERROR',
        message: /"books" has more rows.*Pass a limit/,
        path: ['books'],
      })
      t.equal((await titles('where: { pages: { _gt: 0 } }')).length, 3, 'exactly max_rows is fine')
      const nested = await worldOn(world.database, LIBRARY, 1)
      await t.rejects(nested.run('{ shelves(limit: 1) { books { title } } }'), {
        code: 'VALIDATION_ERROR',
        message: /"shelves.books"/,
        path: ['shelves'],
        details: { list: 'shelves.books' },
      })
      await t.rejects(nested.run('{ shelfDocs(limit: 1) { labels { text } } }'), { message: /"shelfDocs.labels"/ })
      t.strictSame(await nested.run('{ shelfDocs(limit: 1, offset: 2) { labels { text } books { id } } }'), {
        shelfDocs: [{ labels: null, books: [] }],
      })
      await t.rejects(nested.run('{ countedBooks { items { id } } }'), { message: /"countedBooks.items"/ })
      t.equal((await nested.run('{ countedBooks { totalCount } }')).countedBooks.totalCount, 4)
      const free = await worldOn(world.database, LIBRARY, 0)
      t.equal((await free.run('{ books { id } shelfDocs(limit: 1) { labels { text } books { id } } }')).books.length, 4)
      t.equal((await free.run('{ books(limit: 100000) { id } }')).books.length, 4)
    })

    await t.test('invalid orders are rejected', async (t) => {
      for (const [orderBy, message] of [
        [[{ title: 'ASC', pages: 'DESC' }], /exactly one/i],
        [[{ title: 'UP' }], /OrderDirection|ASC/],
        [[{ nope: 'ASC' }], /nope/],
        [[{ tags: 'ASC' }], /tags/],
      ] as const) {
        await t.rejects(
          async () => world.run('query($o: [BookOrderByInput!]) { books(orderBy: $o) { id } }', { o: orderBy }),
          message,
        )
      }
    })

    await t.test('a document source pages before it reads the document', (t) => {
      const text = world.prepare('{ shelfDocs(limit: 2) { size note } }').statement?.text
      t.match(text, /FROM \(SELECT \* FROM "v_shelf_doc" "t1" ORDER BY "t1"."pk_shelf" ASC LIMIT 2\) "t1"/)
      t.match(world.prepare('query($l: String) { shelfDoc(label: $l) { size } }').statement?.text, /LIMIT 1\) "t1"/)
      t.end()
    })
  },
  { sql: LIBRARY_SQL },
)
