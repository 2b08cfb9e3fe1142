import type { ConnectionAttempts } from './connection-options.ts'
import { connectRaw, type RawConnection } from './raw-connection.ts'
import { readFailure } from './read-error.ts'

/**
 * Runs a script of several statements on a connection of its own, with the server's `sql_mode`, so that it means what
 * it means in the command-line client. `DELIMITER` lines are understood.
 * @throws the error of the first statement that fails; those before it stay
 */
export async function runScript(attempts: ConnectionAttempts, sql: string): Promise<void> {
  const raw = await connectRaw(attempts, { multipleStatements: true }).catch((error: unknown) => {
    throw readFailure(error)
  })
  try {
    await runText(raw, "SET NAMES utf8mb4, SESSION time_zone = '+00:00'")
    for (const part of partsOf(sql)) await runText(raw, part)
  } catch (error) {
    throw readFailure(error)
  } finally {
    raw.end(() => raw.stream.destroy())
  }
}

const DELIMITER = /^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*$/gim

/** Splits a script at its `DELIMITER` lines. The server itself splits at semicolons, and knows the bodies of procedures. */
export function partsOf(sql: string): readonly string[] {
  const parts: string[] = []
  let delimiter = ';'
  let start = 0
  const add = (text: string): void => {
    const pieces = delimiter === ';' ? [text] : text.split(delimiter)
    parts.push(...pieces.filter((piece) => piece.trim() !== ''))
  }
  for (const found of sql.matchAll(DELIMITER)) {
    add(sql.slice(start, found.index))
    delimiter = found[1]!
    start = found.index + found[0].length
  }
  add(sql.slice(start))
  return parts
}

/** Runs SQL without parameters, and returns the rows of its last result. For set-up and scripts. */
export function runText(raw: RawConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return new Promise((resolve, reject) => {
    let rows: (readonly unknown[])[] = []
    let failure: Error | null = null
    const done = (error: Error | null): void => {
      raw.removeListener('error', done)
      if (error === null) resolve(rows)
      else reject(error)
    }
    raw.once('error', done)
    raw
      .query({ sql })
      .on('fields', () => {
        rows = []
      })
      .on('result', (row) => {
        if (Array.isArray(row)) rows.push(row)
      })
      .on('error', (error) => {
        failure = error
      })
      .on('end', () => done(failure))
  })
}
