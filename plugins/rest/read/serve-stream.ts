import { streamBody } from '../../../core/doors/front.ts'
import type { Exchange, HttpExchange, Operation, PublicError, Reply, Result } from '../../../core/doors/plugin.ts'
import { withoutCountMarks } from '../template/mark.ts'

/** Tells a client of an error that comes when half of the answer is sent. */
export type ShowError = (error: unknown, exchange: Exchange) => PublicError

/**
 * Rows as lines of JSON, from a cursor: the next batch is read when the client has taken the last. What fails on the way is the
 * last line, `{ "error": … }`.
 */
export async function serveStream(
  ctx: HttpExchange,
  operation: Operation,
  result: Result,
  counts: boolean,
  show: ShowError,
): Promise<Reply> {
  const { stream } = result
  if (stream === undefined || stream.form !== 'rows') throw new Error('A stream was asked for, and there is none')
  const line = (row: string): string => {
    const text = counts ? withoutCountMarks(row) : row
    // Outside of texts, where JSON is kept as it was written, line breaks are white space.
    return `${/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text}\n`
  }
  const end = (error: unknown): string => {
    const failure = error ?? stream.errors[0]
    if (failure === undefined || failure === null) return ''
    const { code, message, details } = show(failure, ctx)
    return `${JSON.stringify({ error: { code, message, details } })}\n`
  }
  return {
    status: 200,
    headers: {
      'content-type': 'application/x-ndjson',
      'cache-control': 'no-store',
      vary: 'Accept, Prefer',
      'x-stream-batch-size': String(operation.batchSize),
    },
    body: streamBody(stream, (batch) => batch.map(line).join(''), end),
  }
}
