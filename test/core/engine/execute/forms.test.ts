import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import type { ExecuteWorld } from '../../../helpers/execute-world.ts'
import { executeWorldOn, openExecuteWorld } from '../../../helpers/execute-world.ts'
import { compareForms, drainColumns, drainRows } from '../../../helpers/forms.ts'
import { BOOK, LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { SQLITE_LIBRARY } from '../../../plugins/sqlite/library.ts'
import { eachLibrary, open } from '../../../plugins/sqlite/open-sqlite.ts'

const ALL = `id title subtitle pages weight price sold inPrint printedOn soldAt addedAt opens tags ratings moments extra
  genre mood owner`
const SHELF_DOC = `id label note createdAt size price big kind numbers names keeper { name age } labels { text rank }`

const LISTS = [
  `{ books(orderBy: [{ title: ASC }]) { ${ALL} __typename } }`,
  `{ books(orderBy: [{ title: DESC }]) { b: title again: title a: id shelf { label books { id } } } }`,
  '{ books(limit: 2, offset: 1, orderBy: [{ id: ASC }]) { id } }',
  '{ books(where: { pages: { _eq: 100 } }, orderBy: [{ id: ASC }]) { id pages } }',
  '{ books(where: { pages: { _eq: 12345 } }) { id } }',
  '{ shelves(orderBy: [{ id: ASC }]) { id label note books { title } } }',
  `{ shelfDocs(orderBy: [{ id: ASC }]) { ${SHELF_DOC} books { title } __typename } }`,
  '{ things { id name __typename ... on ThingBook { pages } ... on ThingShelf { label } } }',
  '{ anything { __typename ... on ThingBook { pages } } }',
  '{ countedBooks(orderBy: [{ id: ASC }]) { items { id title __typename } } }',
]

async function suite(t: TestLike, world: ExecuteWorld): Promise<void> {
  await t.test('the items of a list, row by row and as columns', async (t) => {
    for (const document of LISTS) await compareForms(world, document)
    t.pass(`${LISTS.length} lists`)
  })

  await t.test('columns have names, canonical types and texts', async (t) => {
    const operation = world.operation(
      `{ books(where: { id: { _eq: "${BOOK.alpha}" } }) { ${ALL} kind: __typename shelf { label } } }`,
    )
    const { rows, columns } = await drainColumns(await world.resolve({ ...operation, form: 'columns' }))
    t.strictSame(
      columns.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '' : '!'}`),
      'id text!|title text!|subtitle text|pages int4|weight float8|price numeric|sold int8!|inPrint bool!|printedOn date|soldAt timestamptz|addedAt timestamptz!|opens time|tags json|ratings json|moments json|extra json|genre text|mood text|owner text|kind text!|shelf json'.split(
        '|',
      ),
    )
    t.equal(rows.length, 1)
    const values = Object.fromEntries(columns.map(({ name }, i) => [name, rows[0]![i]]))
    t.match(values, {
      id: BOOK.alpha,
      title: 'Alpha 100%',
      pages: '100',
      price: '10.50',
      sold: '9007199254740993',
      inPrint: 'true',
      printedOn: '2024-02-29',
      addedAt: '2023-12-31T22:00:00+00:00',
      genre: /^SF$/,
      kind: 'Book',
    })
    t.strictSame(JSON.parse(values.tags!), ['red', 'blue'])
    t.strictSame(JSON.parse(values.shelf!), { label: 'Shelf 1' })
  })

  await t.test('streams have no limit of rows', async (t) => {
    const few = await executeWorldOn(world.database, world.authored, { maxRows: 2 })
    const all = few.operation('{ books { id } }')
    t.equal((await few.resolve(all)).errors?.[0]?.code, 'VALIDATION_ERROR', 'a list has one')
    t.equal((await drainRows(await few.resolve({ ...all, form: 'rows' }))).rows.length, 4)
    const limited = few.operation('query ($n: Int) { books(limit: $n) { id } }', { n: 3 })
    t.equal((await drainRows(await few.resolve({ ...limited, form: 'rows' }))).rows.length, 3)
    const inner = few.operation('{ shelves { books { id } } }')
    const lessInner = await executeWorldOn(world.database, world.authored, { maxRows: 1 })
    const result = await lessInner.resolve({ ...inner, form: 'rows' })
    t.match(result.errors, [{ code: 'VALIDATION_ERROR', path: ['shelves'] }], 'lists in a row keep theirs')
  })

  await t.test('a root that cannot be streamed is refused by name', async (t) => {
    for (const [document, message] of [
      ['{ books { id } b: books { id } }', /one root/],
      [`{ book(id: "${BOOK.alpha}") { id } }`, /one root/],
      ['{ __typename }', /one root/],
      ['{ countedBooks { totalCount items { id } } }', /items alone/],
      ['{ bookPages { totalCount } }', /cursors/],
    ] as const) {
      const refused = Promise.resolve().then(() => world.resolve({ ...world.operation(document), form: 'rows' }))
      await t.rejects(refused, { code: 'REQUEST_ERROR', message }, document)
    }
  })
}

await eachDatabase(
  t,
  async (t, database) => {
    await suite(t, await openExecuteWorld(t, database, LIBRARY))
  },
  { sql: LIBRARY_SQL },
)

await eachLibrary(t, 'sqlite', async (t, library) => {
  await suite(t, await executeWorldOn(await open(t, { library, sql: SQLITE_LIBRARY }), LIBRARY))
})
