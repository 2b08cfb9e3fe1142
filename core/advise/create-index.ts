import { createHash } from 'node:crypto'
import type { ModelRelation } from '../contract/database-model.ts'
import type { IndexNeed } from './index-need.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** Bytes of a name that PostgreSQL keeps. */
const LONGEST = 63

interface NewIndex {
  /** `btree` is the default of all databases, and is not written. */
  readonly method: 'btree' | 'gin'
  readonly operatorClass: string | null
  readonly extension: string | null
}

/**
 * Returns the statements that create an index. If the index needs an extension that is not installed, the first
 * statement installs it.
 */
export function createIndex(
  { relation, columns, use }: Omit<IndexNeed, 'fixed'>,
  facts: DatabaseFacts,
): readonly string[] {
  const { method, operatorClass, extension } = newIndex({ relation, columns, use }, facts)
  const suffix = use === 'pattern' ? 'trgm_idx' : use === 'prefix' ? 'prefix_idx' : 'idx'
  const name = freeName(relation, [relation.name, ...columns, suffix].join('_'))
  const list = columns
    .map(
      (column) =>
        facts.quote(column) + lengthOf(relation, column, facts) + (operatorClass === null ? '' : ` ${operatorClass}`),
    )
    .join(', ')
  const using = method === 'btree' ? '' : ` USING ${method}`
  const statement = `CREATE INDEX ${concurrently(relation, facts)}${facts.quote(name)} ON ${tableName(relation, facts)}${using} (${list});`
  return extension === null || facts.extensions.has(extension)
    ? [statement]
    : [`CREATE EXTENSION IF NOT EXISTS ${extension};`, statement]
}

/** Returns a CREATE UNIQUE INDEX statement for columns of a table, with an unused index name. */
export function createUniqueIndex(relation: ModelRelation, columns: readonly string[], facts: DatabaseFacts): string {
  const name = freeName(relation, [relation.name, ...columns, 'key'].join('_'))
  return `CREATE UNIQUE INDEX ${concurrently(relation, facts)}${facts.quote(name)} ON ${tableName(relation, facts)} (${columns.map(facts.quote).join(', ')});`
}

/** Returns the quoted name of a table or view for SQL, with its schema if it has one. */
export function tableName(
  { schema, name }: Pick<ModelRelation, 'schema' | 'name'>,
  { quote }: Pick<DatabaseFacts, 'quote'>,
): string {
  return schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`
}

/** An index of MariaDB and MySQL has only the beginning of a long text. */
function lengthOf({ columns }: ModelRelation, name: string, { kind }: DatabaseFacts): string {
  const isLong = /(?:text|blob)$/i.test(columns.find((column) => column.name === name)?.sqlType ?? '')
  return kind === 'mysql' && isLong ? '(191)' : ''
}

/** Only PostgreSQL has the word, and it cannot create an index of a partitioned table concurrently. */
function concurrently({ kind }: ModelRelation, facts: DatabaseFacts): string {
  return facts.kind !== 'postgres' || kind === 'partitioned table' ? '' : 'CONCURRENTLY '
}

function newIndex({ relation, columns, use }: Omit<IndexNeed, 'fixed'>, { extensions }: DatabaseFacts): NewIndex {
  const plain = { method: 'btree', operatorClass: null, extension: null } as const
  switch (use) {
    case 'lookup':
    case 'order':
      return plain
    case 'prefix': {
      const type = relation.columns.find(({ name }) => name === columns[0])?.type
      return { ...plain, operatorClass: type === 'varchar' ? 'varchar_pattern_ops' : 'text_pattern_ops' }
    }
    case 'pattern':
      return {
        method: 'gin',
        operatorClass: `${extensions.get('pg_trgm') ?? ''}gin_trgm_ops`,
        extension: 'pg_trgm',
      }
    case 'json':
      return { method: 'gin', operatorClass: 'jsonb_path_ops', extension: null }
    default:
      return { method: 'gin', operatorClass: null, extension: null }
  }
}

/** Returns a name that no index of the table has and that the database does not cut. */
function freeName({ indexes }: ModelRelation, wanted: string): string {
  const taken = new Set(indexes.map(({ name }) => name))
  for (let number = 1; ; number++) {
    const text = number === 1 ? wanted : `${wanted}${number}`
    const name = Buffer.byteLength(text) <= LONGEST ? text : shortened(text)
    if (!taken.has(name)) return name
  }
}

function shortened(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  const end = text.slice(text.lastIndexOf('_'))
  let start = text
  while (Buffer.byteLength(start) > LONGEST - end.length - 9) start = [...start].slice(0, -1).join('')
  return `${start}_${digest}${end}`
}
