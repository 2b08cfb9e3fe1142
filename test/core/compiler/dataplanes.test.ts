import t from 'tap'
import { catalogNames } from '../../../core/compiler/catalog-names.ts'
import { at, faultsOf, type Loose, warningsOf } from '../../helpers/compile-faults.ts'

const FIELDS = [{ name: 'id', type: 'ID!' }]
const SALE = { name: 'Sale', dataplane: 'arrow', sql_source: 'va_sale', fields: FIELDS, ...at(1) }
const SHOP = { name: 'Shop', sql_source: 'v_shop', fields: FIELDS, ...at(2) }
const SALES = { name: 'sales', type: '[Sale!]!', dataplane: 'arrow', ...at(3) }

/** Faults of a schema with one more of something. */
function faults(more: Loose): readonly string[] {
  return faultsOf({ version: '1', types: [SALE, SHOP], queries: [SALES], mutations: [], ...more })
}

// proves: error.dataplane
t.test('columnar queries give flat rows of one type, and nothing that belongs to other fronts', async (t) => {
  t.strictSame(faults({}), [])
  const query = (more: Loose) => faults({ queries: [SALES, { ...SALES, name: 'other', ...at(4), ...more }] })
  const one = (text: string) => [`4:3 dataplane: Query "other" is columnar (dataplane: arrow): ${text}`]
  const cases: readonly (readonly [Loose, string])[] = [
    [{ type: 'Sale' }, 'it gives rows of one type, and returns Sale. Declare it as [Sale!]! of a type.'],
    [{ cache_ttl: 5 }, 'cache_ttl is of other fronts. Drop it.'],
    [{ rest_path: '/x', rest_method: 'GET' }, 'rest_path, rest_method are of other fronts. Drop them.'],
    [{ auto_params: { total_count: true } }, 'a stream is not counted. Drop total_count.'],
    [
      { arguments: [{ name: 'columns', type: 'Int' }] },
      'the argument "columns" is what clients say the columns with. Rename it.',
    ],
  ]
  for (const [more, text] of cases) t.match(query(more), one(text), text)
  t.match(query({ relay: true }).join('\n'), /relay is of other fronts\. Drop it\./)
  t.match(query({ name: 'sales' }).join('\n'), /duplicate-name/, 'a name is one operation, on whatever plane')
})

t.test('columnar types are flat, and no other way leads to them', async (t) => {
  const type = (more: Loose) => faults({ types: [{ ...SALE, ...more }, SHOP] })
  const nested = [...FIELDS, { name: 'shop', type: 'Shop', ...at(5) }]
  t.strictSame(type({ fields: nested }), [
    '5:3 dataplane: Type "Sale" is columnar (dataplane: arrow): its rows are flat, and "shop" is an object (Shop). Give its columns fields of their own in the view.',
    ...type({ fields: nested }).slice(1),
  ])
  t.match(
    type({ aggregate: true }).join('\n'),
    /Type "Sale" is columnar \(dataplane: arrow\): aggregate is of other fronts\. Drop it\./,
  )
  const way = (what: string) =>
    new RegExp(
      `dataplane: ${what} gives Sale, which is columnar \\(dataplane: arrow\\): only an arrowQuery gives its rows\\.`,
    )
  const ways: readonly (readonly [Loose, string])[] = [
    [{ queries: [SALES, { name: 'plain', type: '[Sale!]!' }] }, 'The query "plain"'],
    [{ types: [SALE, { ...SHOP, fields: [...FIELDS, { name: 'sales', type: '[Sale!]!' }] }] }, 'The field Shop.sales'],
    [{ unions: [{ name: 'Any', members: ['Sale', 'Shop'], sql_source: 'v_any' }] }, 'The union Any'],
    [{ interfaces: [{ name: 'Kept', fields: [{ name: 'sale', type: 'Sale' }] }] }, 'The field Kept.sale'],
    [{ mutations: [{ name: 'sell', type: 'Sale', sql_source: 'fn_sell' }] }, 'The mutation "sell"'],
    [{ subscriptions: [{ name: 'sold', type: 'Sale' }] }, 'The subscription "sold"'],
    [{ subscriptions: [{ name: 'sold', type: 'Shop', entity_type: 'Sale' }] }, 'The subscription "sold"'],
  ]
  for (const [more, what] of ways) t.match(faults(more).join('\n'), way(what), what)
})

t.test('a schema with columnar queries alone has no query root', async (t) => {
  const own = { version: '1', types: [SALE], queries: [SALES], mutations: [] }
  t.match(warningsOf(own), [/no-queries: The schema has no query/])
  t.strictSame(warningsOf({ ...own, types: [SALE, SHOP], queries: [SALES, { name: 'shops', type: '[Shop!]!' }] }), [])
})

t.test('their views are looked for as va_', async (t) => {
  const { sql_source: _, ...unnamed } = SALE
  t.ok(catalogNames({ version: '1', types: [unnamed] } as never).relations.includes('va_sale'))
})
