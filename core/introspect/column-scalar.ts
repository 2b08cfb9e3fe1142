import type { ModelColumn } from '../contract/database-model.ts'
import { familyOf } from '../schema/column-family.ts'
import { isInGeoJson, type Place, WGS84 } from '../schema/place.ts'

/** GraphQL scalar that svc proposes for a database column, or the reason why the column cannot be served. */
export type ColumnScalar = { readonly scalar: string; readonly list: boolean } | { readonly reason: string }

/** Scalars of types whose family has another one (docs/reference/scalars.md). */
const BY_TYPE: Readonly<Record<string, string>> = {
  int8: 'BigInt',
  oid: 'BigInt',
  xid: 'BigInt',
  cid: 'BigInt',
  xid8: 'BigInt',
  vector: 'Vector',
  halfvec: 'HalfVector',
  sparsevec: 'SparseVector',
  bit: 'BitVector',
  varbit: 'BitVector',
  ltree: 'LTree',
  daterange: 'DateRange',
  interval: 'Duration',
  inet: 'IPAddress',
  cidr: 'CIDR',
  macaddr: 'MACAddress',
  citext: 'String',
}

const BY_FAMILY: Readonly<Record<string, string>> = {
  integer: 'Int',
  float: 'Float',
  decimal: 'Decimal',
  text: 'String',
  boolean: 'Boolean',
  uuid: 'UUID',
  timestamp: 'DateTime',
  date: 'Date',
  time: 'Time',
  json: 'JSON',
  bytes: 'String',
  place: 'GeoJSON',
  unsigned: 'BigInt',
  other: 'String',
}

const REASONS: Readonly<Record<string, string>> = {
  tsvector: 'holds search words: search it by an argument with fullText',
  tsquery: 'holds a search condition, which svc does not read',
}

/** All scalars that svc proposes for columns. Proposed types must not have these names. */
export const COLUMN_SCALARS: ReadonlySet<string> = new Set([
  ...Object.values(BY_TYPE),
  ...Object.values(BY_FAMILY),
  'ID',
])

/** Types of keys that are an `ID`. */
const ID_TYPES: ReadonlySet<string> = new Set(['int2', 'int4', 'int8', 'uuid'])

/** Tests whether svc proposes the scalar `ID` for a key column of this database type: integers and UUIDs. */
export function isIdType(type: string): boolean {
  return ID_TYPES.has(type)
}

/** Returns the GraphQL scalar for a column of a database type other than an enum, or the reason why there is none. */
export function scalarOfColumn(column: Pick<ModelColumn, 'type' | 'sqlType' | 'place'>): ColumnScalar {
  const { type } = column
  if (!type.startsWith('_')) {
    const scalar = scalarOfType(type)
    if (scalar === null) return { reason: REASONS[type] ?? unreadable(column) }
    const problem = scalar === 'GeoJSON' ? placeProblem(column.place) : null
    return problem === null ? { scalar, list: false } : { reason: problem }
  }
  // A list has one dimension. The reader of the catalog declares others as `integer[][]`.
  if (column.sqlType.endsWith('[][]')) return { scalar: 'JSON', list: false }
  const item = scalarOfType(type.slice(1))
  if (item === null || VECTORS.has(item) || item === 'GeoJSON') return { reason: unreadable(column) }
  return { scalar: item, list: true }
}

function placeProblem(place: Place | undefined): string | null {
  if (place === undefined) return 'is of a type of PostGIS, and the extension is missing'
  const { type, shape, srid } = place
  if (srid !== WGS84 && (type === 'geography' || srid === 0))
    return `is a ${type} with ${srid === 0 ? 'no reference system' : `the reference system ${srid}`}: make it 4326, or cast it in a view`
  return isInGeoJson(shape) ? null : `holds a ${shape}, which GeoJSON cannot represent`
}

const VECTORS: ReadonlySet<string> = new Set(['Vector', 'HalfVector', 'SparseVector', 'BitVector'])

function scalarOfType(type: string): string | null {
  if (Object.hasOwn(REASONS, type)) return null
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type] ?? null
  const family = familyOf(type)
  return family === null ? null : (BY_FAMILY[family] ?? null)
}

function unreadable({ type, sqlType }: Pick<ModelColumn, 'type' | 'sqlType'>): string {
  return type.startsWith('row:') || type.startsWith('_row:')
    ? `is of the composite type ${sqlType}, which svc does not read. Select its parts in a view`
    : `is of the type ${sqlType}, which svc does not read. Cast it in a view`
}
