/** Type of a column as `information_schema` describes it. */
export interface DeclaredType {
  /** `DATA_TYPE`: `int`, `varchar`, `enum` */
  readonly dataType: string
  /** `COLUMN_TYPE`: `int(10) unsigned`, `enum('a','b')` */
  readonly columnType: string
  /** Name of the enum, if the column has one: an enum belongs to its column. */
  readonly enumName: string
}

const NAMES: Readonly<Record<string, string>> = {
  tinyint: 'int2',
  smallint: 'int2',
  mediumint: 'int4',
  int: 'int4',
  integer: 'int4',
  bigint: 'int8',
  year: 'int2',
  decimal: 'numeric',
  numeric: 'numeric',
  float: 'float4',
  double: 'float8',
  real: 'float8',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  set: 'text',
  binary: 'bytea',
  varbinary: 'bytea',
  tinyblob: 'bytea',
  blob: 'bytea',
  mediumblob: 'bytea',
  longblob: 'bytea',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamptz',
  json: 'json',
  uuid: 'uuid',
  inet4: 'inet',
  inet6: 'inet',
}
/** An unsigned integer needs the next larger type. `xid8` is PostgreSQL's integer with 64 bits and no sign. */
const UNSIGNED: Readonly<Record<string, string>> = { smallint: 'int4', int: 'int8', integer: 'int8', bigint: 'xid8' }

/**
 * Returns PostgreSQL's name for the type of a column. `tinyint(1)` and `bit(1)` are booleans. A type without a
 * counterpart keeps its name.
 */
export function canonicalType({ dataType, columnType, enumName }: DeclaredType): string {
  const name = dataType.toLowerCase()
  if (/^tinyint\(1\)/i.test(columnType) && !/unsigned/i.test(columnType)) return 'bool'
  if (name === 'bit') return /^bit\(1\)$/i.test(columnType) ? 'bool' : 'bit'
  // MySQL has no type for UUIDs, and stores them as texts of this length.
  if (/^char\(36\)$/i.test(columnType)) return 'uuid'
  if (name === 'enum') return `enum:${enumName}`
  if (/unsigned/i.test(columnType) && UNSIGNED[name] !== undefined) return UNSIGNED[name]
  return NAMES[name] ?? name
}

/** Returns the values of an ENUM column. @param columnType `enum('small','it''s')` */
export function enumLabels(columnType: string): readonly string[] {
  return [...columnType.matchAll(/'((?:[^']|'')*)'/g)].map(([, label]) => label!.replaceAll("''", "'"))
}

/** Returns the number of bits of `bit(8)`. */
export function bitLength(columnType: string): number | undefined {
  const length = /^bit\((\d+)\)$/i.exec(columnType)?.[1]
  return length === undefined || length === '1' ? undefined : Number(length)
}
