import { closeSync, openSync, writeSync } from 'node:fs'
import type { Prepared } from './library.ts'
import { toText } from './value-text.ts'

/** The first rows at once: whoever waits for them begins with what is there. */
const FIRST_BYTES = 16_384
const MOST_BYTES = 1_048_576

/**
 * The rows of a statement that has been started, in a file that is written anew: a row in JSON per line.
 * @throws what the statement and the file throw
 */
export function writeSpool(statement: Prepared, to: string): void {
  const file = openSync(to, 'w', 0o600)
  try {
    let lines = ''
    let enough = FIRST_BYTES
    for (let values = statement.step(); values !== null; values = statement.step()) {
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
