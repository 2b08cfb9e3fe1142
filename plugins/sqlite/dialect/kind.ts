import type { EnumType, ScalarType } from '../../../core/doors/driver.ts'

/** How values are compared, and which form they have on the wire. */
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

/** Scalars that mean the same whatever column they stand in: a file has types of columns at most by name. */
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

/** The kind of a canonical type. An unknown type is a text. */
export function kindOfType(type: string | null): Kind {
  return BY_TYPE[type ?? ''] ?? 'text'
}

/** The kind of a scalar or enum in a column. For IDs and texts, the type of the column decides. */
export function kindOf(named: ScalarType | EnumType | null, type: string | null): Kind {
  const own = named?.kind === 'scalar' ? BY_BASE[named.base] : undefined
  if (own !== undefined) return own
  if (named?.kind === 'enum') return 'text'
  const kind = kindOfType(type)
  return named === null || kind === 'integer' || kind === 'uuid' ? kind : 'text'
}
