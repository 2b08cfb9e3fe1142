import type { PackedRead } from '../../../contract/prepared-read.ts'
import type { LentRow } from '../../../contract/statement.ts'
import { JsonBuffer } from '../../../engine/json/json-buffer.ts'
import { isDone, openSource } from '../../../engine/json/packed-source.ts'
import { writePackedRow } from '../../../engine/json/write-packed-row.ts'
import { EMPTY, identifier, join, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import { ROWS, type RowTemplate, SQL_SEPARATOR } from './packed-row.ts'

/** A value that the database returns in columns of a single row, and whose JSON this process writes. */
export interface Packed {
  /** Subqueries of one row each. */
  readonly from: readonly SqlFragment[]
  readonly columns: readonly SqlFragment[]
  /**
   * Writes the JSON of the value.
   * @param at index of its first column
   * @returns `false`: unexpected data, so that the statement whose JSON the database writes must run
   */
  readonly write: (row: LentRow, at: number, target: JsonBuffer) => boolean
}

const BUFFER = new JsonBuffer()

/** Makes a statement of a value, with the function that writes its result. */
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

/** Wraps SQL that already returns JSON text as a packed value of one column. */
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

/** Concatenates packed values and literal JSON text. */
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
 * Selects the rows of a subquery as one text, with their number. A value that contains the separator gives too many fields for the number
 * of rows, and is detected by that.
 * @param alias of the new subquery; its columns are `n`, the number of rows, and `f`, their fields
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

/** Packs a list of rows. @param guard HAVING clause that limits the rows */
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

/** Packs one row. @param nullable `true` if the row may be missing */
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
