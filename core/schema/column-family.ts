/**
 * Groups of database column types that hold the same kind of values, such as `integer` for `int2` to `int8`. `place` is
 * a geometry.
 */
export type Family =
  | 'integer'
  | 'float'
  | 'decimal'
  | 'text'
  | 'boolean'
  | 'uuid'
  | 'timestamp'
  | 'date'
  | 'time'
  | 'json'
  | 'bytes'
  | 'vector'
  | 'place'
  /** Integers up to 2³² or 2⁶⁴, which an Int cannot hold. */
  | 'unsigned'
  | 'other'

const FAMILIES: Readonly<Record<string, Family>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  float4: 'float',
  float8: 'float',
  numeric: 'decimal',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  name: 'text',
  citext: 'text',
  bool: 'boolean',
  uuid: 'uuid',
  timestamp: 'timestamp',
  timestamptz: 'timestamp',
  date: 'date',
  time: 'time',
  timetz: 'time',
  json: 'json',
  jsonb: 'json',
  bytea: 'bytes',
  vector: 'vector',
  halfvec: 'vector',
  sparsevec: 'vector',
  geography: 'place',
  geometry: 'place',
  oid: 'unsigned',
  xid: 'unsigned',
  cid: 'unsigned',
  xid8: 'unsigned',
  ...Object.fromEntries(
    'tid regclass regtype regproc regprocedure regrole regnamespace pg_lsn jsonpath money interval bit varbit inet cidr macaddr macaddr8 point line lseg box path polygon circle tsvector tsquery xml int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange nummultirange tsmultirange tstzmultirange datemultirange'
      .split(' ')
      .map((name) => [name, 'other'] as const),
  ),
}

/**
 * Returns the group of column types that a database type belongs to.
 * @param columnType type name in the database catalog: `int8`
 * @returns `null`: a domain, an enum, an array, or an unknown type of an extension
 */
export function familyOf(columnType: string): Family | null {
  return Object.hasOwn(FAMILIES, columnType) ? (FAMILIES[columnType] ?? null) : null
}
