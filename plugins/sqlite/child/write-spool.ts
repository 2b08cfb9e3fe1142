import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import type { Prepared } from './library.ts'
import { toText } from './value-text.ts'

/** The first rows at once: whoever waits for them begins with what is there. */
const FIRST_BYTES = 16_384
const MOST_BYTES = 1_048_576
/** So often it is asked whether anybody still reads. */
const ROWS_BETWEEN_LOOKS = 64

/**
 * The rows of a statement that has been started, in a file that is there: a row in JSON per line. Whoever reads it
 * removes the file when it has enough, which ends the writing: the process is in its statement and hears nothing else.
 * @throws what the statement and the file throw
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
