import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { type Bindings, Fault, type Prepared } from './library.ts'
import type { Answer, Value } from './protocol.ts'
import { toText, typeOf } from './value-text.ts'

/** The first write is small, so that the reader can start early; later ones grow to `MOST_BYTES`. */
const FIRST_BYTES = 16_384
const MOST_BYTES = 1_048_576
/** Rows between two checks for a reader. */
const ROWS_BETWEEN_LOOKS = 64

/**
 * Runs a SQLite statement and reads all of its rows.
 * @param maxBytes maximum size of the result in bytes; 0: no limit
 * @param withColumns `true` adds names and types of the columns
 * @throws Fault for an error of the statement, or a result that is too large
 */
export function collect(statement: Prepared, bindings: Bindings, maxBytes: number, withColumns: boolean): Answer {
  const rows: (string | null)[][] = []
  let first: readonly Value[] | undefined
  let bytes = 0
  statement.start(bindings)
  try {
    for (let values = statement.step(); values !== null; values = statement.step()) {
      first ??= values
      const row = values.map(toText)
      rows.push(row)
      if (maxBytes === 0) continue
      for (const text of row) bytes += text === null ? 0 : Buffer.byteLength(text)
      if (bytes > maxBytes) throw new Fault({ kind: 'too-large', result: 1, message: 'too large' })
    }
  } finally {
    statement.reset()
  }
  if (!withColumns) return { rows, columns: [], done: true }
  const columns = statement.columnNames().map((name, i) => ({ name, type: typeOf(first?.[i] ?? null) }))
  return { rows, columns, done: true }
}

/**
 * Writes the rows of a started SQLite statement to an existing file, one JSON row per line. It stops when the reader
 * removes the file, because this process receives no messages meanwhile.
 * @param to path of the file
 * @throws errors of the statement and of the file
 */
export function writeSpool(statement: Prepared, to: string): void {
  const file = openSync(to, 'r+')
  try {
    let lines = ''
    let enough = FIRST_BYTES
    let count = 0
    for (let values = statement.step(); values !== null; values = statement.step()) {
      if (++count % ROWS_BETWEEN_LOOKS === 0 && fstatSync(file).nlink === 0) return
      lines += `${JSON.stringify(values.map(toText))}\n`
      if (lines.length < enough) continue
      enough = Math.min(2 * enough, MOST_BYTES)
      writeSync(file, lines)
      lines = ''
    }
    writeSync(file, lines)
  } finally {
    closeSync(file)
  }
}
