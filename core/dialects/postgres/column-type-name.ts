/** OIDs of PostgreSQL's built-in types that columns commonly have. They are constant since version 8. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [16, 'bool'],
  [17, 'bytea'],
  [18, 'char'],
  [19, 'name'],
  [20, 'int8'],
  [21, 'int2'],
  [23, 'int4'],
  [25, 'text'],
  [26, 'oid'],
  [114, 'json'],
  [199, '_json'],
  [600, 'point'],
  [650, 'cidr'],
  [700, 'float4'],
  [701, 'float8'],
  [790, 'money'],
  [829, 'macaddr'],
  [869, 'inet'],
  [1000, '_bool'],
  [1005, '_int2'],
  [1007, '_int4'],
  [1009, '_text'],
  [1015, '_varchar'],
  [1016, '_int8'],
  [1021, '_float4'],
  [1022, '_float8'],
  [1042, 'bpchar'],
  [1043, 'varchar'],
  [1082, 'date'],
  [1083, 'time'],
  [1114, 'timestamp'],
  [1115, '_timestamp'],
  [1182, '_date'],
  [1184, 'timestamptz'],
  [1185, '_timestamptz'],
  [1186, 'interval'],
  [1231, '_numeric'],
  [1266, 'timetz'],
  [1560, 'bit'],
  [1562, 'varbit'],
  [1700, 'numeric'],
  [2249, 'record'],
  [2278, 'void'],
  [2950, 'uuid'],
  [2951, '_uuid'],
  [3802, 'jsonb'],
  [3807, '_jsonb'],
])

/**
 * Returns the PostgreSQL name of a result column's type (`int4`, `_text`) by its `pg_type.oid`; `oid:N` for a type that
 * is not built in.
 */
export function columnTypeName(oid: number): string {
  return BUILT_IN.get(oid) ?? `oid:${oid}`
}
