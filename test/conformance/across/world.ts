import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase, createSqlite } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { type OpenAppOptions, openApp } from '../../helpers/open-app.ts'
import { SERVICES, type TestLike } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'

/** Orders, whose customers are in `crm` and whose parcels are in `stock`. */
const SHOP = `
CREATE TABLE tb_order (pk_order uuid PRIMARY KEY, id int NOT NULL UNIQUE, fk_customer int8, total numeric(10,2) NOT NULL, tenant text NOT NULL);
INSERT INTO tb_order SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, n,
  (ARRAY[1, 2, 1, NULL, 9])[n], n * 10, CASE WHEN n = 3 THEN 'b' ELSE 'a' END FROM generate_series(1, 5) n;
CREATE VIEW v_order AS SELECT * FROM tb_order;
CREATE TABLE tb_line (id int PRIMARY KEY, fk_order uuid NOT NULL, fk_customer int8 NOT NULL, name text NOT NULL);
INSERT INTO tb_line SELECT n, ('00000000-0000-0000-0000-' || lpad((1 + n % 2)::text, 12, '0'))::uuid, 1 + n % 2, 'line ' || n FROM generate_series(1, 3) n;
CREATE VIEW v_line AS SELECT * FROM tb_line;
CREATE FUNCTION fn_place_order(p_id int, p_customer int) RETURNS SETOF v_order LANGUAGE sql AS $$
  INSERT INTO tb_order VALUES (('00000000-0000-0000-0000-' || lpad(p_id::text, 12, '0'))::uuid, p_id, p_customer, 1, 'a');
  SELECT * FROM v_order WHERE id = p_id $$;
CREATE VIEW v_step AS SELECT n AS id FROM generate_series(1, 2500) n;
CREATE VIEW v_thing AS SELECT 'Order' AS kind, id, pk_order, NULL::uuid AS fk_order, fk_customer, total, NULL::text AS name FROM tb_order WHERE id < 3
  UNION ALL SELECT 'Line', id, NULL, fk_order, fk_customer, NULL, name FROM tb_line;
`
const CRM = {
  sql: `
CREATE TABLE tb_customer (id integer PRIMARY KEY, pk_customer integer NOT NULL UNIQUE, name text NOT NULL, tenant text NOT NULL, email text);
INSERT INTO tb_customer VALUES (1, 1, 'Ann', 'a', 'ann@example.org'), (2, 2, 'Bob', 'b', NULL), (3, 3, 'Cid', 'a', NULL);
CREATE VIEW v_customer AS SELECT * FROM tb_customer;
CREATE TABLE tb_mark (id integer PRIMARY KEY, label text);
INSERT INTO tb_mark WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 2400)
  SELECT n, CASE WHEN n <> 2300 THEN 'm' || n END FROM n;
`,
  scripts: {
    fn_rename_customer: `-- returns v_customer
UPDATE tb_customer SET name = :name WHERE id = :id;
SELECT * FROM v_customer WHERE id = :id;
`,
  },
}
const STOCK = `
CREATE TABLE tb_parcel (id int PRIMARY KEY, code text NOT NULL, weight int, fk_order uuid);
INSERT INTO tb_parcel SELECT n, 'p' || n, nullif(n % 3, 0), ('00000000-0000-0000-0000-' || lpad((1 + n % 2)::text, 12, '0'))::uuid FROM generate_series(1, 5) n;
CREATE VIEW v_parcel AS SELECT * FROM tb_parcel;
`

const id = { name: 'id', type: 'ID!' } as const
const toCustomer = { from: 'fk_customer', to: 'pk_customer' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Order',
      relay: true,
      implements: ['Thing'],
      fields: [
        id,
        { name: 'total', type: 'Decimal!' },
        { name: 'customer', type: 'Customer' },
        { name: 'buyer', type: 'Customer!', relation: toCustomer },
        { name: 'lines', type: '[Line!]!' },
        { name: 'parcels', type: '[Parcel!]!' },
        { name: 'mark', type: 'Mark', relation: { from: 'total', to: 'id' } },
        { name: 'client', type: 'Client', relation: toCustomer },
        { name: 'clients', type: '[Client!]!', relation: toCustomer },
        { name: 'boxes', type: '[Parcel!]', relation: { from: 'pk_order', to: 'fk_order' } },
      ],
    },
    {
      name: 'Line',
      implements: ['Thing'],
      fields: [
        id,
        { name: 'name', type: 'String!' },
        { name: 'order', type: 'Order' },
        { name: 'customer', type: 'Customer', relation: toCustomer },
      ],
    },
    {
      name: 'Customer',
      database: 'crm',
      fields: [
        id,
        { name: 'name', type: 'String!' },
        { name: 'email', type: 'String!' },
        { name: 'orders', type: '[Order!]!' },
      ],
    },
    {
      // The same rows, to whom they belong.
      name: 'Client',
      database: 'crm',
      sql_source: 'v_customer',
      inject: { tenant: 'jwt:tenant' },
      fields: [
        id,
        { name: 'name', type: 'String!' },
        { name: 'email', type: 'String', requires_scope: 'mail' },
        { name: 'notes', type: '[Note!]!', relation: { from: 'id', to: 'id' } },
      ],
    },
    {
      name: 'Step',
      fields: [
        id,
        { name: 'mark', type: 'Mark', relation: { from: 'id', to: 'id' } },
        { name: 'parcel', type: 'Parcel', relation: { from: 'id', to: 'id' } },
      ],
    },
    {
      name: 'Mark',
      database: 'crm',
      sql_source: 'tb_mark',
      fields: [id, { name: 'label', type: 'String!' }],
    },
    {
      name: 'Note',
      sql_source: 'v_line',
      requires_role: 'writer',
      fields: [id, { name: 'name', type: 'String!' }],
    },
    {
      name: 'Parcel',
      database: 'stock',
      fields: [
        id,
        { name: 'code', type: 'String!' },
        { name: 'weight', type: 'Int' },
        { name: 'order', type: 'Order' },
      ],
    },
  ],
  interfaces: [{ name: 'Thing', sql_source: 'v_thing', type_column: 'kind', fields: [id] }],
  queries: [
    { name: 'orders', type: '[Order!]!', auto_params: true },
    { name: 'order', type: 'Order', arguments: [id] },
    { name: 'lines', type: '[Line!]!', auto_params: true },
    { name: 'steps', type: '[Step!]!', auto_params: true },
    { name: 'things', type: '[Thing!]!' },
    { name: 'counted_orders', type: '[Order!]!', sql_source: 'v_order', auto_params: { total_count: true } },
    { name: 'paged_orders', type: '[Order!]!', sql_source: 'v_order', relay: true },
    { name: 'customers', type: '[Customer!]!', auto_params: true },
    { name: 'parcels', type: '[Parcel!]!', auto_params: true },
  ],
  mutations: [
    {
      name: 'place_order',
      type: 'Order!',
      operation: 'CREATE',
      arguments: [id, { name: 'customer', type: 'Int' }],
    },
    {
      name: 'rename_customer',
      type: 'Customer',
      operation: 'UPDATE',
      arguments: [id, { name: 'name', type: 'String!' }],
    },
  ],
}

/** Where each statement read, in its order. */
export const counted: string[] = []
const counter = entry(
  plugin('counter', (scope) => {
    scope.observe({
      statement({ statement }, next) {
        const source = /FROM (?:"\w+"\.)?"(v_\w+)"/.exec(statement?.text ?? '')?.[1]
        if (source !== undefined) counted.push(source)
        return next()
      },
    })
  }),
)

/** The shop of three databases, each of another kind or place; `stock` can be cut off. */
export async function across(t: TestLike) {
  const url = await createPostgresDatabase(t, { sql: SHOP })
  const stock = await createPostgresDatabase(t, { sql: STOCK })
  const { host, port } = SERVICES.postgres
  const proxy = await createTcpProxy(t, host, port)
  const served = new URL(stock)
  served.host = `127.0.0.1:${proxy.port}`
  const databases = {
    crm: await createSqlite(t, CRM),
    stock: { kind: 'postgres', url: stock, served: served.href },
  } as const
  return { database: { kind: 'postgres', url }, databases, schema: SCHEMA, proxy } as const
}

export interface AcrossOptions extends OpenAppOptions {
  readonly change?: (schema: AuthoredSchema) => AuthoredSchema
}

/** The service over it, open to everybody. */
export async function openAcross(t: TestLike, { change = (schema) => schema, ...options }: AcrossOptions = {}) {
  const { database, databases, schema, proxy } = await across(t)
  const plugins = [counter, ...(options.plugins ?? [])]
  return { app: await openApp(t, database, change(schema), { ...options, plugins, databases }), proxy }
}
