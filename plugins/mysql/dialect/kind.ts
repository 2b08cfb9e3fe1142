import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'

/** Kind of a value in MariaDB and MySQL, which decides how the value is compared and converted to its GraphQL form. */
export type Kind =
  | 'text'
  | 'integer'
  | 'real'
  | 'decimal'
  | 'boolean'
  | 'datetime'
  | 'date'
  | 'time'
  | 'uuid'
  | 'json'
  | 'bytes'

const BY_TYPE: Readonly<Record<string, Kind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  xid8: 'integer',
  float4: 'real',
  float8: 'real',
  numeric: 'decimal',
  average: 'decimal',
  bool: 'boolean',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
  bytea: 'bytes',
}

/** Scalars whose values are compared as one kind, whatever the type of their column. */
const BY_BASE: Readonly<Record<string, Kind>> = {
  Int: 'integer',
  BigInt: 'integer',
  Float: 'real',
  Decimal: 'decimal',
  Boolean: 'boolean',
  DateTime: 'datetime',
  Date: 'date',
  Time: 'time',
  UUID: 'uuid',
  JSON: 'json',
}

/** Type of the text of a number from a document, in columns that svc itself makes. */
export const WRITTEN = 'written number'

/** Kinds of numbers, which the server compares with each other. */
export const NUMBERS: ReadonlySet<Kind> = new Set<Kind>(['integer', 'real', 'decimal'])

/** Returns the kind of a column by its PostgreSQL type name; `text` for `null` and unknown types. */
export function kindOfType(type: string | null): Kind {
  return BY_TYPE[type ?? ''] ?? 'text'
}

/**
 * Returns the kind of a value by its GraphQL type and the type of its column. For `ID` and `String` the column decides.
 * @param named GraphQL type; `null`: unknown
 * @param type PostgreSQL name of the column type; `null`: unknown
 */
export function kindOf(named: ScalarType | EnumType | null, type: string | null): Kind {
  const own = named?.kind === 'scalar' ? BY_BASE[named.base] : undefined
  if (own !== undefined) return own
  if (named?.kind === 'enum') return 'text'
  const kind = kindOfType(type)
  return named === null || kind === 'integer' || kind === 'uuid' ? kind : 'text'
}
