import { type Bindings, Fault, type Prepared } from './library.ts'
import type { Answer, Value } from './protocol.ts'
import { toText, typeOf } from './value-text.ts'

/** All rows of a statement. @throws Fault */
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
