import t from 'tap'
import { eachDatabase } from '../helpers/databases.ts'
import { BOOK, SHELF } from '../helpers/library.ts'
import { openApp } from '../helpers/open-app.ts'
import { MYSQL_WORLD } from './mysql-world.ts'
import { SQLITE_WORLD } from './sqlite-world.ts'
import { WORLD_SQL, worldOf } from './world.ts'

/** Interfaces, unions, enums, scalars, and sources with JSON documents, against the real service. */
t.setTimeout(180_000)

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, worldOf(database.kind))
    const data = async (query: string, variables?: object) => {
      const { status, data, errors } = await app.graphql(query, variables)
      if (status !== 200 || errors !== undefined) throw new Error(JSON.stringify({ status, errors }))
      return data
    }

    // proves: interface.fields interface.sql_source type.implements
    await t.test('an interface: its own fields, those of each type, filtered, sorted and paged', async (t) => {
      const { things, page } = await data(
        `
        query ($w: ThingWhereInput) {
          things(where: $w, orderBy: [{ name: DESC }]) { __typename id ...Both ... on ThingBook { pages } }
          page: things(limit: 2, offset: 3) { name ... on ThingShelf { label } }
        }
        fragment Both on Thing { name ... on ThingShelf { text: label } }`,
        { w: { name: { _iregex: '^(beta|shelf [12])$' } } },
      )
      t.strictSame(things, [
        { __typename: 'ThingBook', id: BOOK.beta, name: 'beta', pages: 250 },
        { __typename: 'ThingShelf', id: SHELF(2), name: 'Shelf 2', text: 'Shelf 2' },
        { __typename: 'ThingShelf', id: SHELF(1), name: 'Shelf 1', text: 'Shelf 1' },
      ])
      t.strictSame(page, [{ name: 'delta' }, { name: 'Shelf 1', label: 'Shelf 1' }])
    })

    // proves: union.members union.sql_source
    await t.test('a union: each member gives what is selected of it', async (t) => {
      const { anything, none } = await data(`{
        anything(limit: 2, offset: 3) { __typename ... on ThingBook { pages t: name } ... on ThingShelf { label } ... on Thing { id } }
        none: anything(limit: 1) { ... on ThingShelf { label } }
      }`)
      t.strictSame(anything, [
        { __typename: 'ThingBook', pages: 100, t: 'delta', id: BOOK.delta },
        { __typename: 'ThingShelf', label: 'Shelf 1', id: SHELF(1) },
      ])
      t.strictSame(none, [{}], 'a member of which nothing is selected')
      const { __type } = await data('{ __type(name: "Query") { fields { name args { name } } } }')
      const { args } = __type.fields.find(({ name }: { name: string }) => name === 'anything')
      t.strictSame(args, [{ name: 'limit' }, { name: 'offset' }], 'lists of a union neither filter nor sort')
    })

    // proves: enum.values enum_value.value
    await t.test(
      'enums: names on the wire, values in SQL, in columns and documents, in filters and arguments',
      async (t) => {
        const answer = await data(
          `query ($g: Genre!, $m: [Mood!]) {
        books { genre mood }
        one: books(where: { genre: { _eq: $g } }) { title }
        calm: books(where: { mood: { _in: $m } }) { title }
        shelfDocs(where: { kind: { _neq: SECOND } }, limit: 1) { kind }
      }`,
          { g: 'CRIME', m: ['calm'] },
        )
        t.strictSame(answer.books, [
          { genre: 'SF', mood: 'calm' },
          { genre: 'CRIME', mood: 'tense' },
          { genre: null, mood: null },
          { genre: 'SF', mood: 'calm' },
        ])
        t.strictSame(answer.one, [{ title: 'beta' }])
        t.strictSame(answer.calm, [{ title: 'Alpha 100%' }, { title: 'delta' }])
        t.strictSame(answer.shelfDocs, [{ kind: 'FIRST' }])
        t.strictSame(await data('mutation { state(state: LIVE) }'), { state: 'LIVE' })
        t.match((await app.graphql('{ books(where: { genre: { _eq: sf } }) { id } }')).errors, [
          { message: 'Value "sf" does not exist in "Genre" enum. Did you mean the enum value "SF"?' },
        ])
      },
    )

    // proves: scalar.base_type
    await t.test('a custom scalar without functions takes the form of its base', async (t) => {
      const { books } = await data('query ($o: Isbn) { books(where: { owner: { _eq: $o } }) { owner } }', { o: 'ann' })
      t.strictSame(books, [{ owner: 'ann' }, { owner: 'ann' }])
    })

    // proves: mapping.builtin-scalars
    await t.test('every built-in scalar that a row has, in its wire form', async (t) => {
      const { book } = await data(
        `{ book(id: "${BOOK.alpha}") { id pages weight price sold inPrint printedOn soldAt addedAt opens tags ratings moments extra } }`,
      )
      t.strictSame(book, {
        id: BOOK.alpha,
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
      })
    })

    // proves: type.embedded
    await t.test('a document: scalars, embedded objects and lists, relations out of it, filters into it', async (t) => {
      const fields =
        'label createdAt price big kind numbers names keeper { name age } labels { text rank } books { title }'
      const { all, kept, sorted } = await data(`{
        all: shelfDocs { ${fields} }
        kept: shelfDocs(where: { keeper: { age: { _gt: 41 } }, labels: { some: { rank: { _eq: 2 } } } }) { label }
        sorted: shelfDocs(orderBy: [{ size: DESC }], limit: 2) { size }
      }`)
      const document = (n: number) => ({
        label: `Shelf ${n}`,
        createdAt: '2024-05-06T07:08:09+00:00',
        price: '12.50',
        big: '9007199254740993',
        kind: 'FIRST',
        numbers: [1, 2, n],
        names: ['x', `Shelf ${n}`],
      })
      t.strictSame(all, [
        {
          ...document(1),
          keeper: { name: 'Keeper 1', age: 41 },
          labels: [
            { text: 'L1', rank: 1 },
            { text: 'Shelf 1', rank: 1 },
          ],
          books: [{ title: 'Alpha 100%' }, { title: 'beta' }],
        },
        {
          ...document(2),
          keeper: { name: 'Keeper 2', age: 42 },
          labels: [
            { text: 'L1', rank: 1 },
            { text: 'Shelf 2', rank: 2 },
          ],
          books: [{ title: 'Gamma "quoted" \\\\ é' }],
        },
        { ...document(3), keeper: null, labels: null, books: [] },
      ])
      t.strictSame(kept, [{ label: 'Shelf 2' }])
      t.strictSame(sorted, [{ size: 30 }, { size: 20 }])
    })

    await t.test(
      'a null that may not be there is an error with its path, and the null moves up to where it may',
      async (t) => {
        const { data, errors } = await app.graphql('{ maybeBroken { id label } }')
        t.strictSame(data, {
          maybeBroken: [{ id: SHELF(1), label: 'Shelf 1' }, null, { id: SHELF(3), label: 'Shelf 3' }],
        })
        t.match(errors, [
          {
            message: 'Cannot return null for non-nullable field Broken.label.',
            path: ['maybeBroken', 1, 'label'],
            extensions: { code: 'INTERNAL_SERVER_ERROR', statusCode: 500 },
          },
        ])
        const strict = await app.graphql('{ broken { label } shelves(limit: 1) { label } }')
        t.equal(strict.data, null, 'a list of non-null rows of a non-null root')
        t.match(strict.errors, [{ path: ['broken', 1, 'label'] }])
      },
    )
  },
  { pglite: 'always', sql: WORLD_SQL, sqlite: SQLITE_WORLD, mysql: MYSQL_WORLD },
)
