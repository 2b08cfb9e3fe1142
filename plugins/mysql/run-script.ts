import type { ConnectionAttempts } from './connection-options.ts'
import { connectRaw, runText } from './raw-connection.ts'
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
