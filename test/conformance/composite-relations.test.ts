import t from 'tap'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { createPostgresDatabase, eachDatabase, type TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { requireService } from '../helpers/services.ts'
import { as, testCredential } from '../helpers/test-credential.ts'
import { restPlugin } from '../plugins/rest/world.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, shop } from '../plugins/subscriptions/shop.ts'

/** Relations of several columns on the ways in beside GraphQL, and under rules about rows. */
t.setTimeout(120_000)

/** The numbers of two tenants are the same; the row of one is secret. */
const TABLES = `
CREATE TABLE orders (tenant text NOT NULL, number integer NOT NULL, title text NOT NULL, secret boolean NOT NULL, PRIMARY KEY (tenant, number));
CREATE TABLE tb_line (id integer PRIMARY KEY, tenant text, number integer, sku text NOT NULL);
CREATE VIEW v_order AS SELECT tenant, number, title, secret FROM orders;
CREATE VIEW v_line AS SELECT id AS pk_line, id, tenant, number, sku FROM tb_line;
INSERT INTO orders VALUES ('ann', 7, 'ann 7', false), ('ann', 8, 'ann 8', true), ('bob', 7, 'bob 7', false), ('bob', 8, 'bob 8', false);
INSERT INTO tb_line VALUES (1, 'ann', 7, 'a'), (2, 'ann', 8, 'b'), (3, 'bob', 7, 'c'), (4, NULL, 7, 'd'), (5, 'bob', 8, 'e');
`
const BOTH = ['tenant', 'number'] as const
const ID = { name: 'id', type: 'ID!' }

function schemaOf(rules: object = {}): AuthoredSchema {
  return {
    version: '1',
    types: [
      {
        name: 'Order',
        sql_source: 'v_order',
        key: BOTH,
        aggregate: true,
        fields: [
          { name: 'title', type: 'String!' },
          { name: 'lines', type: '[Line!]!' },
        ],
        ...rules,
      },
      {
        name: 'Line',
        sql_source: 'v_line',
        relay: true,
        fields: [
          ID,
          { name: 'sku', type: 'String!' },
          { name: 'order', type: 'Order', relation: { from: BOTH, to: BOTH } },
        ],
      },
    ],
    queries: [
      { name: 'orders', type: '[Order!]!', sql_source: 'v_order', rest_path: '/orders' },
      { name: 'lines', type: '[Line!]!', sql_source: 'v_line', rest_path: '/lines' },
      { name: 'line', type: 'Line', sql_source: 'v_line', rest_path: '/lines/{id}', arguments: [ID] },
    ] as never,
  }
}

type Line = { readonly sku: string; readonly order: { readonly title: string } | null }
const shown = (lines: readonly Line[]): string =>
  lines.map(({ sku, order }) => `${sku} ${order?.title ?? '-'}`).join(', ')

await eachDatabase(
  t,
  async (t, database: TestDatabase) => {
    await t.test('REST embeds, counts and filters by them', async (t) => {
      const app = await openApp(t, database, schemaOf(), { plugins: [restPlugin()] })
      const get = async (path: string) => {
        const answer = await app.inject({ method: 'GET', url: `/rest/v1${path}` })
        t.equal(answer.status, 200, `${path}: ${answer.text}`)
        return answer.json() as { readonly data: never }
      }
      t.equal(
        shown((await get('/lines?select=sku,order(title)&sort=sku')).data),
        'a ann 7, b ann 8, c bob 7, d -, e bob 8',
      )
      t.strictSame((await get('/lines/3?select=sku,order(title)')).data, { sku: 'c', order: { title: 'bob 7' } })
      t.strictSame((await get('/orders?select=title,lines(sku),lines.count&sort=title&limit=3')).data, [
        { title: 'ann 7', lines: [{ sku: 'a' }], linesCount: 1 },
        { title: 'ann 8', lines: [{ sku: 'b' }], linesCount: 1 },
        { title: 'bob 7', lines: [{ sku: 'c' }], linesCount: 1 },
      ])
      const filter = encodeURIComponent(JSON.stringify({ order: { title: { _eq: 'bob 7' } } }))
      t.equal(shown((await get(`/lines?select=sku,order(title)&filter=${filter}`)).data), 'c bob 7')
    })

    await t.test('rules about the rows of the other side hold', async (t) => {
      const rules = { inject: { tenant: 'jwt:sub' }, row_filter: 'NOT secret' }
      const app = await openApp(t, database, schemaOf(rules), { plugins: [restPlugin(), testCredential()] })
      const ask = async (query: string) => {
        const { data, errors } = await app.graphql(query, {}, as({ subject: 'ann' }))
        t.equal(errors, undefined, query)
        return data
      }
      const lines = '{ lines(orderBy: [{ sku: ASC }]) { sku order { title } } }'
      t.equal(
        shown((await ask(lines)).lines),
        'a ann 7, b -, c -, d -, e -',
        'a secret row, and those of another tenant',
      )
      const rest = await app.inject({
        method: 'GET',
        url: '/rest/v1/lines?select=sku,order(title)&sort=sku',
        headers: as({ subject: 'bob' }),
      })
      t.equal(shown((rest.json() as { readonly data: readonly Line[] }).data), 'a -, b -, c bob 7, d -, e bob 8')
      const found = await ask('{ lines(where: { order: { title: { _ilike: "%" } } }) { sku } }')
      t.strictSame(found.lines, [{ sku: 'a' }], 'a filter finds nothing through what may not be seen')
      const page = await ask('{ node: lines(limit: 1, orderBy: [{ sku: DESC }]) { order { lines { sku } } } }')
      t.strictSame(page.node, [{ order: null }])
    })
  },
  { pglite: 'always', sql: TABLES, sqlite: { sql: TABLES }, mysql: { sql: TABLES.replaceAll('text', 'varchar(100)') } },
)

await t.test('a subscription shows them, under the rules of the other side', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${SHOP_SQL}
    CREATE TABLE grades (customer text, status text, title text NOT NULL, owner text NOT NULL, PRIMARY KEY (customer, status));
    CREATE VIEW v_grade AS SELECT * FROM grades;
    INSERT INTO grades VALUES ('ann', 'new', 'ann new', 'ann'), ('bob', 'new', 'bob new', 'ann'), ('bob', 'paid', 'bob paid', 'bob');`
  const url = await createPostgresDatabase(t, { sql })
  const base = shop([CHANGED])
  const key = ['customer', 'status']
  const types = base.types!.map((type) =>
    type.name !== 'Order'
      ? type
      : { ...type, fields: [...type.fields, { name: 'grade', type: 'Grade', relation: { from: key, to: key } }] },
  )
  const grade = {
    name: 'Grade',
    sql_source: 'v_grade',
    inject: { owner: 'jwt:sub' },
    fields: [{ name: 'title', type: 'String!' }],
  }
  const open = await openShop(t, { kind: 'postgres', url }, { ...base, types: [...types, grade] } as AuthoredSchema)
  const query = 'subscription { orderChanged { customer status grade { title } } }'
  const ann = await listen(connect(t, open, { Authorization: 'Bearer ann' }), open, query)
  const bob = await listen(connect(t, open, { Authorization: 'Bearer bob' }), open, query)
  const id = await open.place('bob')
  await ann.wait(1)
  await bob.wait(1)
  await open.set(id, 'paid')
  const titles = (results: readonly { data: { orderChanged: { grade: { title: string } | null } } }[]) =>
    results.map(({ data }) => data.orderChanged.grade?.title ?? null)
  t.strictSame(titles(await ann.wait(2)), ['bob new', null])
  t.strictSame(titles(await bob.wait(2)), [null, 'bob paid'])
})
