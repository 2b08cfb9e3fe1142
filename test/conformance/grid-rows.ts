import type { Database } from '../../core/doors/plugin.ts'
import type { SqliteOptions } from '../helpers/databases.ts'

const SQLITE_TABLES = `
CREATE TABLE tb_region (pk_region INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, region_name TEXT NOT NULL, area DECIMAL TEXT);
CREATE TABLE tb_site (pk_site INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, fk_region BIGINT REFERENCES tb_region, name TEXT NOT NULL);
CREATE TABLE tb_device (pk_device INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, fk_site BIGINT NOT NULL REFERENCES tb_site,
  serial TEXT NOT NULL, state TEXT, price DECIMAL TEXT, sold BIGINT NOT NULL, built_at DATETIME NOT NULL, is_spare BOOLEAN NOT NULL);
CREATE TABLE tb_reading (pk_reading INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, fk_device BIGINT NOT NULL REFERENCES tb_device,
  taken_at DATETIME NOT NULL, value REAL);
CREATE INDEX ON_SITE ON tb_device (fk_site);
CREATE INDEX ON_DEVICE ON tb_reading (fk_device);
CREATE VIEW v_region AS SELECT * FROM tb_region;
CREATE VIEW v_site AS SELECT * FROM tb_site;
CREATE VIEW v_device AS SELECT * FROM tb_device;
CREATE VIEW v_reading AS SELECT * FROM tb_reading;
`
const MARIADB_TABLES = `
CREATE TABLE tb_region (pk_region BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, region_name TEXT NOT NULL, area DECIMAL(12,3));
CREATE TABLE tb_site (pk_site BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, fk_region BIGINT REFERENCES tb_region (pk_region),
  name TEXT NOT NULL);
CREATE TABLE tb_device (pk_device BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, fk_site BIGINT NOT NULL REFERENCES tb_site (pk_site),
  serial TEXT NOT NULL, state TEXT, price DECIMAL(10,2), sold BIGINT NOT NULL, built_at DATETIME(6) NOT NULL, is_spare BOOLEAN NOT NULL);
CREATE TABLE tb_reading (pk_reading BIGINT PRIMARY KEY, id CHAR(36) NOT NULL UNIQUE, fk_device BIGINT NOT NULL REFERENCES tb_device (pk_device),
  taken_at DATETIME(6) NOT NULL, value DOUBLE);
CREATE VIEW v_region AS SELECT * FROM tb_region;
CREATE VIEW v_site AS SELECT * FROM tb_site;
CREATE VIEW v_device AS SELECT * FROM tb_device;
CREATE VIEW v_reading AS SELECT * FROM tb_reading;
`
/** Values as SQL literals. Times are in UTC. */
const ROWS: Readonly<Record<string, string>> = {
  tb_region: 'pk_region, quote_literal(id), quote_literal(region_name), quote_literal(area)',
  tb_site: 'pk_site, quote_literal(id), fk_region, quote_literal(name)',
  tb_device: `pk_device, quote_literal(id), fk_site, quote_literal(serial), quote_literal(state), quote_literal(price), sold,
    quote_literal(built_at AT TIME ZONE 'UTC'), is_spare::int`,
  tb_reading: `pk_reading, quote_literal(id), fk_device, quote_literal(taken_at AT TIME ZONE 'UTC'), value`,
}

/** SQL that creates the tables of `grid.ts` in SQLite or MariaDB, with the rows of a PostgreSQL that has them. */
async function copyGrid(tables: string, reference: Database): Promise<{ readonly sql: string }> {
  let sql = tables
  for (const [table, columns] of Object.entries(ROWS)) {
    const { rows } = await reference.query({ name: null, text: `SELECT ${columns} FROM ${table} ORDER BY 1` }, [], null)
    const values = rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
    sql += `INSERT INTO ${table} VALUES ${values.join(',\n')};\n`
  }
  return { sql }
}

export const sqliteGrid = (reference: Database): Promise<SqliteOptions> => copyGrid(SQLITE_TABLES, reference)
export const mariaDbGrid = (reference: Database) => copyGrid(MARIADB_TABLES, reference)
