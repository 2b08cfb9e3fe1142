import t from 'tap'
import type { AggregateField, AggregateRoot } from '../../../../core/contract/aggregate-of.ts'
import type { RowsRoot } from '../../../../core/contract/operation.ts'
import type { AggregateFunction } from '../../../../core/doors/driver.ts'
import type { ArgumentNode, ValueNode } from '../../../../core/doors/front.ts'
import type {
  AccessControl,
  Exchange,
  FieldModel,
  ObjectSelection,
  ObjectType,
  Operation,
  QueryModel,
  RootSelection,
} from '../../../../core/doors/plugin.ts'
import { describePlan } from '../../../../core/engine/plan/describe-plan.ts'
import { planRead } from '../../../../core/engine/plan/plan-read.ts'
import { createOperationRunner } from '../../../../core/service/lifecycle/run-operation.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { authOf, type ExecuteWorld, executeWorldOn, openExecuteWorld } from '../../../helpers/execute-world.ts'
import { BOOK, LIBRARY, LIBRARY_SQL, SHELF } from '../../../helpers/library.ts'
import type { TestLike } from '../../../helpers/services.ts'
import { SQLITE_LIBRARY } from '../../../plugins/sqlite/library.ts'
import { eachLibrary, open } from '../../../plugins/sqlite/open-sqlite.ts'

const constant = (value: unknown): ValueNode => ({ kind: 'constant', value })
const argument = (name: string, value: unknown): ArgumentNode => ({ name, value: constant(value) })
const keysVariable: ValueNode = {
  kind: 'variable',
  name: 'keys',
  type: { kind: 'list', nullable: false, of: { kind: 'named', name: 'ID', nullable: false } },
}

function toolsOf(world: ExecuteWorld) {
  const query = (name: string): QueryModel => world.model.queries.get(name)!
  const type = (name: string): ObjectType => world.model.types.get(name) as ObjectType
  const field = (name: string, of = 'Book'): FieldModel => type(of).fields.get(name)!
  const operationOf = (roots: readonly RootSelection[], variables: Operation['variables'] = {}): Operation => {
    const { template } = world.operation('{ __typename }')
    return { template: { ...template, roots }, variables }
  }
  /** What a query selects of its rows. */
  const selectionOf = (document: string): ObjectSelection => {
    const [root] = world.operation(document).template.roots
    return (root as { selection: ObjectSelection }).selection
  }
  const rows = (more: Partial<RowsRoot> = {}): RowsRoot => ({
    kind: 'rows',
    responseKey: 'rows',
    type: type('Book'),
    keys: keysVariable,
    selection: selectionOf('{ books { title } }'),
    location: null,
    ...more,
  })
  const aggregate = (fields: readonly AggregateField[], more: Partial<AggregateRoot> = {}): AggregateRoot => ({
    kind: 'aggregate',
    responseKey: 'numbers',
    operation: query('books'),
    arguments: [],
    groupBy: null,
    fields,
    having: [],
    orderBy: [],
    location: null,
    ...more,
  })
  const run = async (roots: readonly RootSelection[], variables: Operation['variables'] = {}, auth = authOf({})) => {
    const { data, errors } = await world.resolve(operationOf(roots, variables), { auth })
    return { data: data === null ? null : JSON.parse(data), errors }
  }
  return { query, type, field, operationOf, selectionOf, rows, aggregate, run }
}

async function rowsSuite(t: TestLike, world: ExecuteWorld): Promise<void> {
  const { rows, run, query, type, selectionOf, operationOf } = toolsOf(world)

  await t.test('rows by keys: in their order, null for each that is not there', async (t) => {
    const keys = [BOOK.delta, SHELF(1), BOOK.alpha, BOOK.delta, 'no key', BOOK.beta.toUpperCase(), null]
    const { data, errors } = await run([rows()], { keys })
    t.strictSame(data, {
      rows: [{ title: 'delta' }, null, { title: 'Alpha 100%' }, { title: 'delta' }, null, { title: 'beta' }, null],
    })
    t.equal(errors, null)
    t.strictSame((await run([rows()], { keys: [] })).data, { rows: [] })
    t.match((await run([rows()], { keys: 'x' })).errors, [{ code: 'BAD_USER_INPUT', path: ['rows'] }])
  })

  await t.test('beside other roots, with relations and documents, in one statement', async (t) => {
    const shelf = rows({
      responseKey: 'docs',
      type: type('ShelfDoc'),
      keys: constant([SHELF(2), SHELF(9)]),
      selection: selectionOf('{ shelfDocs { size keeper { name } books { title } } }'),
    })
    world.log.length = 0
    const { data } = await run([rows(), shelf], { keys: [BOOK.beta] })
    t.strictSame(data, {
      rows: [{ title: 'beta' }],
      docs: [{ size: 20, keeper: { name: 'Keeper 2' }, books: [{ title: 'Gamma "quoted" \\\\ é' }] }, null],
    })
    t.equal(world.log.length, 1)
  })

  await t.test('by another field', async (t) => {
    const byLabel = rows({
      type: type('Shelf'),
      by: 'label',
      keys: constant(['Shelf 3', 'none', 'Shelf 1']),
      selection: selectionOf('{ shelves { label } }'),
    })
    t.strictSame((await run([byLabel])).data, { rows: [{ label: 'Shelf 3' }, null, { label: 'Shelf 1' }] })
    const byRelation = rows({ by: 'shelf', keys: constant(['x']) })
    t.match((await run([byRelation])).errors, [{ code: 'INTERNAL_SERVER_ERROR', message: /scalar field "shelf"/ }])
  })

  await t.test('by several fields: a key is a list of values', async (t) => {
    const byBoth = (keys: readonly unknown[], by = ['label', 'id']) =>
      rows({ type: type('Shelf'), by, keys: constant(keys as never), selection: selectionOf('{ shelves { label } }') })
    const keys = [
      ['Shelf 3', SHELF(3)],
      ['Shelf 3', SHELF(1)],
      ['Shelf 1', SHELF(1).toUpperCase()],
      ['Shelf 1', null],
      ['Shelf 1'],
      ['Shelf 1', SHELF(1), 'more'],
      'Shelf 1',
      ['Shelf 1', 'no id'],
    ]
    t.strictSame((await run([byBoth(keys)])).data, {
      rows: [{ label: 'Shelf 3' }, null, { label: 'Shelf 1' }, null, null, null, null, null],
    })
    t.strictSame((await run([byBoth([['Shelf 2']], ['label'])])).data, { rows: [{ label: 'Shelf 2' }] })
    for (const by of [[], ['label', 'books']])
      t.match((await run([byBoth([['x', 'y']], by)])).errors, [{ code: 'INTERNAL_SERVER_ERROR' }])
  })

  await t.test('a denied field is no key: what is found by it tells what it holds', async (t) => {
    const runner = createOperationRunner({
      defaultPolicy: () => {},
      authorize: (_ctx, _operation, access) => access.deny('Shelf.label'),
      resolve: null,
      innermost: (_exchange, operation) => world.resolve(operation),
    })
    const exchange = { auth: authOf({}), context: {}, generation: { schema: world.model } } as unknown as Exchange
    const byKey = (by: string | readonly string[], key: unknown) =>
      runner(
        exchange,
        operationOf([
          rows({ type: type('Shelf'), by, keys: constant([key]), selection: selectionOf('{ shelves { id } }') }),
        ]),
      )
    t.match(await byKey('label', 'Shelf 3'), { data: '{"rows":null}', errors: [{ code: 'FORBIDDEN', path: ['rows'] }] })
    t.match(await byKey(['id', 'label'], [SHELF(3), 'Shelf 3']), { errors: [{ code: 'FORBIDDEN', path: ['rows'] }] })
    t.equal((await byKey('id', SHELF(3))).errors, null)
  })

  await t.test('the rules of the query that is named hold', async (t) => {
    const mine = rows({ query: query('myBooks') })
    const keys = [BOOK.alpha, BOOK.beta, BOOK.gamma]
    const { data } = await run([mine], { keys }, authOf({ sub: 'ann' }))
    t.strictSame(data.rows, [{ title: 'Alpha 100%' }, null, { title: 'Gamma "quoted" \\\\ é' }])
    const bob = await run([mine], { keys }, authOf({ sub: 'bob' }))
    t.strictSame(bob.data.rows, [null, { title: 'beta' }, null])
    const nobody = await run([mine], { keys }, authOf({}))
    t.strictSame(nobody.data, { rows: null })
    t.equal(nobody.errors?.length, 1)
  })

  await t.test('rows of a type without a query are null', async (t) => {
    const hidden = await executeWorldOn(world.database, {
      ...LIBRARY,
      queries: LIBRARY.queries!.filter(({ type }) => !type.includes('Shelf')),
    })
    const tools = toolsOf(hidden)
    const { data } = await tools.run([
      tools.rows({
        type: tools.type('Shelf'),
        keys: constant([SHELF(1)]),
        selection: { kind: 'object', type: tools.type('Shelf'), fields: [] },
      }),
    ])
    t.strictSame(data, { rows: [null] })
  })

  await t.test('svc.max_rows bounds the keys', async (t) => {
    const few = await executeWorldOn(world.database, LIBRARY, { maxRows: 2 })
    const tools = toolsOf(few)
    t.equal((await tools.run([tools.rows()], { keys: [BOOK.alpha, BOOK.beta] })).data.rows.length, 2)
    const { errors } = await tools.run([tools.rows()], { keys: [BOOK.alpha, BOOK.beta, BOOK.delta] })
    t.match(errors, [{ code: 'VALIDATION_ERROR', message: /3 are more than the 2 rows/ }])
  })

  await t.test('the plan says so', async (t) => {
    const settings = { maxRows: 10 }
    const text = describePlan(planRead(operationOf([rows()], { keys: [] }), world.model, settings))
    t.match(text, /^rows: perKey #1\.id v_book #1 limit 1\n {2}title: #1\.title$/)
  })
}

async function aggregateSuite(t: TestLike, world: ExecuteWorld): Promise<void> {
  const { aggregate, run, field, query } = toolsOf(world)
  const measure = (name: AggregateFunction, of: string | null, key = `${name}_${of}`) =>
    ({ kind: 'measure', responseKey: key, function: name, field: of === null ? null : field(of) }) as const
  const count = measure('count', null, 'count')

  await t.test('exact numbers stay exact', async (t) => {
    const { data, errors } = await run([
      aggregate([
        count,
        measure('count', 'pages'),
        measure('sum', 'pages'),
        measure('avg', 'pages'),
        measure('min', 'pages'),
        measure('max', 'pages'),
        measure('sum', 'sold'),
        measure('max', 'sold'),
        measure('sum', 'price'),
        measure('avg', 'price'),
        measure('min', 'price'),
        measure('max', 'price'),
        measure('countDistinct', 'genre'),
        measure('min', 'title'),
        measure('max', 'printedOn'),
        measure('min', 'addedAt'),
      ]),
    ])
    t.equal(errors, null)
    t.strictSame(data.numbers, {
      count: 4,
      count_pages: 3,
      sum_pages: '450',
      avg_pages: '150',
      min_pages: 100,
      max_pages: 250,
      sum_sold: '9007199254740999',
      max_sold: '9007199254740993',
      sum_price: '113.49',
      avg_price: '37.83',
      min_price: '3.00',
      max_price: '99.99',
      countDistinct_genre: 2,
      min_title: 'Alpha 100%',
      max_printedOn: '2024-03-03',
      min_addedAt: '2023-12-31T22:00:00+00:00',
    })
  })

  await t.test('floats are numbers; nothing is null', async (t) => {
    const weights = [measure('sum', 'weight'), measure('avg', 'weight'), measure('max', 'weight')]
    const { data } = await run([aggregate(weights)])
    t.match(data.numbers, { max_weight: 2 })
    t.ok(Math.abs(data.numbers.sum_weight - 3.6) < 1e-6)
    t.ok(Math.abs(data.numbers.avg_weight - 1.2) < 1e-6)
    const none = await run([
      aggregate([count, measure('sum', 'price'), ...weights, measure('min', 'title')], {
        arguments: [argument('where', { pages: { _eq: 12345 } })],
      }),
    ])
    t.strictSame(none.data.numbers, {
      count: 0,
      sum_price: null,
      sum_weight: null,
      avg_weight: null,
      max_weight: null,
      min_title: null,
    })
  })

  await t.test('over the filter and the rules of its query', async (t) => {
    const filtered = aggregate([count, measure('sum', 'sold')], {
      arguments: [argument('where', { pages: { _eq: 100 } })],
    })
    t.strictSame((await run([filtered])).data.numbers, { count: 2, sum_sold: '9007199254740994' })
    const mine = aggregate([count], { operation: query('myBooks') })
    t.strictSame((await run([mine], {}, authOf({ sub: 'ann' }))).data.numbers, { count: 2 })
    t.strictSame((await run([mine], {}, authOf({ sub: 'eve' }))).data.numbers, { count: 0 })
    t.equal((await run([mine])).data.numbers, null, 'without the claim there is nothing')
  })

  await t.test('by groups, with conditions on them, order and page', async (t) => {
    const key = (name: string): AggregateField => ({ kind: 'key', responseKey: name, field: field(name) })
    const nested: AggregateField = { kind: 'object', responseKey: 'sum', fields: [measure('sum', 'sold', 'sold')] }
    const typename: AggregateField = { kind: 'typename', responseKey: '__typename', typeName: 'BookGroup' }
    const groups = (more: Partial<AggregateRoot> = {}) =>
      aggregate([key('genre'), count, nested, typename], { groupBy: [field('genre')], ...more })
    const { data, errors } = await run([groups()])
    t.equal(errors, null)
    const of = (genre: string | null, n: number, sold: string) => ({
      genre,
      count: n,
      sum: { sold },
      __typename: 'BookGroup',
    })
    t.strictSame(data.numbers, [of('CRIME', 1, '5'), of('SF', 2, '9007199254740994'), of(null, 1, '0')])
    const larger = await run([
      groups({
        having: [{ measure: { function: 'sum', field: field('sold') }, operator: '_gt', value: constant('0') }],
        orderBy: [{ by: { function: 'sum', field: field('sold') }, direction: 'DESC' }],
      }),
    ])
    t.strictSame(larger.data.numbers, [of('SF', 2, '9007199254740994'), of('CRIME', 1, '5')])
    const paged = await run([groups({ arguments: [argument('limit', 1), argument('offset', 1)] })])
    t.strictSame(paged.data.numbers, [of('SF', 2, '9007199254740994')])
    const several = await run([
      aggregate([key('inPrint'), key('pages'), count], {
        groupBy: [field('inPrint'), field('pages')],
        orderBy: [{ by: { key: field('pages') }, direction: 'DESC_NULLS_LAST' }],
        having: [{ measure: { function: 'count', field: null }, operator: '_gte', value: constant(1) }],
      }),
    ])
    t.strictSame(several.data.numbers, [
      { inPrint: false, pages: 250, count: 1 },
      { inPrint: true, pages: 100, count: 2 },
      { inPrint: true, pages: null, count: 1 },
    ])
    const days = await run([
      aggregate([key('printedOn'), key('addedAt'), key('id')], {
        groupBy: [field('printedOn'), field('addedAt'), field('id')],
      }),
    ])
    t.equal(days.errors, null)
    t.strictSame(days.data.numbers[0], { printedOn: '2023-12-31', addedAt: '2024-03-05T12:00:00+00:00', id: BOOK.beta })
  })

  await t.test('over documents', async (t) => {
    const size = (name: string) => field(name, 'ShelfDoc')
    const { data, errors } = await run([
      aggregate(
        [
          count,
          { kind: 'measure', responseKey: 'size', function: 'sum', field: size('size') },
          { kind: 'measure', responseKey: 'price', function: 'sum', field: size('price') },
          { kind: 'measure', responseKey: 'big', function: 'sum', field: size('big') },
          { kind: 'measure', responseKey: 'last', function: 'max', field: size('createdAt') },
        ],
        { operation: query('shelfDocs') },
      ),
      aggregate([{ kind: 'key', responseKey: 'kind', field: size('kind') }, count], {
        responseKey: 'kinds',
        operation: query('shelfDocs'),
        groupBy: [size('kind')],
      }),
    ])
    t.equal(errors, null)
    t.strictSame(data, {
      numbers: { count: 3, size: '60', price: '37.50', big: '27021597764222979', last: '2024-05-06T07:08:09+00:00' },
      kinds: [{ kind: 'FIRST', count: 3 }],
    })
  })

  await t.test('an unknown field is refused by name', async (t) => {
    for (const [fields, more, message] of [
      [[measure('sum', 'title')], {}, /no "sum" of "title"/],
      [[measure('avg', 'addedAt')], {}, /no "avg"/],
      [[measure('min', 'extra')], {}, /no "min"/],
      [[measure('max', 'genre')], {}, /no "max"/],
      [[measure('count', 'shelf')], {}, /no "count"/],
      [[measure('sum', null)], {}, /is of a field/],
      [[count], { groupBy: [field('extra')] }, /cannot be grouped/],
      [
        [{ kind: 'key', responseKey: 'x', field: field('pages') }],
        { groupBy: [field('genre')] },
        /not one of the fields/,
      ],
    ] as const) {
      const { errors } = await run([aggregate(fields as readonly AggregateField[], more)])
      t.match(errors, [{ code: 'VALIDATION_ERROR', message, path: ['numbers'] }])
    }
    const having = [
      { measure: { function: 'sum', field: field('sold') }, operator: '_gt', value: constant('x') },
    ] as const
    t.match((await run([aggregate([count], { groupBy: [field('genre')], having })])).errors, [
      { code: 'BAD_USER_INPUT' },
    ])
  })

  await t.test('a denied field is not revealed by an aggregate', async (t) => {
    const { operationOf } = toolsOf(world)
    const denying = (root: RootSelection, deny: (access: AccessControl) => void) => {
      const runner = createOperationRunner({
        defaultPolicy: () => {},
        authorize: (_ctx, _operation, access) => deny(access),
        resolve: null,
        innermost: (_exchange, operation) => world.resolve(operation),
      })
      const exchange = { auth: authOf({}), context: {}, generation: { schema: world.model } } as unknown as Exchange
      return Promise.resolve(runner(exchange, operationOf([root])))
    }
    const price = (access: AccessControl): void => access.deny('Book.price')
    const nested: AggregateField = {
      kind: 'object',
      responseKey: 'sum',
      fields: [measure('sum', 'price', 'price'), measure('sum', 'pages', 'pages')],
    }
    const masked = await denying(aggregate([count, measure('max', 'price'), nested]), price)
    t.strictSame(JSON.parse(masked.data!), {
      numbers: { count: 4, max_price: null, sum: { price: null, pages: '450' } },
    })
    t.match(masked.errors, [
      { code: 'FORBIDDEN', path: ['numbers', 'max_price'] },
      { code: 'FORBIDDEN', path: ['numbers', 'sum', 'price'] },
    ])
    const groups = await denying(aggregate([count], { groupBy: [field('price')] }), price)
    t.match(groups, { data: '{"numbers":null}', errors: [{ code: 'FORBIDDEN', path: ['numbers'] }] })
    const by = { measure: { function: 'sum', field: field('price') }, operator: '_gt', value: constant('1') } as const
    for (const more of [
      { having: [by] },
      { orderBy: [{ by: by.measure, direction: 'ASC' }] as const },
      { arguments: [argument('where', { price: { _gt: '1' } })] },
    ]) {
      const closed = await denying(aggregate([count], { groupBy: [field('genre')], ...more }), price)
      t.match(closed, { data: '{"numbers":null}', errors: [{ code: 'FORBIDDEN' }] })
    }
    const whole = await denying(aggregate([count]), (access) => access.deny('Book'))
    t.match(whole, { data: '{"numbers":null}', errors: [{ code: 'FORBIDDEN', path: ['numbers'] }] })
    const rejects = (access: AccessControl): void => access.deny('Book.price', undefined, { onDeny: 'reject' })
    await t.rejects(async () => denying(aggregate([count], { groupBy: [field('genre')], having: [by] }), rejects), {
      code: 'FORBIDDEN',
    })
    const laid = await denying(aggregate([count]), (access) => access.where('Book', { owner: { _eq: 'ann' } }))
    t.equal(laid.data, '{"numbers":{"count":2}}')
  })

  await t.test('svc.max_rows bounds groups', async (t) => {
    const few = await executeWorldOn(world.database, LIBRARY, { maxRows: 2 })
    const tools = toolsOf(few)
    const groups = tools.aggregate([{ kind: 'measure', responseKey: 'n', function: 'count', field: null }], {
      groupBy: [tools.field('genre')],
    })
    t.match((await tools.run([groups])).errors, [{ code: 'VALIDATION_ERROR', message: /Pass a limit/ }])
    t.equal((await tools.run([{ ...groups, arguments: [argument('limit', 2)] }])).data.numbers.length, 2)
  })
}

async function suite(t: TestLike, world: ExecuteWorld): Promise<void> {
  await rowsSuite(t, world)
  await aggregateSuite(t, world)
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
