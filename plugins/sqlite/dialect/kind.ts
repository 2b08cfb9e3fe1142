import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'

/**
 * Kind of a value (text, integer, date, …), which determines how the value is compared and converted to its wire form.
 */
export type Kind = 'text' | 'integer' | 'real' | 'decimal' | 'boolean' | 'datetime' | 'date' | 'time' | 'uuid' | 'json'

const BY_TYPE: Readonly<Record<string, Kind>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float4: 'real',
  float8: 'real',
  numeric: 'decimal',
  bool: 'boolean',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  date: 'date',
  time: 'time',
  uuid: 'uuid',
  json: 'json',
  jsonb: 'json',
}

/** Scalars whose kind does not depend on the type of their column, because SQLite does not enforce the types of columns. */
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

/**
 * Returns the value kind of a column type in the spelling of the catalog: `'integer'` for `int8`, `'datetime'` for `timestamptz`; `'text'` for
 * `null` and any other type.
 */
export function kindOfType(type: string | null): Kind {
  return BY_TYPE[type ?? ''] ?? 'text'
}

/** Returns the kind of a scalar or enum in a column. For IDs and strings, the type of the column decides. */
export function kindOf(named: ScalarType | EnumType | null, type: string | null): Kind {
  const own = named?.kind === 'scalar' ? BY_BASE[named.base] : undefined
  if (own !== undefined) return own
  if (named?.kind === 'enum') return 'text'
  const kind = kindOfType(type)
  return named === null || kind === 'integer' || kind === 'uuid' ? kind : 'text'
}
