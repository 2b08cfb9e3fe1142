import t from 'tap'
import { type CompileOptions, compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'

const id = { name: 'id', type: 'ID!' }
const SQLITE = { name: 'sqlite', operators: new Set(['eq']), cursorTypes: new Set(['int8']), describeCall: null }
const databases: CompileOptions['databases'] = new Map([
  ['crm', { dialect: SQLITE }],
  ['stock', {}],
])

function faults(more: Loose): readonly string[] {
  const schema = {
    types: [
      { name: 'Product', sql_source: 'v_product', fields: [id] },
      { name: 'Customer', sql_source: 'v_customer', database: 'crm', fields: [id] },
      ...((more.types as object[]) ?? []),
    ],
    ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== 'types')),
  }
  return faultsOf(schema, { databases })
}

// proves: error.unknown-database
t.test('a database that svc.toml does not have', (t) => {
  t.same(faults({ types: [{ name: 'Level', database: 'stok', sql_source: 'v_level', fields: [id], ...at(4) }] }), [
    '4:3 unknown-database: Type "Level": there is no section [databases.stok] in svc.toml. Did you mean "stock"?',
  ])
  t.match(faultsOf({ mutations: [{ name: 'go', type: 'Boolean', database: 'crm', ...at(2) }] }), [
    '2:3 unknown-database: Mutation "go": there is no section [databases.crm] in svc.toml. There are none.',
  ])
  t.end()
})

// proves: error.across-databases
t.test('a relation into another database', (t) => {
  const customer = {
    name: 'customer',
    type: 'Customer',
    relation: { from: 'fk_customer', to: 'pk_customer' },
    ...at(7),
  }
  t.same(faults({ types: [{ name: 'Order', sql_source: 'v_order', fields: [id, customer] }] }), [
    '7:3 across-databases: Order.customer: Order is of the default database, and Customer of the database "crm". Relations do not reach from one database into another: mark the field computed, or give both types the same `database`.',
  ])
  const own = { name: 'Order', sql_source: 'v_order', database: 'crm', fields: [id, customer] }
  t.same(faults({ types: [own] }), [], 'within one it does')
  t.same(faults({ types: [{ ...own, database: 'stock', fields: [id, { ...customer, computed: true }] }] }).length, 1)
  t.end()
})

t.test('a result of another database', (t) => {
  t.same(faults({ queries: [{ name: 'customers', type: '[Customer!]!', database: 'stock', ...at(9) }] }), [
    '9:3 across-databases: Query "customers" is of the database "stock", and Customer, whose rows it gives, of the database "crm". One statement reads one database: give both the same `database`.',
  ])
  t.match(faults({ mutations: [{ name: 'add', type: 'Product', database: 'crm' }] }), [
    /across-databases: Mutation "add"/,
  ])
  t.match(faults({ queries: [{ name: 'customers', type: '[Customer!]!', database: 'default' }] }), [
    /across-databases: Query "customers" is of the default database/,
  ])
  t.match(
    faults({
      unions: [{ name: 'Any', members: ['Product', 'Customer'] }],
      queries: [{ name: 'any', type: '[Any!]!', sql_source: 'v_any' }],
    }),
    [/across-databases: Query "any".*Customer/],
  )
  t.end()
})

t.test('changes of another database are not told', (t) => {
  const actions = [{ type: 'log' }]
  t.match(faults({ observers: [{ name: 'watch', entity: 'Customer', event: 'INSERT', actions }] }), [
    /across-databases: Observer "watch": Customer is of the database "crm"/,
  ])
  t.match(faults({ subscriptions: [{ name: 'customer_changed', type: 'Customer!' }] }), [
    /across-databases: Subscription "customer_changed"/,
  ])
  t.match(faults({ subscriptions: [{ name: 'product_changed', type: 'Product!', database: 'crm' }] }), [
    /across-databases: Subscription "product_changed"/,
  ])
  t.end()
})

t.test('names, dialects and what is inferred', (t) => {
  const schema: AuthoredSchema = {
    version: '1',
    types: [
      { name: 'Product', sql_source: 'v_item', fields: [{ name: 'id', type: 'ID!' }] },
      { name: 'Item', fields: [{ name: 'id', type: 'ID!' }] },
    ],
    queries: [
      { name: 'products', type: '[Product!]!' },
      { name: 'items', type: '[Item!]!', database: 'stock', sql_source: 'sales.v_item', additional_views: ['v_more'] },
    ],
    mutations: [
      { name: 'add_item', type: 'Item', invalidates: ['v_item', 'default:v_item'] },
      { name: 'ping', type: 'Boolean', sql_source: 'fn_ping', database: 'stock' },
    ],
  }
  const { compiled, faults: found } = compileSchema(schema, { catalog: null, databases })
  t.same(found, [])
  t.match(compiled, {
    databases: { stock: { dialect: 'postgres' } },
    sources: {
      v_item: { name: 'v_item' },
      'stock:sales.v_item': { database: 'stock', schema: 'sales', name: 'v_item' },
    },
    functions: {
      'stock:fn_add_item': { database: 'stock', name: 'fn_add_item' },
      'stock:fn_ping': { database: 'stock' },
    },
  })
  t.same(compiled?.databases, { stock: { dialect: 'postgres' } }, 'of those that something is read from')
  t.equal(compiled?.sources.v_item?.database, undefined)
  t.same(compiled?.queries[1]?.additional_views, ['stock:v_more'])
  t.same(compiled?.mutations[0]?.invalidates, ['stock:v_item', 'v_item'])
  t.notOk(compiled?.lacking_operators?.includes('eq'))
  t.ok((compiled?.lacking_operators?.length ?? 0) > 20, 'offered is what all have')
  t.end()
})

t.test('what one of them cannot do is refused of its own', (t) => {
  const mutation = { name: 'ping', type: 'Boolean', sql_source: 'fn_ping' }
  t.match(faults({ mutations: [{ ...mutation, database: 'crm' }] }), [/write-result: Mutation "ping".*"sqlite"/])
  t.same(faults({ mutations: [{ ...mutation, database: 'stock' }] }), [])
  t.end()
})
