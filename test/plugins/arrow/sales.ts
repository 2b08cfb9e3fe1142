import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import arrow from '../../../plugins/arrow/index.ts'
import type { ArrowOptions } from '../../../plugins/arrow/options.ts'

/** A row of each kind of column that Arrow has a type for, its ends, and nulls. */
export const SALES_SQL = `
CREATE TABLE tb_sale (pk_sale int PRIMARY KEY, id uuid NOT NULL, customer text, amount numeric(12, 2), exact numeric, units int,
  total bigint, ratio float8, paid boolean, sold_at timestamptz, day date, hour time, tags text[], extra jsonb, region text NOT NULL, secret text);
INSERT INTO tb_sale VALUES
  (1, '00000000-0000-4000-8000-000000000001', 'Ann', 12.50, 0.000000000000000000001, 3, 9007199254740993, 0.1, true,
   '2026-01-31 12:00:00.123456+00', '2026-01-31', '08:30:00.5', '{red,blue}', '{"a": [1, null]}', 'north', 's1'),
  (2, '00000000-0000-4000-8000-000000000002', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'north', NULL),
  (3, '00000000-0000-4000-8000-000000000003', 'Žofie 🦊', -9999999999.99, 12345678901234567890.5, -2147483648, -9223372036854775808, -1e300, false,
   '1699-12-31 23:59:59.999999+00', '1600-02-29', '23:59:59.999999', '{}', '"text"', 'south', 's3'),
  (4, '00000000-0000-4000-8000-000000000004', '', 0.01, 0, 2147483647, 9223372036854775807, 5e-324, true,
   '9999-12-31 23:59:59.999999+00', '9999-12-31', '00:00:00', NULL, 'null', 'south', 's4');
CREATE VIEW va_sale AS SELECT * FROM tb_sale;
CREATE VIEW v_shop AS SELECT pk_sale, id, customer AS name, jsonb_build_object('city', region) AS address, region FROM tb_sale;
`

/** The same in a file, which knows fewer types and keeps what it is given. */
export const SALES_SQLITE = `
CREATE TABLE tb_sale (pk_sale INTEGER PRIMARY KEY, id UUID NOT NULL, customer TEXT, amount NUMERIC(12, 2), exact NUMERIC, units INT,
  total BIGINT, ratio REAL, paid BOOLEAN, sold_at TIMESTAMPTZ, day DATE, hour TIME, tags JSON, extra JSON, region TEXT NOT NULL, secret TEXT);
INSERT INTO tb_sale VALUES
  (1, '00000000-0000-4000-8000-000000000001', 'Ann', 12.50, 0.5, 3, 9007199254740993, 0.1, 1,
   '2026-01-31T12:00:00.123456Z', '2026-01-31', '08:30:00.5', '["red", "blue"]', '{"a": [1, null]}', 'north', 's1'),
  (2, '00000000-0000-4000-8000-000000000002', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'north', NULL),
  (3, '00000000-0000-4000-8000-000000000003', 'Žofie 🦊', -9999999999.99, 1.25, -2147483648, -9223372036854775808, -1e300, 0,
   '1699-12-31T23:59:59.999999Z', '1600-02-29', '23:59:59.999999', '[]', '"text"', 'south', 's3'),
  (4, '00000000-0000-4000-8000-000000000004', '', 0.01, 0, 2147483647, 9223372036854775807, 5e-324, 1,
   '9999-12-31T23:59:59.999999Z', '9999-12-31', '00:00:00', NULL, 'null', 'south', 's4');
CREATE VIEW va_sale AS SELECT * FROM tb_sale;
CREATE TABLE tb_shop (pk_sale INTEGER PRIMARY KEY, id UUID NOT NULL, name TEXT, address JSON NOT NULL, region TEXT NOT NULL);
INSERT INTO tb_shop SELECT pk_sale, id, customer, json_object('city', region), region FROM tb_sale;
CREATE VIEW v_shop AS SELECT * FROM tb_shop;
`

/** Two thousand more. */
export const MANY_SALES = `INSERT INTO tb_sale (pk_sale, id, region) SELECT n, gen_random_uuid(), 'north' FROM generate_series(10, 2009) n;`

const FIELDS = [
  { name: 'id', type: 'ID!' },
  { name: 'customer', type: 'String' },
  { name: 'amount', type: 'Decimal' },
  { name: 'exact', type: 'Decimal' },
  { name: 'units', type: 'Int' },
  { name: 'total', type: 'BigInt' },
  { name: 'ratio', type: 'Float' },
  { name: 'paid', type: 'Boolean' },
  { name: 'sold_at', type: 'DateTime' },
  { name: 'day', type: 'Date' },
  { name: 'hour', type: 'Time' },
  { name: 'tags', type: '[String!]' },
  { name: 'extra', type: 'JSON' },
  { name: 'region', type: 'Region!' },
]

export const SALES_SCHEMA: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Region',
      values: [
        { name: 'NORTH', value: 'north' },
        { name: 'SOUTH', value: 'south' },
      ],
    },
  ],
  types: [
    {
      name: 'Sale',
      dataplane: 'arrow',
      fields: [...FIELDS, { name: 'secret', type: 'String', requires_scope: 'read:secret' }],
    },
    { name: 'Address', embedded: true, fields: [{ name: 'city', type: 'String!' }] },
    {
      name: 'Shop',
      sql_source: 'v_shop',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String' },
        { name: 'address', type: 'Address!' },
        { name: 'others', type: '[Shop!]!', relation: { from: 'region', to: 'region' } },
      ],
    },
  ],
  queries: [
    {
      name: 'all_sales',
      type: '[Sale!]!',
      dataplane: 'arrow',
      sql_source: 'va_sale',
      arguments: [{ name: 'region', type: 'Region' }],
    },
    { name: 'sales_by_default', type: '[Sale!]!', dataplane: 'arrow', auto_params: false },
    {
      name: 'own_sales',
      type: '[Sale!]!',
      dataplane: 'arrow',
      sql_source: 'va_sale',
      inject: { region: 'jwt:region' },
      deprecated: '2026-03-01: use allSales',
    },
    { name: 'staff_sales', type: '[Sale!]!', dataplane: 'arrow', sql_source: 'va_sale', requires_role: 'analyst' },
    { name: 'shop_columns', type: '[Shop!]!', dataplane: 'arrow', sql_source: 'v_shop' },
    { name: 'shops', type: '[Shop!]!', sql_source: 'v_shop' },
  ],
  mutations: [],
}

/** The plugin with its defaults, but for what is given. */
export function arrowPlugin(options: Partial<ArrowOptions> = {}): PluginInstance {
  const defaults: ArrowOptions = {
    enabled: true,
    path: '/arrow/v1',
    require_auth: false,
    max_concurrent: 8,
    max_batch_rows: 16_384,
    max_batch_bytes: 4_194_304,
  }
  return { plugin: arrow, options: { ...defaults, ...options }, source: 'test' }
}
