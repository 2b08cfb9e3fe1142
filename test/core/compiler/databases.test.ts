import t from 'tap'
import { type CompileOptions, compileSchema } from '../../../core/compiler/compile.ts'
import type { Catalog } from '../../../core/contract/database.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'

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

t.test('a relation into another database', (t) => {
  const customer = {
    name: 'customer',
    type: 'Customer',
    relation: { from: 'fk_customer', to: 'pk_customer' },
    ...at(7),
  }
  const own = { name: 'Order', sql_source: 'v_order', fields: [id, customer] }
  const schema: AuthoredSchema = {
    version: '1',
    types: [own, { name: 'Customer', sql_source: 'v_customer', database: 'crm', fields: [id] }],
    queries: [{ name: 'orders', type: '[Order!]!' }],
  }
  const { compiled, faults: found } = compileSchema(schema, { owned: OWNED_KEYS, catalog: null, databases })
  t.same(found, [])
  t.match(compiled?.types[0]?.fields[1]?.read, { from: 'relation', target: 'crm:v_customer', across: true })
  t.same(faults({ types: [own] }), [])
  t.same(faults({ types: [{ ...own, fields: [id, { ...customer, filterable: true }] }] }), [
    '7:3 across-databases: Order.customer: Customer is of the database "crm", and rows of the default database are not chosen by it. Drop `filterable`.',
  ])
  t.end()
})

// proves: error.relation-key
t.test('the columns of a relation into another database', (t) => {
  const column = (name: string, type: string, unique = false) => ({ name, type, notNull: false, unique })
  const relation = (kind: 'view' | 'table', name: string, columns: readonly ReturnType<typeof column>[]) =>
    ({ schema: 'main', name, kind, columns, primaryKey: ['id'] }) as const
  const catalog: Catalog = {
    relations: new Map([
      [
        'v_order',
        relation('view', 'v_order', [column('id', 'int4'), column('fk_customer', 'uuid'), column('day', 'date')]),
      ],
      [
        'crm:tb_customer',
        relation('table', 'tb_customer', [
          column('id', 'int8', true),
          column('pk_customer', 'text', true),
          column('name', 'text'),
          column('day', 'date'),
        ]),
      ],
    ]),
    functions: new Map(),
    allRelations: [],
    allFunctions: [],
  }
  const found = (field: Loose): readonly string[] =>
    compileSchema(
      {
        version: '1',
        types: [
          { name: 'Order', sql_source: 'v_order', fields: [id, { name: 'customer', ...at(7), ...field }] },
          { name: 'Customer', sql_source: 'tb_customer', database: 'crm', fields: [id] },
        ],
        queries: [{ name: 'orders', type: '[Order!]!' }],
      } as unknown as AuthoredSchema,
      { owned: OWNED_KEYS, catalog, databases },
    ).faults.map(({ id: fault, message }) => `${fault}: ${message}`)
  t.same(found({ type: 'Customer' }), [], 'a UUID may be a text where the other database has no UUIDs')
  t.same(found({ type: 'Customer', relation: { from: 'fk_customer', to: 'id' } }), [
    'relation-type: Order.customer: relation: v_order.fk_customer of the default database is uuid and tb_customer.id of the database "crm" is int8. Between databases keys are integers, decimals, texts or UUIDs, on both sides the same; a UUID may be a text.',
  ])
  t.match(found({ type: 'Customer', relation: { from: 'day', to: 'day' } }), [/^relation-type/], 'has many texts')
  t.same(found({ type: 'Customer', relation: { from: 'fk_customer', to: 'name' } }), [
    'relation-key: Order.customer: there is to be one Customer for a key, and nothing keeps two rows of the table tb_customer of the database "crm" from having the same name. Add a UNIQUE constraint, or make the field a list.',
  ])
  t.same(found({ type: '[Customer!]!', relation: { from: 'fk_customer', to: 'name' } }), [])
  t.match(found({ type: 'Customer', relation: { from: 'fk_client', to: 'id' } }), [
    /^unknown-column: Order.customer: relation: v_order has no column "fk_client"/,
  ])
  t.match(found({ type: 'Customer', relation: { from: 'id', to: 'pk_client' } }), [
    /^unknown-column: .*tb_customer has no column "pk_client"/,
  ])
  t.end()
})

// proves: error.across-databases
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

t.test('changes of another database are not reported', (t) => {
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
  const { compiled, faults: found } = compileSchema(schema, { owned: OWNED_KEYS, catalog: null, databases })
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

t.test('a feature that one database lacks is refused for its operations', (t) => {
  const mutation = { name: 'ping', type: 'Boolean', sql_source: 'fn_ping' }
  t.match(faults({ mutations: [{ ...mutation, database: 'crm' }] }), [/write-result: Mutation "ping".*"sqlite"/])
  t.same(faults({ mutations: [{ ...mutation, database: 'stock' }] }), [])
  t.end()
})
