import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const ALL = `id title subtitle pages weight price sold inPrint printedOn soldAt addedAt opens tags ratings moments
      extra genre mood owner __typename`

    await t.test('flat columns take the wire form of their declared type', async (t) => {
      const { books } = await world.run(`{ books { ${ALL} } }`)
      t.strictSame(books[0], {
        id: BOOK.alpha,
        title: 'Alpha 100%',
        subtitle: 'a_b',
        pages: 100,
        weight: 1.5,
        price: '10.50',
        sold: '9007199254740993',
        inPrint: true,
        printedOn: '2024-02-29',
        soldAt: '2024-01-01T10:00:00.123+00:00',
        addedAt: '2023-12-31T22:00:00+00:00',
        opens: '08:30:00',
        tags: ['red', 'blue'],
        ratings: [1, 2, 3],
        moments: ['2024-01-01T00:00:00+00:00', '2024-06-01T12:00:00+00:00'],
        extra: { a: 1, b: { c: [1, 2] } },
        genre: 'SF',
        mood: 'calm',
        owner: 'ann',
        __typename: 'Book',
      })
      t.equal(books[2].title, 'Gamma "quoted" \\\\ é')
      const nulls = ['pages', 'weight', 'price', 'printedOn', 'soldAt', 'opens', 'tags', 'moments', 'extra', 'genre']
      for (const key of nulls) t.equal(books[2][key], null, key)
    })

    await t.test('keys stand in the order of the selection', async (t) => {
      const text = await world.text('{ b: books(limit: 1) { title id x: pages } __typename a: books(limit: 0) { id } }')
      t.equal(text, `{"b":[{"title":"Alpha 100%","id":"${BOOK.alpha}","x":100}],"__typename":"Query","a":[]}`)
    })

    await t.test('keys of a document take the same forms', async (t) => {
      const { shelfDocs } = await world.run(`{ shelfDocs { id label note createdAt size price big kind numbers names
        keeper { name age __typename } labels { rank t: text } books { title } } }`)
      t.strictSame(shelfDocs[1], {
        id: SHELF(2),
        label: 'Shelf 2',
        note: 'dusty',
        createdAt: '2024-05-06T07:08:09+00:00',
        size: 20,
        price: '12.50',
        big: '9007199254740993',
        kind: 'FIRST',
        numbers: [1, 2, 2],
        names: ['x', 'Shelf 2'],
        keeper: { name: 'Keeper 2', age: 42, __typename: 'Keeper' },
        labels: [
          { rank: 1, t: 'L1' },
          { rank: 2, t: 'Shelf 2' },
        ],
        books: [{ title: 'Gamma "quoted" \\\\ é' }],
      })
      t.match(shelfDocs[2], { keeper: null, labels: null })
      t.same(shelfDocs[2].books, [])
    })

    await t.test('interfaces and unions give each row the fields of its type', async (t) => {
      const { things, anything } = await world.run(`{
        things(orderBy: [{ name: ASC }], limit: 2) { __typename id name ... on ThingBook { pages } ... on ThingShelf { label } }
        anything(limit: 7) { ... on ThingBook { pages n: name } ... on ThingShelf { label __typename } }
      }`)
      t.strictSame(things[0], { __typename: 'ThingBook', id: BOOK.alpha, name: 'Alpha 100%', pages: 100 })
      t.strictSame(anything[6], { label: 'Shelf 3', __typename: 'ThingShelf' })
      t.equal(anything.length, 7)
    })

    await t.test('only __typename gives exactly that', async (t) => {
      t.equal(
        await world.text('{ books(limit: 2) { __typename } things(limit: 1) { __typename } }'),
        '{"books":[{"__typename":"Book"},{"__typename":"Book"}],"things":[{"__typename":"ThingBook"}]}',
      )
    })
  },
  { sql: LIBRARY_SQL },
)
