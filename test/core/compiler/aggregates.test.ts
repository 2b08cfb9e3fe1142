import t from 'tap'
import { at, faultsOf } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const ID = { name: 'id', type: 'ID!' }
const sale = (more: object) => ({
  version: '1',
  types: [
    {
      name: 'Sale',
      sql_source: 'v_sale',
      fields: [
        ID,
        { name: 'unit_price', type: 'Decimal' },
        { name: 'country', type: 'String' },
        { name: 'tags', type: '[String!]' },
        { name: 'extra', type: 'JSON' },
        { name: 'rank', type: 'Int', computed: true },
        { name: 'shop', type: 'Shop', relation: { from: 'fk_shop', to: 'pk_shop' } },
      ],
      ...at(1),
      ...more,
    },
    { name: 'Shop', sql_source: 'v_shop', fields: [ID], ...at(9) },
  ],
  queries: [{ name: 'sales', type: '[Sale!]!', ...at(10) }],
})

// proves: error.aggregate
t.test('fields that a function cannot be of, with those that it can', async (t) => {
  const of = (aggregate: object) => faultsOf(sale({ aggregate }))
  t.strictSame(of({ sum: ['unit_price'], group_by: ['country', 'unitPrice'], min: [], count_distinct: ['id'] }), [])
  t.strictSame(of({ sum: ['unitPrise'] }), [
    '1:3 aggregate: Type "Sale": aggregate.sum names "unitPrise", which is no field. Did you mean "unit_price"? Fields that can: unit_price.',
  ])
  t.strictSame(of({ sum: ['country'], avg: ['id'] }), [
    '1:3 aggregate: Type "Sale": aggregate.sum names "country", and it cannot be added up: it is of the type String. Fields that can: unit_price.',
    '1:3 aggregate: Type "Sale": aggregate.avg names "id", and it has no average: it is of the type ID. Fields that can: unit_price.',
  ])
  t.strictSame(
    of({ group_by: ['extra', 'tags', 'shop', 'rank'] }).map((text) =>
      text.replace(/.*names /, '').replace(/ Fields.*/, ''),
    ),
    [
      '"extra", and rows cannot be grouped by it: it is of the type JSON.',
      '"tags", and rows cannot be grouped by it: it is a list of String.',
      '"shop", and rows cannot be grouped by it: it is a relation to Shop.',
      '"rank", and rows cannot be grouped by it: it is computed, and not in the database.',
    ],
  )
  t.match(of({ total: ['unit_price'] }), [/shape: .*"total"/])
})

t.test('the column has to hold what is added up', async (t) => {
  const catalog = fakeCatalog({
    v_sale: { id: 'uuid!', unit_price: 'text', country: 'text', tags: '_text', extra: 'jsonb', fk_shop: 'int8' },
    v_shop: { id: 'uuid!', pk_shop: 'int8!' },
  })
  t.match(faultsOf(sale({ aggregate: { sum: ['unit_price'] } }), { catalog }), [/column-type: .*unit_price/])
})

t.test('where there are no rows, and where it is a query that asks', async (t) => {
  t.match(
    faultsOf({ version: '1', types: [{ name: 'Line', embedded: true, aggregate: true, fields: [ID], ...at(1) }] }),
    [
      '1:3 aggregate: Type "Line" has aggregate and no view or table whose rows could be counted. Set sql_source, or drop aggregate.',
    ],
  )
  const base = sale({})
  const query = (more: object) => ({ ...base, queries: [...base.queries, { name: 'some', ...at(11), ...more }] })
  t.strictSame(faultsOf(query({ type: '[Sale!]!', aggregate: true })), [
    '11:3 aggregate: Query "some" has aggregate, and there are no numbers about [Sale!]!. Set aggregate on the type Sale.',
  ])
  t.match(faultsOf(query({ type: 'Sale', aggregate: true })), [/It belongs to lists. Drop it./])
})

t.test('names that are taken', async (t) => {
  const base = sale({ aggregate: true })
  const with_ = (more: object) => ({ ...base, ...more })
  t.match(
    faultsOf(
      with_({
        types: [
          ...base.types,
          { name: 'SaleGroup', fields: [ID], ...at(20) },
          { name: 'SaleAggregateSum', fields: [ID], ...at(21) },
        ],
        enums: [{ name: 'IntHavingInput', values: [{ name: 'A' }], ...at(22) }],
      }),
    ),
    [/20:3 generated-name: "SaleGroup" is the name of/, /21:3 generated-name/, /22:3 generated-name/],
  )
  t.match(
    faultsOf({ ...sale({}), types: [...sale({}).types, { name: 'SaleGroup', sql_source: 'v_g', fields: [ID] }] }),
    [],
  )
  const clash = [...base.queries, { name: 'sales_aggregate', type: '[Shop!]!', ...at(12) }]
  t.strictSame(faultsOf(with_({ queries: clash })), [
    '12:3 generated-name: Query "sales_aggregate" has the name of the generated numbers about "sales". Rename it, or set aggregate: false on "sales".',
  ])
  t.strictSame(faultsOf(with_({ queries: [{ ...clash[0], aggregate: false }, clash[1]] })), [])
  const argument = [{ ...base.queries[0], auto_params: false, arguments: [{ name: 'limit', type: 'Int' }] }]
  t.match(faultsOf(with_({ queries: argument })), [/10:3 argument-clash: .*"limit" is generated for the groups/])
  const shop = base.types[1]!
  const fields = [
    ID,
    { name: 'sales', type: '[Sale!]!', relation: { from: 'pk_shop', to: 'fk_shop' } },
    { name: 'sales_groups', type: 'Int', ...at(14, 5) },
  ]
  t.match(faultsOf(with_({ types: [base.types[0], { ...shop, fields }] })), [
    '14:5 generated-name: Shop: field "sales_groups" has the name of the generated groups of "sales". Rename one of them.',
  ])
})

t.test('interfaces, and periods of days and times', async (t) => {
  const seen = { name: 'seen_at', type: 'DateTime' }
  const schema = (aggregate: object | true, more: object = {}) => ({
    version: '1',
    interfaces: [{ name: 'Event', sql_source: 'v_event', aggregate, fields: [ID, seen], ...at(1), ...more }],
    types: [{ name: 'Visit', sql_source: 'v_event', implements: ['Event'], fields: [ID, seen], ...at(5) }],
    queries: [{ name: 'events', type: '[Event!]!', ...at(10) }],
  })
  t.strictSame(faultsOf(schema({ group_by: ['seen_at_month', 'seenAtHour'] })), [])
  t.match(faultsOf(schema({ group_by: ['seen_at_minute'] })), [
    /^1:3 aggregate: Interface "Event": aggregate.group_by names "seen_at_minute", which is no field/,
  ])
  t.match(faultsOf(schema({ sum: ['seen_at_month'] })), [/aggregate.sum names "seen_at_month", which is no field/])
  const taken = { ...schema(true), enums: [{ name: 'EventGroupBy', values: [{ name: 'A' }], ...at(20) }] }
  t.match(faultsOf(taken), [/^20:3 generated-name: .*a generated type for numbers about Event/])
})
