import type { AuthoredField, AuthoredSchema } from '../../core/schema/authored.ts'

/** Regions with sites with devices with readings: enough rows that an answer can be held against plain SQL. */
export const GRID_SQL = `
CREATE TABLE tb_region (pk_region bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, region_name text NOT NULL, area numeric(12,3));
CREATE TABLE tb_site (pk_site bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_region bigint REFERENCES tb_region, name text NOT NULL);
CREATE TABLE tb_device (pk_device bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_site bigint NOT NULL REFERENCES tb_site,
  serial text NOT NULL, state text, price numeric(10,2), sold bigint NOT NULL, built_at timestamptz NOT NULL, is_spare boolean NOT NULL);
CREATE TABLE tb_reading (pk_reading bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_device bigint NOT NULL REFERENCES tb_device,
  taken_at timestamptz NOT NULL, value double precision);
CREATE FUNCTION uuid_of(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5(kind || n)::uuid $$;
INSERT INTO tb_region SELECT n, uuid_of('region', n), 'Region ' || n, CASE WHEN n <> 3 THEN n * 1.250 END FROM generate_series(1, 5) n;
INSERT INTO tb_site SELECT n, uuid_of('site', n), CASE WHEN n % 5 <> 0 THEN n % 5 END, 'Site ' || chr(64 + n::int) FROM generate_series(1, 20) n;
INSERT INTO tb_device SELECT n, uuid_of('device', n), 1 + (n * 7) % 19, 'SN-' || lpad(((n * 37) % 101)::text, 3, '0'),
  (ARRAY['on', 'off', NULL])[1 + n % 3], CASE WHEN n % 7 <> 0 THEN n * 1.10 END, 9007199254740993 + n,
  timestamptz '2024-02-28 22:30:00+00' + n * interval '1 hour 0.25 second', n % 4 = 0 FROM generate_series(1, 80) n;
INSERT INTO tb_reading SELECT n, uuid_of('reading', n), 1 + n % 80, timestamptz '2024-01-01 00:00:00+00' + n * interval '1 minute',
  CASE WHEN n % 11 <> 0 THEN n / 8.0 END FROM generate_series(1, 320) n;
CREATE VIEW v_region AS SELECT * FROM tb_region;
CREATE VIEW v_site AS SELECT * FROM tb_site;
CREATE VIEW v_device AS SELECT * FROM tb_device;
CREATE VIEW v_reading AS SELECT * FROM tb_reading;
`

const ID: AuthoredField = { name: 'id', type: 'ID!' }

export const GRID: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Power',
      values: [
        { name: 'RUNNING', value: 'on' },
        { name: 'STOPPED', value: 'off' },
      ],
    },
  ],
  types: [
    {
      name: 'Region',
      description: 'A part of the land.',
      sql_source: 'v_region',
      fields: [
        ID,
        { name: 'region_name', type: 'String!', description: 'As on the map.' },
        { name: 'area', type: 'Decimal' },
        { name: 'sites', type: '[Site!]!' },
      ],
    },
    {
      name: 'Site',
      sql_source: 'v_site',
      fields: [
        ID,
        { name: 'name', type: 'String!' },
        { name: 'region', type: 'Region' },
        { name: 'devices', type: '[Device!]!' },
      ],
    },
    {
      name: 'Device',
      sql_source: 'v_device',
      relay: true,
      fields: [
        ID,
        { name: 'serial', type: 'String!' },
        { name: 'state', type: 'Power' },
        { name: 'price', type: 'Decimal' },
        { name: 'sold', type: 'BigInt!', orderable: false },
        { name: 'built_at', type: 'DateTime!', deprecated: 'Ask the maker.' },
        { name: 'spare', type: 'Boolean!', column: 'is_spare', filterable: false },
        { name: 'site', type: 'Site!' },
        { name: 'readings', type: '[Reading!]!' },
      ],
    },
    {
      name: 'Reading',
      sql_source: 'v_reading',
      fields: [
        ID,
        { name: 'taken_at', type: 'DateTime!' },
        { name: 'value', type: 'Float', filter_operators: ['_gt', '_is_null'] },
        { name: 'device', type: 'Device!' },
      ],
    },
  ],
  queries: [
    { name: 'regions', type: '[Region!]!', sql_source: 'v_region', description: 'All of them.' },
    { name: 'region', type: 'Region', sql_source: 'v_region', arguments: [{ name: 'id', type: 'ID!' }] },
    {
      name: 'region_by_name',
      type: 'Region',
      sql_source: 'v_region',
      arguments: [{ name: 'region_name', type: 'String!' }],
    },
    { name: 'sites', type: '[Site!]!', sql_source: 'v_site', auto_params: { total_count: true } },
    {
      name: 'devices',
      type: '[Device!]!',
      sql_source: 'v_device',
      arguments: [
        { name: 'state', type: 'Power' },
        { name: 'serial', type: 'String' },
      ],
    },
    { name: 'device_pages', type: '[Device!]!', sql_source: 'v_device', relay: true },
    { name: 'readings', type: '[Reading!]!', sql_source: 'v_reading' },
    { name: 'bare_readings', type: '[Reading!]!', sql_source: 'v_reading', auto_params: false },
    { name: 'top_readings', type: '[Reading!]', sql_source: 'v_reading', auto_params: { where: false, offset: false } },
  ],
}
