import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)

    await t.test('relations go to any depth, and one relation can stand under two aliases', async (t) => {
      const { shelves } = await world.run(`{ shelves(limit: 1) {
        label
        first: books(limit: 1) { title shelf { books(offset: 1) { title shelf { label } } } }
        wanted: books(where: { title: { _icontains: "A" } }, orderBy: [{ title: DESC }]) { title }
      } }`)
      t.strictSame(shelves, [
        {
          label: 'Shelf 1',
          first: [{ title: 'Alpha 100%', shelf: { books: [{ title: 'beta', shelf: { label: 'Shelf 1' } }] } }],
          wanted: [{ title: 'beta' }, { title: 'Alpha 100%' }],
        },
      ])
    })

    await t.test('aliases that look like names of ours are names like any other', async (t) => {
      const names = ['t', 'a', 'e', 'v', 'n', 'l', 'r', 'json', 't1', 't2', 'data', 'pk_book', 'owner', 'value', '_x']
      const fields = names.map((name) => `${name}: title`).join(' ')
      const { book } = await world.run(`{ book(id: "${BOOK.beta}") { ${fields} shelf { a: label t: id } } }`)
      t.strictSame(Object.keys(book), [...names, 'shelf'])
      for (const name of names) t.equal(book[name], 'beta')
      const { shelfDocs } = await world.run(
        '{ shelfDocs(limit: 1) { a: label e: labels { e: text v: rank n: rank } } }',
      )
      t.strictSame(shelfDocs[0].e[0], { e: 'L1', v: 1, n: 1 })
    })

    await t.test('names that PostgreSQL would cut, and more fields than a row has columns', async (t) => {
      const long = 'x'.repeat(64)
      const { book } = await world.run(
        `{ book(id: "${BOOK.alpha}") { ${long}: title ${long}y: shelf { ${long}: label } tags } }`,
      )
      t.strictSame(book, { [long]: 'Alpha 100%', [`${long}y`]: { [long]: 'Shelf 1' }, tags: ['red', 'blue'] })
      const many = Array.from({ length: 1700 }, (_, index) => `f${index}: pages`).join(' ')
      const wide = await world.run(`{ books(limit: 2) { ${many} } }`)
      t.equal(Object.keys(wide.books[1]).length, 1700)
      t.equal(wide.books[1].f1699, 250)
      const page = await world.run(`{ bookPages(first: 1) { edges { ${long}: cursor node { id } } } }`)
      t.equal(page.bookPages.edges[0][long], 'MQ==')
    })

    await t.test('many roots', async (t) => {
      const roots = Array.from({ length: 300 }, (_, index) => `r${index}: books(limit: 1) { id }`).join(' ')
      const all = await world.run(`{ ${roots} }`)
      t.equal(Object.keys(all).length, 300)
      t.equal(all.r299[0].id, BOOK.alpha)
    })

    await t.test('roots that need no database need no statement', (t) => {
      const prepared = world.prepare('{ a: __typename __schema { queryType { name } } }')
      t.equal(prepared.statement, null)
      t.equal(prepared.constant, '{"a":"Query","__schema":{"queryType":{"name":"Query"}}}')
      t.strictSame(prepared.bind({}, null), [])
      t.end()
    })

    await t.test('introspection beside rows', async (t) => {
      const mixed = await world.run('{ __type(name: "Book") { name } books(limit: 1) { id } }')
      t.strictSame(mixed, { __type: { name: 'Book' }, books: [{ id: BOOK.alpha }] })
    })

    await t.test('counted lists count past the page', async (t) => {
      const { countedBooks } = await world.run(
        '{ countedBooks(limit: 1, where: { inPrint: { _eq: true } }) { n: totalCount items { title } __typename } }',
      )
      t.strictSame(countedBooks, { n: 3, items: [{ title: 'Alpha 100%' }], __typename: 'BookList' })
      t.notMatch(world.prepare('{ countedBooks { items { id } } }').statement!.text, /SELECT count/)
      t.notMatch(world.prepare('{ countedBooks { totalCount } }').statement!.text, /LIMIT/)
    })

    await t.test('the text is scanned for nulls only in columns that the catalog does not prove', (t) => {
      t.strictSame(world.prepare('{ books { title pages shelf { label } } }').nullScan, [])
      t.ok(world.prepare('{ things { name } }').nullScan.includes('"name":null'))
      t.strictSame(world.prepare('{ shelfDocs { l: label note } }').nullScan, ['"l":null'])
      t.strictSame(world.prepare('{ books { genre tags } }').nullScan, ['[null', ',null', ', null', '[['])
      t.strictSame(world.prepare('{ shelf(id: "00000000-0000-4000-8000-000000000001") { note } }').nullScan, [
        '"shelf":null',
      ])
      t.end()
    })
  },
  { sql: LIBRARY_SQL },
)
