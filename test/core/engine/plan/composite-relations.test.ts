import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { faultsOf } from '../../../helpers/compile-faults.ts'
import { eachDatabase, type TestDatabase } from '../../../helpers/databases.ts'
import { fakeCatalog } from '../../../helpers/fake-catalog.ts'
import { openApp } from '../../../helpers/open-app.ts'

/** Two tenants with orders of the same numbers; a line of which half of the key is NULL belongs to no order. */
const TABLES = `
CREATE TABLE orders (tenant_id integer NOT NULL, order_id integer NOT NULL, title text NOT NULL, PRIMARY KEY (tenant_id, order_id));
CREATE TABLE lines (id integer PRIMARY KEY, tenant_id integer, order_id integer, sku text NOT NULL, qty integer NOT NULL);
CREATE VIEW v_order AS SELECT tenant_id, order_id, title FROM orders;
CREATE VIEW v_line AS SELECT id AS pk_line, id, tenant_id, order_id, sku, qty FROM lines;
INSERT INTO orders VALUES (1, 7, 'one seven'), (1, 8, 'one eight'), (2, 7, 'two seven');
INSERT INTO lines VALUES (1, 1, 7, 'a', 1), (2, 1, 7, 'b', 2), (3, 1, 8, 'c', 3), (4, 2, 7, 'd', 4), (5, NULL, 7, 'e', 5), (6, 2, 8, 'f', 6);
`
const RELATION = { from: ['tenant_id', 'order_id'], to: ['tenant_id', 'order_id'] } as const
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Order',
      sql_source: 'v_order',
      key: ['tenant_id', 'order_id'],
      fields: [
        { name: 'tenant_id', type: 'Int!' },
        { name: 'order_id', type: 'Int!' },
        { name: 'title', type: 'String!' },
        { name: 'lines', type: '[Line!]!' },
      ],
    },
    {
      name: 'Line',
      sql_source: 'v_line',
      relay: true,
      aggregate: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'sku', type: 'String!' },
        { name: 'qty', type: 'Int!' },
        { name: 'order', type: 'Order', relation: RELATION },
      ],
    },
  ],
  queries: [
    { name: 'orders', type: '[Order!]!', sql_source: 'v_order' },
    { name: 'lines', type: '[Line!]!', sql_source: 'v_line' },
    { name: 'line_pages', type: '[Line!]!', sql_source: 'v_line', relay: true },
  ],
}

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    const app = await openApp(t, database, SCHEMA)
    const read = async (query: string) => {
      const { data, errors } = await app.graphql(query)
      t.equal(errors, undefined, query)
      return data
    }

    const { lines } = await read('{ lines(orderBy: [{ qty: ASC }]) { sku order { title } } }')
    const titles = (lines as { order: { title: string } | null }[]).map(({ order }) => order?.title ?? null)
    t.strictSame(titles, ['one seven', 'one seven', 'one eight', 'two seven', null, null], 'to one')

    const many = '{ orders(orderBy: [{ title: ASC }]) { title lines(orderBy: [{ qty: DESC }]) { sku } } }'
    t.strictSame((await read(many)).orders, [
      { title: 'one eight', lines: [{ sku: 'c' }] },
      { title: 'one seven', lines: [{ sku: 'b' }, { sku: 'a' }] },
      { title: 'two seven', lines: [{ sku: 'd' }] },
    ])
    const first = '{ orders(orderBy: [{ title: ASC }]) { lines(limit: 1, orderBy: [{ qty: DESC }]) { sku } } }'
    t.strictSame((await read(first)).orders, [
      { lines: [{ sku: 'c' }] },
      { lines: [{ sku: 'b' }] },
      { lines: [{ sku: 'd' }] },
    ])

    const by = async (where: string) =>
      ((await read(`{ lines(where: ${where}, orderBy: [{ qty: ASC }]) { sku } }`)).lines as { sku: string }[])
        .map(({ sku }) => sku)
        .join('')
    t.equal(await by('{ order: { title: { _eq: "two seven" } } }'), 'd', 'a filter across it')
    t.equal(await by('{ order: { title: { _ilike: "%seven%" } } }'), 'abd')
    const some = async (where: string) =>
      ((await read(`{ orders(where: ${where}, orderBy: [{ title: ASC }]) { title } }`)).orders as { title: string }[])
        .map(({ title }) => title)
        .join(', ')
    t.equal(await some('{ lines: { some: { sku: { _eq: "d" } } } }'), 'two seven')
    t.equal(await some('{ lines: { every: { qty: { _lt: 4 } } } }'), 'one eight, one seven')
    t.equal(await some('{ lines: { none: { sku: { _in: ["e", "f", "c"] } } } }'), 'one seven, two seven')

    const counted = '{ orders(orderBy: [{ title: ASC }]) { linesAggregate { count sum { qty } } } }'
    t.strictSame((await read(counted)).orders, [
      { linesAggregate: { count: 1, sum: { qty: '3' } } },
      { linesAggregate: { count: 2, sum: { qty: '3' } } },
      { linesAggregate: { count: 1, sum: { qty: '4' } } },
    ])

    const pages: string[] = []
    let after = ''
    for (;;) {
      const { linePages } = await read(
        `{ linePages(first: 2${after}) { edges { node { sku order { title } } } pageInfo { hasNextPage endCursor } } }`,
      )
      const { edges, pageInfo } = linePages as {
        edges: { node: { sku: string; order: { title: string } | null } }[]
        pageInfo: { hasNextPage: boolean; endCursor: string }
      }
      pages.push(edges.map(({ node }) => `${node.sku} ${node.order?.title ?? '-'}`).join(', '))
      if (!pageInfo.hasNextPage) break
      after = `, after: ${JSON.stringify(pageInfo.endCursor)}`
    }
    t.strictSame(pages, ['a one seven, b one seven', 'c one eight, d two seven', 'e -, f -'])
  },
  { sql: TABLES, sqlite: { sql: TABLES } },
)

// proves: error.relation-columns
t.test('both sides name as many columns, each once, and they can be equal', async (t) => {
  const catalog = fakeCatalog({
    v_order: { tenant_id: 'int4', order_id: 'int4', title: 'text' },
    v_line: { pk_line: 'int4', id: 'int4', tenant_id: 'int4', order_id: 'int4', sku: 'text', qty: 'int4' },
  })
  const refusals = (relation: unknown): readonly string[] => {
    const [order, line] = SCHEMA.types!
    const fields = line!.fields.map((field) => (field.name === 'order' ? { ...field, relation } : field))
    const alone = { ...order!, fields: order!.fields.filter(({ name }) => name !== 'lines') }
    return faultsOf({ ...SCHEMA, types: [alone, { ...line!, fields }] }, { catalog })
  }
  const to = ['tenant_id', 'order_id']
  t.strictSame(refusals({ from: to, to }), [])
  t.strictSame(refusals({ from: 'order_id', to: ['order_id'] }), [], 'a list of one is one')
  t.match(refusals({ from: to, to: 'order_id' }), [
    /relation-columns: Line\.order: relation: from has 2 columns \(tenant_id, order_id\) and to has 1 \(order_id\)\. Give each its partner/,
  ])
  t.match(refusals({ from: ['order_id', 'order_id'], to }), [/relation-columns: .*"order_id" stands twice in one list/])
  t.match(refusals({ from: ['tenant', 'order_id'], to }), [/v_line has no column "tenant"\./])
  t.match(refusals({ from: to, to: ['tenant_id', 'order'] }), [/v_order has no column "order"\./])
  t.match(refusals({ from: ['tenant_id', 'sku'], to }), [
    /relation-type: .*v_line\.sku is text and v_order\.order_id is int4; they cannot be equal/,
  ])
  t.not(refusals({ from: [], to: [] }).length, 0, 'a key has a column')
})
