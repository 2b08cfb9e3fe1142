import type { McpCall } from '../api.ts'
import type { OperationToolParts, PreparedTool } from './prepared-tool.ts'
import type { AskedOfTool } from './read-arguments.ts'
import { ToolErrors } from './tool-errors.ts'
import { NEXT_OFFSET } from './tool-schemas.ts'

/** Rows between two words about how far it is. */
const BATCH = 100

/**
 * Reads a page of a list from a cursor and tells how many rows there are so far. For clients that ask for it.
 * @returns JSON text of the data
 */
export async function readInBatches(
  { operation }: PreparedTool,
  { scope, streamMaker }: OperationToolParts,
  call: McpCall,
  asked: AskedOfTool,
): Promise<string> {
  const { limit, offset } = asked.arguments
  const most = typeof limit === 'number' ? limit : 0
  // One more, to see whether there is a next page. What is no number is refused as such.
  const args = typeof limit === 'number' && limit >= 0 ? { ...asked.arguments, limit: limit + 1 } : asked.arguments
  const prepared = streamMaker.make(operation, { ...asked, arguments: args })
  const { stream, errors } = await scope.engine.run(call.exchange, { ...prepared, form: 'rows', batchSize: BATCH })
  if (stream?.form !== 'rows') throw new ToolErrors(errors ?? [])
  const rows: string[] = []
  for await (const batch of stream) {
    rows.push(...batch)
    call.progress(Math.min(rows.length, most), most)
  }
  if (stream.errors.length > 0) throw new ToolErrors(stream.errors)
  const next = rows.length > most ? `,"${NEXT_OFFSET}":${Number(offset ?? 0) + most}` : ''
  return `{${JSON.stringify(operation.wireName)}:[${rows.slice(0, most).join(',')}]${next}}`
}
