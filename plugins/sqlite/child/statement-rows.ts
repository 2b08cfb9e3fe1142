import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { type Bindings, Fault, type Prepared } from './library.ts'
import type { Answer, Value } from './protocol.ts'
import { toText, typeOf } from './value-text.ts'

/** The first write is small, so that the reader can start early; later ones grow to `MOST_BYTES`. */
const FIRST_BYTES = 16_384
const MOST_BYTES = 1_048_576
/** Rows between two checks for a reader. */
const ROWS_BETWEEN_LOOKS = 64

/** Reads all rows of a statement. @throws Fault */
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
 * Writes the rows of a started statement to an existing file, one JSON row per line. The reader removes the file when it needs no
 * more rows, which ends the writing: the process is busy with the statement and receives no messages.
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
