import t from 'tap'
import type { AuthoredSchema } from '../../../core/doors/command.ts'
import { filterOperators } from '../../../core/doors/front.ts'
import type { ObjectType } from '../../../core/doors/plugin.ts'
import { createPglite } from '../../helpers/databases.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../helpers/library.ts'
import { openWorld, type PlanWorld, worldOn } from '../../helpers/plan-world.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { SQLITE_LIBRARY } from './library.ts'
import { eachLibrary, open } from './open-sqlite.ts'

const ALL = `id title subtitle pages weight price sold inPrint printedOn soldAt addedAt opens tags ratings moments extra
  genre mood owner`
const SHELF_DOC = `id label note createdAt size price big kind numbers names keeper { name age } labels { text rank }`

/** Read the same from both databases. No order by a text: collations differ. */
const READS: readonly string[] = [
  `{ books { ${ALL} __typename } }`,
  `{ book(id: "${BOOK.alpha.toUpperCase()}") { ${ALL} } }`,
  `{ book(id: "${BOOK.alpha.replaceAll('-', '')}") { id } }`,
  `{ book(id: "${BOOK.beta}") { id title } }`,
  `{ book(id: "${SHELF(1)}") { id } }`,
  `{ a: books(limit: 2, orderBy: [{ sold: DESC }]) { id } b: books(limit: 2, offset: 1, orderBy: [{ sold: ASC }]) { id } }`,
  '{ books(offset: 3) { id } }',
  '{ books(inPrint: false) { title } }',
  '{ countedBooks(limit: 1) { totalCount items { id __typename } __typename } }',
  '{ countedBooks(where: { pages: { _eq: 100 } }) { totalCount } }',
  '{ shelves { id label note books { title shelf { label books { id } } } } }',
  `{ shelves { books { ${ALL} } } }`,
  '{ books { title shelf { label } } }',
  `{ shelfDocs { ${SHELF_DOC} books { title } } }`,
  '{ shelfDoc(label: "Shelf 2") { label keeper { __typename age } } }',
  `{ node(id: "${BOOK.gamma}") { __typename id ... on Book { title pages } } }`,
  `{ node(id: "${SHELF(3)}") { id ... on Shelf { label } } }`,
  `{ node(id: "${SHELF(9)}") { id } }`,
  ...['ASC', 'DESC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'].flatMap((direction) =>
    ['pages', 'weight', 'price', 'printedOn', 'addedAt', 'opens'].map(
      (key) => `{ books(orderBy: [{ ${key}: ${direction} }, { id: ASC }]) { title ${key} } }`,
    ),
  ),
]

/** Pages by keyset. */
const PAGES: readonly string[] = [
  '{ bookPages(first: 2) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor __typename } edges { cursor node { id title shelf { label } } __typename } __typename } }',
  '{ bookPages(first: 2, after: "Mg==") { pageInfo { hasNextPage hasPreviousPage } edges { cursor node { title } } } }',
  '{ bookPages(last: 2) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { title } } } }',
  '{ bookPages(last: 2, before: "Mw==") { pageInfo { hasNextPage hasPreviousPage } edges { node { title shelf { books { id } } } } } }',
  '{ bookPages(first: 2, after: "OQ==") { pageInfo { hasNextPage startCursor endCursor } edges { cursor } } }',
  '{ bookPages(first: 5, where: { pages: { _eq: 100 } }) { totalCount edges { node { title } } } }',
  '{ bookPages(first: 1) { totalCount __typename } }',
]

/** The same over the table, whose key is proven unique on both. */
const PAGED: AuthoredSchema = JSON.parse(JSON.stringify(LIBRARY).replaceAll('"v_book"', '"tb_book"'))

/** Filters over books. */
const FILTERS: readonly object[] = [
  { id: { _eq: BOOK.alpha.toUpperCase() } },
  { id: { _neq: BOOK.beta } },
  { id: { _in: [BOOK.alpha, BOOK.beta.toUpperCase()] } },
  { id: { _nin: [BOOK.beta] } },
  { id: { _in: [] } },
  { id: { _nin: [] } },
  { subtitle: { _nin: [] } },
  { pages: { _nin: [100] } },
  { pages: { _eq: 100 } },
  { pages: { _neq: 100 } },
  { pages: { _gt: 100, _lte: 250 } },
  { pages: { _gte: 100, _lt: 101 } },
  { pages: { _in: [100, 250] } },
  { pages: { _is_null: true } },
  { pages: { _is_null: false } },
  { pages: { _is_not_null: true } },
  { weight: { _eq: 0.1 } },
  { weight: { _gt: 0.1 } },
  { price: { _in: ['10.5', '3'] } },
  { price: { _eq: '10.5000' } },
  { price: { _gt: '9.999' } },
  { price: { _lte: '1.05e1' } },
  { price: { _gt: '-100' } },
  { sold: { _eq: '9007199254740993' } },
  { sold: { _gt: '9007199254740992' } },
  { inPrint: { _eq: false } },
  { inPrint: { _neq: false } },
  { inPrint: { _is_null: false } },
  { title: { _eq: 'beta' } },
  { title: { _neq: 'beta' } },
  { title: { _in: ['beta', 'delta'] } },
  ...['100%', '%', '\\', '"', 'A', 'é'].flatMap((text) =>
    ['_contains', '_icontains', '_startswith', '_istartswith', '_endswith', '_iendswith'].map((name) => ({
      title: { [name]: text },
    })),
  ),
  { title: { _istartswith: 'BE' } },
  { title: { _startswith: 'BE' } },
  { title: { _endswith: 'ta' } },
  { subtitle: { _contains: '_' } },
  { title: { _like: '%ta' } },
  { title: { _like: '_eta' } },
  { title: { _like: 'Alpha 100\\%' } },
  { title: { _like: 'B%' } },
  { title: { _ilike: 'B%' } },
  { title: { _nlike: 'b%' } },
  { title: { _nilike: 'B%' } },
  { subtitle: { _nlike: 'b%' } },
  { title: { _regex: '^b.*a$' } },
  { title: { _regex: '^B' } },
  { title: { _iregex: '^B' } },
  { title: { _nregex: '^b' } },
  { title: { _niregex: '^B' } },
  { printedOn: { _eq: '2024-02-29' } },
  { printedOn: { _gt: '2023-12-31' } },
  { printedOn: { _year: 2024 } },
  { printedOn: { _month: 2 } },
  { printedOn: { _day: 31 } },
  { printedOn: { _dow: 0 } },
  { addedAt: { _eq: '2024-03-05T13:00:00+01:00' } },
  { addedAt: { _lt: '2024-01-01T00:00:00Z' } },
  { addedAt: { _in: ['2024-03-05T12:00:00.000Z'] } },
  { addedAt: { _year: 2023 } },
  { addedAt: { _dow: 2 } },
  { soldAt: { _eq: '2024-01-01T10:00:00.123Z' } },
  { soldAt: { _gt: '2024-01-01T10:00:00Z' } },
  { opens: { _eq: '08:30:00' } },
  { opens: { _lt: '09:00' } },
  { genre: { _eq: 'SF' } },
  { genre: { _in: ['CRIME'] } },
  { mood: { _neq: 'calm' } },
  { owner: { _eq: 'ann' } },
  { tags: { _eq: ['red', 'blue'] } },
  { tags: { _eq: ['blue', 'red'] } },
  { tags: { _neq: ['red', 'blue'] } },
  { tags: { _contains: ['blue'] } },
  { tags: { _contained_in: ['blue'] } },
  { tags: { _has_any: ['blue', 'green'] } },
  { tags: { _has_all: ['blue', 'red'] } },
  { tags: { _has_all: [] } },
  { tags: { _is_empty: true } },
  { tags: { _is_empty: false } },
  { tags: { _is_null: true } },
  { tags: { _len_eq: 2 } },
  { tags: { _len_neq: 2 } },
  { tags: { _len_gt: 0 } },
  { tags: { _len_gte: 1 } },
  { tags: { _len_lt: 1 } },
  { tags: { _len_lte: 1 } },
  { ratings: { _eq: [1, 2, 3] } },
  { ratings: { _contains: [3] } },
  { ratings: { _contained_in: [3, 4] } },
  { ratings: { _has_any: [2, 9] } },
  { moments: { _contains: ['2024-06-01T12:00:00Z'] } },
  { extra: { _eq: { b: { c: [1, 2] }, a: 1 } } },
  { extra: { _neq: { a: null } } },
  { extra: { _contains: { b: { c: [2] } } } },
  { extra: { _contains: [1] } },
  { extra: { _contains: 2 } },
  { extra: { _strictly_contains: { a: null } } },
  { extra: { _strictly_contains: { a: 1 } } },
  { extra: { _contained_in: [1, 2, 3] } },
  { extra: { _has_key: 'b' } },
  { extra: { _has_keys_any: ['b', 'z'] } },
  { extra: { _has_keys_all: ['a', 'b'] } },
  { extra: { _is_null: true } },
  { extra: { _is_not_null: true } },
  { shelf: { label: { _eq: 'Shelf 1' } } },
  { _not: { shelf: { label: { _eq: 'Shelf 1' } } } },
  { _or: [{ pages: { _eq: 250 } }, { title: { _eq: 'delta' } }] },
  { _and: [{ pages: { _eq: 100 } }, { _not: { title: { _eq: 'delta' } } }] },
]

/** Filters over shelves, and over shelves that are documents. */
const SHELF_FILTERS: readonly object[] = [
  { books: { some: { title: { _eq: 'beta' } } } },
  { books: { none: { title: { _eq: 'beta' } } } },
  { books: { every: { pages: { _gte: 100 } } } },
]
const DOC_FILTERS: readonly object[] = [
  { id: { _eq: SHELF(2).toUpperCase() } },
  { label: { _contains: '2' } },
  { size: { _gt: 10 } },
  { price: { _eq: '12.5' } },
  { big: { _eq: '9007199254740993' } },
  { kind: { _eq: 'FIRST' } },
  { createdAt: { _year: 2024 } },
  { numbers: { _contains: [3] } },
  { names: { _has_any: ['Shelf 2'] } },
  { note: { _is_null: true } },
  { keeper: { age: { _gt: 41 } } },
  { _not: { keeper: { age: { _gt: 41 } } } },
  { labels: { some: { rank: { _eq: 2 } } } },
  { labels: { every: { rank: { _eq: 1 } } } },
  { labels: { none: { text: { _eq: 'L1' } } } },
  { books: { some: { inPrint: { _eq: false } } } },
]

await eachLibrary(t, 'reads as PostgreSQL does', async (t, library) => {
  const theirs = await openWorld(t, { kind: 'pglite', url: await createPglite(t, { sql: LIBRARY_SQL }) }, LIBRARY)
  const ours = await worldOn(await open(t, { library, sql: SQLITE_LIBRARY }), LIBRARY)
  const same = async (query: string, variables = {}, [a, b]: readonly PlanWorld[] = [theirs, ours]): Promise<void> => {
    t.strictSame(
      await b!.run(query, variables),
      await a!.run(query, variables),
      `${query} ${JSON.stringify(variables)}`,
    )
  }
  for (const query of READS) await same(query)
  const paged = await Promise.all([theirs, ours].map((world) => worldOn(world.database, PAGED)))
  for (const query of PAGES) await same(query, {}, paged)
  const over = async (field: string, type: string, key: string, filters: readonly object[]): Promise<void> => {
    for (const where of filters) {
      await same(`query($where: ${type}WhereInput) { ${field}(where: $where) { ${key} } }`, { where })
    }
  }
  await over('books', 'Book', 'title', FILTERS)
  await over('shelves', 'Shelf', 'label', SHELF_FILTERS)
  await over('shelfDocs', 'ShelfDoc', 'label', DOC_FILTERS)

  await t.test('interfaces and unions, whose rows come in any order', async (t) => {
    for (const query of [
      '{ rows: things { __typename id name ... on ThingBook { pages } ... on ThingShelf { label } } }',
      '{ rows: anything { __typename ... on ThingBook { name pages } ... on ThingShelf { name label } } }',
    ]) {
      const [expected, found] = await Promise.all([theirs, ours].map((world) => world.run(query)))
      const sorted = (rows: readonly object[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort()
      t.equal(found.rows.length, 7)
      t.strictSame(sorted(found.rows), sorted(expected.rows))
    }
  })

  await t.test('numbers in a list of JSON keep their digits', async (t) => {
    const exact = await open(t, {
      library,
      sql: `CREATE TABLE sum (id INTEGER PRIMARY KEY, parts JSON TEXT);
        INSERT INTO sum VALUES (1, '[9.990, 123456789012345678901234567890.12345679, -7, 18446744073709551616, "1.50"]'), (2, '[9.99]');`,
    })
    const sums = await worldOn(
      exact,
      tableSchema(
        { name: 'Sum', sql_source: 'sum', fields: { id: 'ID!', parts: '[Decimal!]' } },
        {
          queries: [
            { name: 'sums', type: '[Sum!]!', sql_source: 'sum', arguments: [{ name: 'parts', type: '[Decimal!]' }] },
          ],
        },
      ),
    )
    const digits = ['9.990', '123456789012345678901234567890.12345679', '-7', '18446744073709551616', '1.50']
    t.strictSame((await sums.run('{ sums(limit: 1) { parts } }')).sums[0].parts, digits)
    const ids = async (args: string): Promise<readonly { id: string }[]> =>
      (await sums.run(`{ sums(${args}) { id } }`)).sums
    t.equal((await ids('where: { parts: { _contains: ["9.99"] } }')).length, 2)
    t.strictSame(await ids('where: { parts: { _contains: ["123456789012345678901234567890.12345679"] } }'), [
      { id: '1' },
    ])
    t.strictSame(await ids('where: { parts: { _contains: ["123456789012345678901234567890.12345678"] } }'), [])
    t.strictSame(await ids('parts: ["9.99"]'), [{ id: '2' }], 'the whole of a list')
  })

  await t.test('pages by a key that is not proven unique, both ways', async (t) => {
    const walk = async (forward: boolean): Promise<string[]> => {
      const [size, from] = forward ? ['first: 1', 'after'] : ['last: 1', 'before']
      const titles: string[] = []
      for (let cursor: string | null = null; ; ) {
        const query = `query($c: String) { bookPages(${size}, ${from}: $c) {
          pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { title } } } }`
        const { bookPages } = await ours.run(query, { c: cursor })
        titles.push(bookPages.edges[0].node.title.split(' ')[0])
        cursor = bookPages.pageInfo.endCursor
        if (!(forward ? bookPages.pageInfo.hasNextPage : bookPages.pageInfo.hasPreviousPage)) return titles
      }
    }
    t.strictSame(await walk(true), ['Alpha', 'beta', 'Gamma', 'delta'])
    t.strictSame(await walk(false), ['delta', 'Gamma', 'beta', 'Alpha'])
  })

  await t.test('a list that is longer than max_rows is an error', async (t) => {
    const bounded = await worldOn(ours.database, LIBRARY, 3)
    await t.rejects(bounded.run('{ books { id } }'), { code: 'VALIDATION_ERROR', message: /"books" has more rows/ })
    const narrow = await worldOn(ours.database, LIBRARY, 1)
    await t.rejects(narrow.run('{ shelves(limit: 1) { books { id } } }'), { message: /"shelves.books" has more rows/ })
    await t.rejects(narrow.run('{ shelfDocs(limit: 1) { labels { text } } }'), { message: /"shelfDocs.labels"/ })
    t.equal((await bounded.run('{ shelves { id } }')).shelves.length, 3, 'exactly max_rows is fine')
  })

  await t.test('an unsupported feature is neither advertised nor half run', async (t) => {
    const { fields } = ours.model.types.get('Book') as ObjectType
    const names = filterOperators.ofField(fields.get('title')!).map(({ name }) => name)
    t.ok(names.includes('_iregex'))
    t.notOk(names.includes('_websearch_query'), 'there is no full-text search over a column')
    await t.rejects(ours.run('{ books(where: { title: { _regex: "a**" } }) { id } }'), { code: 'BAD_USER_INPUT' })
  })

  await t.test('a column of JSON that holds none is an error of the data', async (t) => {
    await ours.database.script("UPDATE tb_book SET extra = 'none' WHERE pk_book = 4")
    const error = await ours.run('{ books { extra } }').catch((caught: Error) => caught)
    const failure = ours.database.dialect.errors.readStored(error.cause, 'v_book', ['Book.extra'])
    t.match(failure, { code: 'INTERNAL_SERVER_ERROR', message: 'A value that is stored in "v_book" cannot be read.' })
    t.equal((await ours.run('{ books { title } }')).books.length, 4)
  })
})
