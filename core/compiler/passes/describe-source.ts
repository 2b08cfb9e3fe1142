import { inDatabase, splitDatabase } from '../../base/util/database-name.ts'
import type { CatalogRelation } from '../../contract/database.ts'
import type { CompiledColumn, CompiledSource } from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'

const PREFIX = /^(?:v|tv|tb|va|ta|rv|vr)_/

/**
 * Returns the description of a view or table for the compiled schema: its columns and key. The first call for a name
 * adds the description to `CompileContext.sources`.
 * @param name as in `sql_source`, with or without a schema
 * @returns `null` when the database has no such view or table
 */
export function describeSource(context: CompileContext, name: string): CompiledSource | null {
  const known = context.sources.get(name)
  if (known !== undefined) return known
  const written = splitName(name)
  let source: CompiledSource
  if (context.catalog === null) {
    source = { ...written, kind: 'unknown', columns: [], key: [] }
  } else {
    const relation = context.catalog.relations.get(name)
    if (relation === undefined) return null
    const columns = relation.columns.map(
      ({ name: column, type, notNull, unique, casts, dimensions, digits, place }) => ({
        name: column,
        type,
        not_null: notNull,
        ...(unique ? { unique: true as const } : {}),
        ...(casts === undefined ? {} : { casts }),
        ...(dimensions === undefined ? {} : { dimensions }),
        ...(digits === undefined ? {} : { digits }),
        ...(place === undefined ? {} : { place }),
      }),
    )
    const resets = relation.resets === true ? ({ resets: true } as const) : {}
    source = { ...written, kind: relation.kind, columns, key: findKey(relation, written.name), ...resets }
  }
  context.sources.set(name, source)
  return source
}

/**
 * Returns the column with this name of a view or table; `null`: there is none, or the schema was compiled without a
 * database.
 */
export function columnOf(source: CompiledSource, name: string): CompiledColumn | null {
  return source.columns.find((column) => column.name === name) ?? null
}

/**
 * Returns the column whose name differs from `name` only in case and underscores: `firstName` for `first_name`. `null`:
 * there is none, or more than one.
 */
export function alike(name: string, columns: readonly string[]): string | null {
  const key = (text: string): string => text.replaceAll('_', '').toLowerCase()
  const found = columns.filter((column) => key(column) === key(name))
  return found.length === 1 ? found[0]! : null
}

/**
 * Returns the catalog entry of a view or table. `undefined`: compiled without a database, or there is no such object.
 */
export function relationOf(
  { catalog }: Pick<CompileContext, 'catalog'>,
  { database, schema, name }: CompiledSource,
): CatalogRelation | undefined {
  return catalog?.relations.get(inDatabase(database, schema === undefined ? name : `${schema}.${name}`))
}

/** Returns the name of a view or table for messages, with its schema unless that is the default one. */
export function shownName({ catalog }: Pick<CompileContext, 'catalog'>, source: CompiledSource): string {
  const { database, name } = source
  const written = source.schema === undefined ? name : `${source.schema}.${name}`
  const schema = source.schema ?? catalog?.relations.get(inDatabase(database, written))?.schema
  return schema === undefined || (schema !== source.schema && USUAL_SCHEMAS.has(schema)) ? written : `${schema}.${name}`
}

const USUAL_SCHEMAS: ReadonlySet<string> = new Set(['public', 'main'])

export function isJsonType(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

interface WrittenName {
  readonly database?: string
  readonly schema?: string
  readonly name: string
}

/**
 * Splits a name as in `sql_source` into database, schema and name: `crm:music.v_album`. A name without a schema is
 * found by the search path; one without a database is in the default database.
 */
export function splitName(written: string): WrittenName {
  const { name, ...of } = splitDatabase(written)
  const dot = name.indexOf('.')
  return dot < 0 ? { ...of, name } : { ...of, schema: name.slice(0, dot), name: name.slice(dot + 1) }
}

/**
 * Removes the prefix from the name of a view or table: `v_order_item` → `order_item`. Key columns are named after the
 * result: `pk_order_item`.
 */
export function entityOfSource(name: string): string {
  return splitName(name).name.replace(PREFIX, '')
}

function findKey(relation: CatalogRelation, name: string): readonly string[] {
  if (relation.primaryKey.length > 0) return relation.primaryKey
  const names = relation.columns.map((column) => column.name)
  const keys = names.filter((column) => column.startsWith('pk_'))
  const own = `pk_${entityOfSource(name)}`
  const found = keys.includes(own) ? own : keys.length === 1 ? keys[0] : names.includes('id') ? 'id' : undefined
  return found === undefined ? [] : [found]
}
