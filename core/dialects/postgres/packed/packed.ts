import type { PackedRead } from '../../../contract/prepared-read.ts'
import type { LentRow } from '../../../contract/statement.ts'
import { JsonBuffer } from '../../../engine/json/json-buffer.ts'
import { isDone, openSource } from '../../../engine/json/packed-source.ts'
import { writePackedRow } from '../../../engine/json/write-packed-row.ts'
import { EMPTY, identifier, join, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { ROWS, type RowTemplate, SQL_SEPARATOR } from './packed-row.ts'

/** A part of a response whose JSON svc writes itself, from columns that the database returns in a single row. */
export interface Packed {
  /** Subqueries for the FROM clause that `columns` refer to. Each returns one row. */
  readonly from: readonly SqlFragment[]
  readonly columns: readonly SqlFragment[]
  /**
   * Writes the JSON of the value to `target`.
   * @param row the row that the database returned
   * @param at index of the first of `columns` in that row
   * @returns `false`: the data is not as expected. The caller then runs the statement in which the database writes the
   * JSON
   */
  readonly write: (row: LentRow, at: number, target: JsonBuffer) => boolean
}

const BUFFER = new JsonBuffer()

/**
 * Returns the statement that reads a {@link Packed} value, and the function that writes its JSON from the row that the
 * statement returns.
 */
export function packedStatement({ columns, from, write }: Packed): {
  readonly sql: SqlFragment
  readonly write: PackedRead['write']
} {
  const rows = from.length === 0 ? EMPTY : sql` FROM ${join(from, ', ')}`
  return {
    sql: sql`SELECT ${join(columns, ', ')}${rows}`,
    write: (row) => BUFFER.fill((target) => write(row, 0, target)),
  }
}

/**
 * Wraps a SQL expression whose value already is JSON text as a {@link Packed} value, which svc copies unchanged into
 * the response.
 * @param text SQL of the JSON text
 */
export function jsonColumn(text: SqlFragment): Packed {
  return {
    from: [],
    columns: [text],
    write(row, at, target) {
      const json = row[at] ?? null
      if (json === null) return false
      target.put(json)
      return true
    },
  }
}

/** Joins {@link Packed} values and literal JSON text to one value, in the given order. */
export function compose(parts: readonly (string | Packed)[]): Packed {
  return {
    from: parts.flatMap((part) => (typeof part === 'string' ? [] : part.from)),
    columns: parts.flatMap((part) => (typeof part === 'string' ? [] : part.columns)),
    write(row, at, target) {
      let column = at
      for (const part of parts) {
        if (typeof part === 'string') target.put(part)
        else {
          if (!part.write(row, column, target)) return false
          column += part.columns.length
        }
      }
      return true
    },
  }
}

/**
 * Writes a subquery that returns the fields of all rows as one text, with the number of rows. If a value contains the
 * separator, the number of fields does not match the number of rows, by which the code that reads the text detects it.
 * @param alias name of the subquery; its columns are `n`, the number of rows, and `f`, their fields
 * @param template columns of the rows, and the expression that joins them
 * @param from ` FROM …` of the rows, with a leading space
 * @param rest SQL after the aggregates, with a leading space
 */
export function packRows(
  alias: SqlFragment,
  template: RowTemplate,
  from: SqlFragment,
  rest: SqlFragment,
): Pick<Packed, 'from' | 'columns'> {
  const fields = sql`string_agg(${template.fields}, ${SQL_SEPARATOR})`
  const rows = sql`(SELECT ${template.columns}${from}) ${ROWS}`
  const [n, f] = [identifier('n'), identifier('f')]
  return {
    from: [sql`(SELECT count(*) AS ${n}, ${fields} AS ${f} FROM ${rows}${rest}) ${alias}`],
    columns: [sql`${alias}.${n}`, sql`${alias}.${f}`],
  }
}

const OPEN = 0x5b
const CLOSE = 0x5d
const COMMA = 0x2c

/**
 * Makes the {@link Packed} value of a list of rows, which svc writes as a JSON array.
 * @param alias name of the subquery in the FROM clause
 * @param from ` FROM …` of the rows, with a leading space
 * @param guard ` HAVING …` that fails for too many rows; empty: no limit
 */
export function packedList(alias: SqlFragment, template: RowTemplate, from: SqlFragment, guard: SqlFragment): Packed {
  const { from: rows, columns } = packRows(alias, template, from, guard)
  return {
    from: rows,
    columns,
    write(row, at, target) {
      const count = Number(row[at])
      if (count === 0) {
        target.put('[]')
        return true
      }
      const source = openSource(row[at + 1] ?? '')
      target.reserve(source.end + count * template.overhead)
      const start = target.length
      let beforeLast = start
      for (let i = 0; i < count; i++) {
        beforeLast = target.length
        target.putByte(i === 0 ? OPEN : COMMA)
        if (!writePackedRow(template, source, target)) return false
      }
      target.list = { at: start, count, beforeLast, end: target.length }
      target.putByte(CLOSE)
      return isDone(source)
    },
  }
}

/**
 * Makes the {@link Packed} value of one row, which svc writes as a JSON object.
 * @param from ` FROM …` of the row, with a leading space
 * @param nullable `true`: without a row, it writes `null`; `false`: without a row, `write` returns `false`
 */
export function packedSingle(template: RowTemplate, from: SqlFragment, nullable: boolean): Packed {
  return {
    from: [],
    columns: [sql`(SELECT ${template.fields} FROM (SELECT ${template.columns}${from}) ${ROWS})`],
    write(row, at, target) {
      const text = row[at] ?? null
      if (text === null) {
        target.put('null')
        return nullable
      }
      const source = openSource(text)
      return writePackedRow(template, source, target) && isDone(source)
    },
  }
}
