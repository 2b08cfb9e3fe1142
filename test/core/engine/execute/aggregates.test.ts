import t from 'tap'
import type { Database } from '../../../../core/doors/plugin.ts'
import { describePlan } from '../../../../core/engine/plan/describe-plan.ts'
import { planRead } from '../../../../core/engine/plan/plan-read.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { authOf, type ExecuteWorld, executeWorldOn } from '../../../helpers/execute-world.ts'
import { BOOK, LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { SQLITE_LIBRARY } from '../../../plugins/sqlite/library.ts'
import { eachLibrary, open } from '../../../plugins/sqlite/open-sqlite.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'
import { periods, VISIT, VISITS } from './aggregate-periods.ts'

/** Numbers at the ends of their types. */
const SALES = `
CREATE TABLE tb_sale (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, n INTEGER, big BIGINT, ratio DOUBLE PRECISION);
INSERT INTO tb_sale VALUES (1, 'a', 2147483647, 9223372036854775807, 0.5), (2, 'a', 2147483647, 9223372036854775807, 0.25),
  (3, 'b', -5, 1, 1e308), (4, 'b', NULL, NULL, 1e308), (5, 'c', 1, 0, 3);
`
const SALE = tableSchema(
  {
    name: 'Sale',
    sql_source: 'tb_sale',
    list: 'sales',
    aggregate: { sum: ['n', 'big', 'ratio'], min: [], group_by: ['kind'] },
    fields: { id: 'ID!', kind: 'String!', n: 'Int', big: 'BigInt', ratio: 'Float' },
  },
  { queries: [{ name: 'plain_sales', type: '[Sale!]!', sql_source: 'tb_sale', aggregate: false }] },
)
const COUNTED = extendSchema(
  {
    ...LIBRARY,
    types: (LIBRARY.types ?? []).map((type) => (type.name === 'ShelfDoc' ? { ...type, aggregate: true } : type)),
    interfaces: (LIBRARY.interfaces ?? []).map((one) => ({ ...one, aggregate: true })),
  },
  SALE,
  tableSchema({ ...VISIT, list: 'visits' }),
)

async function suite(t: TestLike, database: Database): Promise<void> {
  const world = await executeWorldOn(database, COUNTED)
  await numbers(t, world)
  await groups(t, world)
  await related(t, world)
  // proves: type.aggregate interface.aggregate
  await t.test('groups by periods of days and times; numbers about the rows of an interface', (t) => periods(t, world))
  await refusals(t, world, database)
}

async function numbers(t: TestLike, world: ExecuteWorld): Promise<void> {
  // proves: type.aggregate
  await t.test('numbers about all rows, beside other roots, in one statement', async (t) => {
    world.log.length = 0
    const { data, errors } = await world.run(`{
      all: booksAggregate {
        __typename count
        countDistinct { genre id }
        sum { pages sold price }
        avg { pages price }
        min { price title printedOn }
        max { price addedAt }
      }
      few: booksAggregate(inPrint: true, where: { pages: { _gte: 1 } }) { count sum { n: pages } }
      books(limit: 1) { title }
    }`)
    t.strictSame(errors, [])
    t.strictSame(data, {
      all: {
        __typename: 'BookAggregate',
        count: 4,
        countDistinct: { genre: 2, id: 4 },
        sum: { pages: '450', sold: '9007199254740999', price: '113.49' },
        avg: { pages: '150', price: '37.83' },
        min: { price: '3.00', title: 'Alpha 100%', printedOn: '2023-12-31' },
        max: { price: '99.99', addedAt: '2025-01-01T00:00:00+00:00' },
      },
      few: { count: 2, sum: { n: '200' } },
      books: [{ title: 'Alpha 100%' }],
    })
    t.equal(world.log.length, 1)
  })

  await t.test('of no rows there are no numbers', async (t) => {
    const { data, errors } = await world.run(`{
      booksAggregate(where: { title: { _eq: "none" } }) { count countDistinct { genre } sum { pages } avg { weight } max { title } }
      booksGroups(groupBy: [genre], where: { title: { _eq: "none" } }) { count }
    }`)
    t.strictSame(errors, [])
    t.strictSame(data, {
      booksAggregate: {
        count: 0,
        countDistinct: { genre: 0 },
        sum: { pages: null },
        avg: { weight: null },
        max: { title: null },
      },
      booksGroups: [],
    })
  })

  await t.test('nothing is lost at the ends of the types', async (t) => {
    const { data, errors } = await world.run('{ salesAggregate { sum { n big } avg { big } max { n big } } }')
    t.strictSame(errors, [])
    t.match(data.salesAggregate, {
      sum: { n: '4294967290', big: '18446744073709551615' },
      avg: { big: '4611686018427387903.75' },
      max: { n: 2147483647, big: '9223372036854775807' },
    })
    const wide = await world.run('{ salesAggregate(where: { id: { _in: [3, 4] } }) { count sum { ratio } } }')
    t.equal(wide.data?.salesAggregate?.sum?.ratio ?? null, null, 'a float that is none is null')
    t.equal(wide.errors.length, 1, 'and told so')
  })

  await t.test('the rules of the query hold', async (t) => {
    const mine = (auth: Parameters<ExecuteWorld['run']>[2]) =>
      world.run('{ myBooksAggregate { count } myBooksGroups(groupBy: [title]) { keys { title } } }', {}, auth)
    const ann = await mine(authOf({ sub: 'ann' }))
    t.strictSame(ann.data, {
      myBooksAggregate: { count: 2 },
      myBooksGroups: [{ keys: { title: 'Alpha 100%' } }, { keys: { title: 'Gamma "quoted" \\\\ é' } }],
    })
    t.strictSame((await mine(authOf({ sub: 'eve' }))).data, { myBooksAggregate: { count: 0 }, myBooksGroups: [] })
    const nobody = await mine(null)
    t.strictSame(nobody.data, { myBooksAggregate: null, myBooksGroups: null })
  })
}

async function groups(t: TestLike, world: ExecuteWorld): Promise<void> {
  await t.test('groups by enums, dates, truth values and nulls', async (t) => {
    const { data, errors } = await world.run(`{
      genres: booksGroups(groupBy: [genre]) { __typename keys { __typename g: genre } count sum { sold } }
      days: booksGroups(groupBy: [printedOn, inPrint], orderBy: [{ keys: { printedOn: DESC_NULLS_LAST } }], limit: 3) {
        keys { inPrint printedOn }
      }
    }`)
    t.strictSame(errors, [])
    const of = (genre: string | null, count: number, sold: string) => ({
      __typename: 'BookGroup',
      keys: { __typename: 'BookGroupKeys', g: genre },
      count,
      sum: { sold },
    })
    t.strictSame(data, {
      genres: [of('CRIME', 1, '5'), of('SF', 2, '9007199254740994'), of(null, 1, '0')],
      days: [
        { keys: { inPrint: true, printedOn: '2024-03-03' } },
        { keys: { inPrint: true, printedOn: '2024-02-29' } },
        { keys: { inPrint: false, printedOn: '2023-12-31' } },
      ],
    })
  })

  const document = `query ($by: [BookGroupBy!]!, $having: BookHavingInput, $order: [BookGroupOrderByInput!], $limit: Int, $skip: Boolean = false) {
    booksGroups(groupBy: $by, having: $having, orderBy: $order, limit: $limit) { keys { genre @skip(if: $skip) } count }
  }`
  const genres = async (variables: object) => {
    const { data, errors } = await world.run(document, { by: ['genre'], ...variables })
    if (errors.length > 0) throw errors[0]
    return data.booksGroups.map(
      (group: { keys: { genre: string }; count: number }) => `${group.keys.genre} ${group.count}`,
    )
  }

  await t.test('variables decide what is grouped, shown and sorted', async (t) => {
    t.strictSame(await genres({}), ['CRIME 1', 'SF 2', 'null 1'])
    t.strictSame(await genres({ order: [{ count: 'DESC' }, { keys: { genre: 'ASC_NULLS_FIRST' } }] }), [
      'SF 2',
      'null 1',
      'CRIME 1',
    ])
    t.strictSame(await genres({ order: { max: { price: 'ASC' } } }), ['CRIME 1', 'SF 2', 'null 1'])
    t.strictSame(await genres({ order: { max: { price: 'DESC_NULLS_LAST' } }, limit: 1 }), ['SF 2'])
    t.strictSame(await genres({ having: { count: { _gt: 1 } } }), ['SF 2'])
    t.strictSame(await genres({ having: { count: { _gt: 0, _lt: 2 }, sum: { sold: { _gte: '5' } } } }), ['CRIME 1'])
    t.strictSame(await genres({ having: {} }), ['CRIME 1', 'SF 2', 'null 1'])
    t.strictSame(await genres({ having: { _or: [{ count: { _eq: 2 } }, { avg: { price: { _lt: '4' } } }] } }), [
      'CRIME 1',
      'SF 2',
    ])
    t.strictSame(await genres({ having: { _or: [] } }), [])
    t.strictSame(await genres({ having: { _not: { max: { title: { _eq: 'beta' } } } } }), ['SF 2', 'null 1'])
    t.strictSame(await genres({ having: { _not: {} } }), [])
    t.strictSame(await genres({ having: { _and: [{ max: { addedAt: { _gt: '2024-06-01T00:00:00Z' } } }] } }), ['SF 2'])
    t.strictSame(await genres({ having: { countDistinct: { owner: { _eq: 2 } } } }), ['SF 2'])
    t.strictSame(await genres({ having: { min: { printedOn: { _lte: '2023-12-31' } } } }), ['CRIME 1'])
    t.equal((await genres({ by: ['genre', 'title'] })).length, 4)
    const other = await world.run(document, { by: ['inPrint'], skip: true })
    t.strictSame(
      other.data.booksGroups,
      [
        { keys: {}, count: 1 },
        { keys: {}, count: 3 },
      ].map(({ count }) => ({ keys: {}, count })),
    )
  })

  await t.test('conditions on groups nest 32 levels deep', async (t) => {
    const nested = (levels: number): object => (levels === 0 ? { count: { _gt: 1 } } : { _not: nested(levels - 1) })
    t.strictSame(await genres({ having: nested(32) }), ['SF 2'])
    await t.rejects(genres({ having: nested(33) }), { code: 'VALIDATION_ERROR', message: /nested 32 levels deep/ })
  })

  await t.test('over documents', async (t) => {
    const { data, errors } = await world.run(`{
      shelfDocsAggregate { count sum { size big price } max { createdAt } }
      shelfDocsGroups(groupBy: [kind], having: { sum: { size: { _gt: 5 } } }) { keys { kind } count }
    }`)
    t.strictSame(errors, [])
    t.strictSame(data, {
      shelfDocsAggregate: {
        count: 3,
        sum: { size: '60', big: '27021597764222979', price: '37.50' },
        max: { createdAt: '2024-05-06T07:08:09+00:00' },
      },
      shelfDocsGroups: [{ keys: { kind: 'FIRST' }, count: 3 }],
    })
  })

  await t.test('lists with a count and connections have them too', async (t) => {
    const { data, errors } = await world.run(`{
      countedBooksAggregate { count } bookPagesAggregate(where: { pages: { _eq: 100 } }) { count }
      countedBooks { totalCount }
    }`)
    t.strictSame(errors, [])
    t.strictSame(data, {
      countedBooksAggregate: { count: 4 },
      bookPagesAggregate: { count: 2 },
      countedBooks: { totalCount: 4 },
    })
  })
}

async function related(t: TestLike, world: ExecuteWorld): Promise<void> {
  await t.test('about related rows, in the same statement', async (t) => {
    world.log.length = 0
    const { data, errors } = await world.run(
      `query ($least: Int) { shelves(orderBy: [{ label: ASC }]) {
        label
        booksAggregate { count sum { sold } avg { price } }
        cheap: booksAggregate(where: { price: { _lt: "5" } }) { count }
        booksGroups(groupBy: [inPrint, genre], having: { count: { _gte: $least } }, orderBy: [{ keys: { inPrint: DESC } }]) {
          keys { inPrint genre } count max { title }
        }
        books { title shelf { booksAggregate { count } } }
      } }`,
      { least: 1 },
    )
    t.strictSame(errors, [])
    t.equal(world.log.length, 1)
    t.strictSame(data.shelves, [
      {
        label: 'Shelf 1',
        booksAggregate: { count: 2, sum: { sold: '9007199254740998' }, avg: { price: '6.75' } },
        cheap: { count: 1 },
        booksGroups: [
          { keys: { inPrint: true, genre: 'SF' }, count: 1, max: { title: 'Alpha 100%' } },
          { keys: { inPrint: false, genre: 'CRIME' }, count: 1, max: { title: 'beta' } },
        ],
        books: [
          { title: 'Alpha 100%', shelf: { booksAggregate: { count: 2 } } },
          { title: 'beta', shelf: { booksAggregate: { count: 2 } } },
        ],
      },
      {
        label: 'Shelf 2',
        booksAggregate: { count: 1, sum: { sold: '0' }, avg: { price: null } },
        cheap: { count: 0 },
        booksGroups: [{ keys: { inPrint: true, genre: null }, count: 1, max: { title: 'Gamma "quoted" \\\\ é' } }],
        books: [{ title: 'Gamma "quoted" \\\\ é', shelf: { booksAggregate: { count: 1 } } }],
      },
      {
        label: 'Shelf 3',
        booksAggregate: { count: 0, sum: { sold: null }, avg: { price: null } },
        cheap: { count: 0 },
        booksGroups: [],
        books: [],
      },
    ])
  })

  await t.test('of documents, and where there is no parent', async (t) => {
    const { data, errors } = await world.run(`{
      shelfDoc(label: "Shelf 1") { booksAggregate { count } booksGroups(groupBy: [mood], limit: 1) { keys { mood } } }
      books(where: { id: { _in: ["${BOOK.delta}", "${BOOK.gamma}"] } }) { title shelf { booksAggregate { count } } }
    }`)
    t.strictSame(errors, [])
    t.strictSame(data, {
      shelfDoc: { booksAggregate: { count: 2 }, booksGroups: [{ keys: { mood: 'calm' } }] },
      books: [
        { title: 'Gamma "quoted" \\\\ é', shelf: { booksAggregate: { count: 1 } } },
        { title: 'delta', shelf: null },
      ],
    })
  })

  await t.test('in the rows of a stream', async (t) => {
    const document =
      '{ shelves { label booksAggregate { count } groups: booksGroups(groupBy: [genre]) { keys { genre } } } }'
    for (const [form, wanted] of [
      ['rows', '{"label":"Shelf 2","booksAggregate":{"count":1},"groups":[{"keys":{"genre":null}}]}'],
      ['columns', ['Shelf 2', '{"count":1}', '[{"keys":{"genre":null}}]']],
    ] as const) {
      const { stream } = await world.resolve({ ...world.operation(document), form })
      const rows: unknown[] = []
      for await (const batch of stream!) rows.push(...batch)
      t.equal(rows.length, 3)
      const second = rows[1]
      if (typeof second === 'string') t.strictSame(JSON.parse(second), JSON.parse(wanted as string), form)
      else t.strictSame((second as string[]).map(withoutSpaces), wanted, form)
    }
  })
}

const withoutSpaces = (text: string): string => (/^[[{]/.test(text) ? JSON.stringify(JSON.parse(text)) : text)

async function refusals(t: TestLike, world: ExecuteWorld, database: Database): Promise<void> {
  // proves: query.aggregate
  await t.test('an unsupported aggregate is refused by name', async (t) => {
    const invalid: readonly (readonly [string, RegExp])[] = [
      [
        '{ booksGroups(groupBy: [gender]) { count } }',
        /Value "gender" does not exist in "BookGroupBy" enum. Did you mean.*"genre"/,
      ],
      ['{ booksGroups(groupBy: [extra]) { count } }', /"extra" does not exist/],
      ['{ booksGroups { count } }', /"groupBy" of type "\[BookGroupBy!\]!" is required/],
      ['{ booksAggregate { sum { title } } }', /Cannot query field "title" on type "BookAggregateSum"/],
      ['{ booksAggregate { max { genre } } }', /Cannot query field "genre"/],
      ['{ booksAggregate { total } }', /Cannot query field "total"/],
      ['{ booksAggregate }', /must have a selection/],
      ['{ booksAggregate(limit: 1) { count } }', /Unknown argument "limit"/],
      [
        '{ booksGroups(groupBy: [genre], having: { sum: { price: { _like: "1" } } }) { count } }',
        /"_like" is not defined/,
      ],
      ['{ booksGroups(groupBy: [genre], having: { sum: { price: { _gt: "NaN" } } }) { count } }', /Decimal/],
      ['{ booksGroups(groupBy: [genre], having: { sum: { pages: { _gt: 1.5 } } }) { count } }', /BigInt/],
      ['{ booksGroups(groupBy: [genre], orderBy: [{ count: ASC, sum: { price: ASC } }]) { count } }', /one|exactly/i],
      ['{ shelvesAggregate { count } }', /Cannot query field "shelvesAggregate"/],
      ['{ bookAggregate { count } }', /Cannot query field "bookAggregate"/],
      ['{ plainSalesAggregate { count } }', /Cannot query field "plainSalesAggregate"/],
      ['{ plainSalesGroups(groupBy: [kind]) { count } }', /Cannot query field "plainSalesGroups"/],
      ['{ salesAggregate { min { n } } }', /Cannot query field "min"/],
      ['{ salesGroups(groupBy: [n]) { count } }', /"n" does not exist in "SaleGroupBy"/],
    ]
    for (const [document, message] of invalid) {
      try {
        const { errors } = await world.run(document)
        t.match(errors[0]?.message, message, document)
      } catch (error) {
        const { errors = [error] } = error as { errors?: readonly unknown[] }
        t.match((errors[0] as Error).message, message, document)
      }
    }
    const refused: readonly (readonly [string, object, RegExp, string])[] = [
      ['{ booksGroups(groupBy: []) { count } }', {}, /one field at least/, 'BAD_USER_INPUT'],
      [
        '{ booksGroups(groupBy: [genre]) { keys { title } } }',
        {},
        /"title" is not one of the fields of groupBy/,
        'VALIDATION_ERROR',
      ],
      [
        '{ booksGroups(groupBy: [genre], orderBy: [{ keys: { title: ASC } }]) { count } }',
        {},
        /"title" is not one of/,
        'VALIDATION_ERROR',
      ],
      ['{ booksGroups(groupBy: [genre], limit: -1) { count } }', {}, /-1 is negative/, 'BAD_USER_INPUT'],
      ['{ booksGroups(groupBy: [genre], offset: -1) { count } }', {}, /-1 is negative/, 'BAD_USER_INPUT'],
      [
        '{ booksGroups(groupBy: [genre], limit: 1000000) { count } }',
        {},
        /more than the 1000 rows/,
        'VALIDATION_ERROR',
      ],
      [
        '{ booksGroups(groupBy: [genre], having: { count: { _gt: null } }) { count } }',
        {},
        /null is no condition on groups/,
        'BAD_USER_INPUT',
      ],
      [
        'query ($n: Int) { booksGroups(groupBy: [genre], having: { count: { _gt: $n } }) { count } }',
        { n: null },
        /null is no condition on groups/,
        'BAD_USER_INPUT',
      ],
      ...[
        { count: null },
        { sum: null },
        { sum: { sold: null } },
        { _and: null },
        { _or: null },
        { _not: null },
        { _not: { count: null } },
      ].map((having): [string, object, RegExp, string] => [
        'query ($h: BookHavingInput) { booksGroups(groupBy: [genre], having: $h) { count } }',
        { h: having },
        /"having\.\S+" of "booksGroups": null is no condition on groups/,
        'BAD_USER_INPUT',
      ]),
      [
        'query ($by: [BookGroupBy!]!) { booksGroups(groupBy: $by) { keys { genre } } }',
        { by: ['title'] },
        /"genre" is not one of the fields of groupBy/,
        'VALIDATION_ERROR',
      ],
    ]
    for (const [document, variables, message, code] of refused) {
      const { data, errors } = await world.run(document, variables as Record<string, unknown>)
      t.match(errors, [{ code, message, path: ['booksGroups'] }], document)
      t.strictSame(data, { booksGroups: null })
    }
  })

  await t.test('svc.max_rows bounds groups, at a root and per parent', async (t) => {
    const few = await executeWorldOn(database, COUNTED, { maxRows: 3 })
    const many = await few.run('{ booksGroups(groupBy: [id]) { count } }')
    t.match(many.errors, [
      {
        code: 'VALIDATION_ERROR',
        message: /"booksGroups" has more rows than a list may have. Pass a limit/,
        path: ['booksGroups'],
      },
    ])
    t.equal((await few.run('{ booksGroups(groupBy: [id], limit: 3) { count } }')).data.booksGroups.length, 3)
    const one = await executeWorldOn(database, COUNTED, { maxRows: 1 })
    const nested = await one.run(
      '{ shelf(id: "00000000-0000-4000-8000-000000000001") { booksGroups(groupBy: [id]) { count } } }',
    )
    t.match(nested.errors, [{ code: 'VALIDATION_ERROR', message: /booksGroups/ }])
  })

  await t.test('a plan says what it computes', async (t) => {
    const operation = world.operation(
      '{ shelves { booksGroups(groupBy: [genre], having: { _not: { count: { _gt: 1 } } }) { sum { sold } } } }',
    )
    t.equal(
      describePlan(planRead(operation, world.model, { maxRows: 10 })).replaceAll(/#\d+/g, '#'),
      [
        'shelves: list v_shelf # order #.pk_shelf ASC at most 10 limit 11'.replace(
          ' at most 10 limit 11',
          ' limit 11 at most 10',
        ),
        '  booksGroups: aggregate v_book # tied #.fk_shelf = #.pk_shelf limit 11 at most 10',
        '    by #.genre',
        '    sum of #.sold',
        '    count of rows',
        '    having not (count of rows _gt ?)',
        '    order by #.genre ASC',
      ].join('\n'),
    )
  })
}

await eachDatabase(t, async (t, test) => suite(t, await openTestDatabase(t, test)), {
  sql: `${LIBRARY_SQL}${SALES}${VISITS}`,
})
await eachLibrary(t, 'sqlite', async (t, library) =>
  suite(t, await open(t, { library, sql: `${SQLITE_LIBRARY}${SALES}${VISITS}` })),
)
