import { jsonText } from '../json-text.ts'
import { momentText } from '../reference/wire.ts'
import type { Cell, Cells, WorldRows } from './rows.ts'

const SCALARS = `alias text, size int, big bigint, score numeric, ratio float8, active boolean, born date, seen timestamptz,
  woke time, code uuid, mood text, tags text[], numbers int[], prices numeric[], moments timestamptz[], moods text[], noted text[], extra jsonb`

/** Tables and views for PostgreSQL. */
export function postgresSql(rows: WorldRows): string {
  return `
CREATE TABLE tb_maker (pk_maker int PRIMARY KEY, id uuid NOT NULL UNIQUE, name text NOT NULL, ${SCALARS},
  weight real, made_at timestamp, raw json, fk_mentor int REFERENCES tb_maker);
CREATE TYPE work_kind AS ENUM ('oil', 'clay', 'ink');
CREATE TABLE tb_work (pk_work bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_maker int, title text NOT NULL, price numeric NOT NULL,
  year int NOT NULL, sold boolean NOT NULL, added timestamptz NOT NULL, kind work_kind NOT NULL, note text,
  words tsvector GENERATED ALWAYS AS (to_tsvector('english', title || ' ' || coalesce(note, ''))) STORED);
CREATE TABLE tb_part (id text PRIMARY KEY, fk_work bigint NOT NULL, rank int NOT NULL, label text);
CREATE TABLE tb_slot (shelf int NOT NULL, place int NOT NULL, id uuid NOT NULL UNIQUE, label text, over_shelf int, over_place int, PRIMARY KEY (shelf, place));
CREATE TABLE tb_card (pk_card bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, fk_maker int, data jsonb NOT NULL);
CREATE TABLE tb_entry (pk_entry int PRIMARY KEY, id uuid NOT NULL UNIQUE, tenant text NOT NULL, level int, fk_maker int, fk_entry int,
  title text NOT NULL, hidden boolean NOT NULL);
CREATE TABLE tb_bond (fk_one int, fk_other int);
CREATE TABLE tb_kept (fk_work bigint, at_shelf int, at_place int);
${inserts(rows, 'postgres')}
CREATE VIEW v_work AS SELECT * FROM tb_work;
CREATE VIEW v_card AS SELECT * FROM tb_card;
CREATE VIEW v_thing AS
  SELECT 'ThingMaker' AS __typename, id, pk_maker AS pk_thing, name, size, born, NULL::numeric AS price, NULL::text AS kind FROM tb_maker
  UNION ALL SELECT 'ThingWork', id, 1000 + pk_work, title, year, NULL, price, kind::text FROM tb_work;
CREATE VIEW v_ruled AS SELECT CASE pk_entry % 2 WHEN 0 THEN 'EntryShut' ELSE 'EntryOpen' END AS __typename, * FROM tb_entry;
ANALYZE;`
}

const SQLITE_SCALARS = `alias TEXT, size INTEGER, big BIGINT, score DECIMAL TEXT, ratio REAL, active BOOLEAN, born DATE, seen DATETIME,
  woke TIME, code UUID, mood TEXT, tags JSON TEXT, numbers JSON TEXT, prices JSON TEXT, moments JSON TEXT, moods JSON TEXT, noted JSON TEXT, extra JSON TEXT`

/** The same for SQLite, in the types that it has. */
export function sqliteSql(rows: WorldRows): string {
  return `
CREATE TABLE tb_maker (pk_maker INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, name TEXT NOT NULL, ${SQLITE_SCALARS},
  weight REAL, made_at DATETIME, raw JSON TEXT, fk_mentor INTEGER REFERENCES tb_maker);
CREATE TABLE tb_work (pk_work INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, fk_maker INTEGER, title TEXT NOT NULL,
  price DECIMAL TEXT NOT NULL, year INTEGER NOT NULL, sold BOOLEAN NOT NULL, added DATETIME NOT NULL, kind TEXT NOT NULL, note TEXT);
CREATE TABLE tb_part (id TEXT NOT NULL PRIMARY KEY, fk_work INTEGER NOT NULL, rank INTEGER NOT NULL, label TEXT);
CREATE TABLE tb_slot (shelf INTEGER NOT NULL, place INTEGER NOT NULL, id UUID NOT NULL UNIQUE, label TEXT, over_shelf INTEGER, over_place INTEGER,
  PRIMARY KEY (shelf, place));
CREATE TABLE tb_card (pk_card INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, fk_maker INTEGER, data JSON TEXT NOT NULL);
CREATE TABLE tb_entry (pk_entry INTEGER PRIMARY KEY, id UUID NOT NULL UNIQUE, tenant TEXT NOT NULL, level INTEGER, fk_maker INTEGER,
  fk_entry INTEGER, title TEXT NOT NULL, hidden BOOLEAN NOT NULL);
CREATE TABLE tb_bond (fk_one INTEGER, fk_other INTEGER);
CREATE TABLE tb_kept (fk_work INTEGER, at_shelf INTEGER, at_place INTEGER);
${inserts(rows, 'sqlite')}
CREATE VIEW v_work AS SELECT * FROM tb_work;
CREATE VIEW v_card AS SELECT * FROM tb_card;
CREATE TABLE tv_thing (__typename TEXT NOT NULL, id UUID NOT NULL UNIQUE, pk_thing INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER,
  born DATE, price DECIMAL TEXT, kind TEXT);
INSERT INTO tv_thing SELECT 'ThingMaker', id, pk_maker, name, size, born, NULL, NULL FROM tb_maker;
INSERT INTO tv_thing SELECT 'ThingWork', id, 1000 + pk_work, title, year, NULL, price, kind FROM tb_work;
CREATE VIEW v_thing AS SELECT * FROM tv_thing;
CREATE TABLE tv_ruled (__typename TEXT NOT NULL, id UUID NOT NULL UNIQUE, pk_entry INTEGER PRIMARY KEY, fk_maker INTEGER, tenant TEXT NOT NULL,
  title TEXT NOT NULL, level INTEGER);
INSERT INTO tv_ruled SELECT CASE pk_entry % 2 WHEN 0 THEN 'EntryShut' ELSE 'EntryOpen' END, id, pk_entry, fk_maker, tenant, title, level FROM tb_entry;
CREATE VIEW v_ruled AS SELECT * FROM tv_ruled;`
}

/** Texts are compared by their code points, which is not what the database does by itself. */
const EXACT = 'COLLATE utf8mb4_nopad_bin'
const TEXT = `TEXT ${EXACT}`
const MYSQL_SCALARS = `alias ${TEXT}, size INT, big BIGINT, score DECIMAL(45,15), ratio DOUBLE, active BOOLEAN, born DATE, seen DATETIME(6),
  woke TIME(6), code CHAR(36) ${EXACT}, mood ${TEXT}, tags JSON, numbers JSON, prices JSON, moments JSON, moods JSON, noted JSON, extra JSON`

/** The same for MariaDB. */
export function mysqlSql(rows: WorldRows): string {
  return `
CREATE TABLE tb_maker (pk_maker INT PRIMARY KEY, id CHAR(36) ${EXACT} NOT NULL UNIQUE, name ${TEXT} NOT NULL, ${MYSQL_SCALARS},
  weight FLOAT, made_at DATETIME(6), raw JSON, fk_mentor INT, FOREIGN KEY (fk_mentor) REFERENCES tb_maker (pk_maker));
CREATE TABLE tb_work (pk_work BIGINT PRIMARY KEY, id CHAR(36) ${EXACT} NOT NULL UNIQUE, fk_maker INT, title ${TEXT} NOT NULL,
  price DECIMAL(45,15) NOT NULL, year INT NOT NULL, sold BOOLEAN NOT NULL, added DATETIME(6) NOT NULL, kind ${TEXT} NOT NULL, note ${TEXT});
CREATE TABLE tb_part (id VARCHAR(100) ${EXACT} NOT NULL PRIMARY KEY, fk_work BIGINT NOT NULL, rank INT NOT NULL, label ${TEXT});
CREATE TABLE tb_slot (shelf INT NOT NULL, place INT NOT NULL, id CHAR(36) ${EXACT} NOT NULL UNIQUE, label ${TEXT}, over_shelf INT, over_place INT,
  PRIMARY KEY (shelf, place));
CREATE TABLE tb_card (pk_card BIGINT PRIMARY KEY, id CHAR(36) ${EXACT} NOT NULL UNIQUE, fk_maker INT, data JSON NOT NULL);
CREATE TABLE tb_entry (pk_entry INT PRIMARY KEY, id CHAR(36) ${EXACT} NOT NULL UNIQUE, tenant ${TEXT} NOT NULL, level INT, fk_maker INT,
  fk_entry INT, title ${TEXT} NOT NULL, hidden BOOLEAN NOT NULL);
CREATE TABLE tb_bond (fk_one INT, fk_other INT);
CREATE TABLE tb_kept (fk_work BIGINT, at_shelf INT, at_place INT);
SET foreign_key_checks = 0;
${inserts(rows, 'mysql')}
CREATE VIEW v_work AS SELECT * FROM tb_work;
CREATE VIEW v_card AS SELECT * FROM tb_card;
CREATE VIEW v_thing AS
  SELECT 'ThingMaker' AS __typename, id, pk_maker AS pk_thing, name, size, born, NULL AS price, NULL AS kind FROM tb_maker
  UNION ALL SELECT 'ThingWork', id, 1000 + pk_work, title, year, NULL, price, kind FROM tb_work;
CREATE VIEW v_ruled AS SELECT CASE pk_entry % 2 WHEN 0 THEN 'EntryShut' ELSE 'EntryOpen' END AS __typename, tb_entry.* FROM tb_entry;`
}

type Kind = 'postgres' | 'sqlite' | 'mysql'

function inserts(rows: WorldRows, kind: Kind): string {
  return [
    insert('tb_maker', rows.makers, kind),
    insert('tb_work', rows.works, kind),
    insert('tb_part', rows.parts, kind),
    insert('tb_slot', rows.slots, kind),
    insert('tb_card', rows.cards, kind),
    insert('tb_entry', rows.entries, kind),
    insert('tb_bond', rows.bonds, kind),
    insert('tb_kept', rows.kept, kind),
  ].join('\n')
}

function insert(table: string, rows: readonly Cells[], kind: Kind): string {
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => `(${columns.map((column) => cellSql(row[column]!, kind)).join(', ')})`)
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES\n${values.join(',\n')};`
}

function cellSql(cell: Cell, kind: Kind): string {
  if (cell === null) return 'NULL'
  if (kind === 'mysql') return mysqlCell(cell)
  if (typeof cell === 'string') return quote(cell)
  if (typeof cell === 'boolean') return kind === 'sqlite' ? String(Number(cell)) : String(cell)
  if (typeof cell === 'number') return kind === 'sqlite' ? String(cell) : quote(String(cell))
  if ('json' in cell) return quote(jsonText(cell.json))
  return quote(kind === 'sqlite' ? jsonList(cell) : `{${cell.map((item) => JSON.stringify(item)).join()}}`)
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]/

/** The server's own mode takes a backslash for an escape. Its points in time have no offset. */
function mysqlCell(cell: Exclude<Cell, null>): string {
  if (typeof cell === 'boolean' || typeof cell === 'number') return String(cell)
  if (typeof cell === 'string') {
    const text = MOMENT.test(cell) ? momentText(cell).replace('T', ' ').replace('+00:00', '') : cell
    return quote(text).replaceAll('\\', '\\\\')
  }
  return quote('json' in cell ? jsonText(cell.json) : jsonList(cell)).replaceAll('\\', '\\\\')
}

/** Numbers of a list stand as numbers. */
function jsonList(items: readonly (string | null)[]): string {
  return `[${items.map((item) => (item !== null && isNumber(item) ? item : JSON.stringify(item))).join()}]`
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
