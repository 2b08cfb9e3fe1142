import type { DataType, Field } from 'apache-arrow'
import type { ColumnStream } from '../../core/doors/front.ts'
import type { QueryModel } from '../../core/doors/plugin.ts'
import { encodeBool } from './encode/encode-bool.ts'
import { encodeDays } from './encode/encode-days.ts'
import { encodeDecimals } from './encode/encode-decimals.ts'
import { encodeFloats } from './encode/encode-floats.ts'
import { encodeInt32 } from './encode/encode-int32.ts'
import { encodeInt64 } from './encode/encode-int64.ts'
import { encodeText } from './encode/encode-text.ts'
import { encodeTimes } from './encode/encode-times.ts'
import { encodeTimestamps } from './encode/encode-timestamps.ts'
import type { Encoded } from './encode/encoded.ts'
import type { Arrow } from './load-arrow.ts'

/** A column of an Arrow stream: its Arrow field, and the function that encodes its values. */
export interface ColumnForm {
  readonly field: Field
  /**
   * Encodes the database texts of a column for one record batch.
   * @throws RangeError for an invalid value; its message completes the sentence "The column has a value that …"
   */
  readonly encode: (values: readonly (string | null)[]) => Encoded
}

/** Maximum number of decimal digits in 128 bits. */
const MOST_DIGITS = 38

/**
 * Returns how to encode each column of an Arrow stream. A type that Arrow represents exactly gets its Arrow type. All
 * other types become strings, with the same text as in JSON.
 * @param columns columns of the stream in their order
 * @param query the columnar query, whose fields have the types
 */
export function columnForms(
  arrow: Arrow,
  columns: readonly ColumnStream['columns'][number][],
  query: QueryModel,
): readonly ColumnForm[] {
  return columns.map((column) => {
    const { type, encode } = formOf(arrow, column, query)
    return { field: new arrow.Field(column.name, type, column.nullable), encode }
  })
}

interface Form {
  readonly type: DataType
  readonly encode: ColumnForm['encode']
}

function formOf(arrow: Arrow, column: ColumnStream['columns'][number], query: QueryModel): Form {
  switch (column.type) {
    case 'int4':
      return { type: new arrow.Int32(), encode: encodeInt32 }
    case 'int8':
      return { type: new arrow.Int64(), encode: encodeInt64 }
    case 'float8':
      return { type: new arrow.Float64(), encode: encodeFloats }
    case 'bool':
      return { type: new arrow.Bool(), encode: encodeBool }
    case 'timestamptz':
      return { type: new arrow.Timestamp(arrow.TimeUnit.MICROSECOND, 'UTC'), encode: encodeTimestamps }
    case 'date':
      return { type: new arrow.DateDay(), encode: encodeDays }
    case 'time':
      return { type: new arrow.TimeMicrosecond(), encode: encodeTimes }
    case 'numeric':
      return decimalForm(arrow, column, query)
    default:
      return { type: new arrow.Utf8(), encode: encodeText }
  }
}

/** Returns the form of a decimal column with a declared precision. A plain `numeric` has any number of digits, so it stays a string. */
function decimalForm(arrow: Arrow, { name }: ColumnStream['columns'][number], { named, source }: QueryModel): Form {
  const read = named.kind === 'object' ? named.fields.get(name)?.read : null
  const column = read?.from === 'column' ? source.columns.find((one) => one.name === read.column) : undefined
  const { precision = 0, scale = 0 } = column?.digits ?? {}
  if (precision === 0 || precision > MOST_DIGITS || scale < 0 || scale > precision)
    return { type: new arrow.Utf8(), encode: encodeText }
  return { type: new arrow.Decimal(scale, precision), encode: (values) => encodeDecimals(values, scale) }
}
