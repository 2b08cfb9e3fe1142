import { mayCall, rootsOf } from '../../../core/doors/front.ts'
import {
  type Exchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import { metaOf } from '../protocol/message.ts'
import { hasStructuredContent } from '../protocol/versions.ts'
import type { McpCall } from './mcp-tool.ts'
import type { OperationToolParts, PreparedTool } from './prepared-tool.ts'
import { readArguments, type ToolRequest } from './read-arguments.ts'
import { ToolErrors } from './tool-errors.ts'
import { NEXT_OFFSET } from './tool-schemas.ts'

/**
 * Runs the query or mutation of an MCP tool, with the access rules of other APIs.
 * @returns JSON text of the tool result
 * @throws SvcError, ToolErrors
 */
export async function callOperation(tool: PreparedTool, parts: OperationToolParts, call: McpCall): Promise<string> {
  const { exchange } = call
  const prepared = prepare(tool, parts, call)
  const { requested, operation } = isPromise(prepared) ? await prepared : prepared
  const isWhole = tool.operation.kind === 'mutation' && requested.fields !== undefined
  const data =
    tool.streams && wantsProgress(call)
      ? await readInBatches(tool, parts, call, requested)
      : dataOf(tool, operation, await run(parts, exchange, isWhole ? { ...operation, write: WHOLE } : operation))
  return resultOf(data, call.version)
}

/** For calls that name fields: a result without one of them is an error, and nothing is written. */
const WHOLE = { complete: true }

interface Prepared {
  readonly requested: ToolRequest
  readonly operation: Operation
}

/** Checks access before it reports invalid arguments, because the report would reveal the arguments of the tool. */
function prepare(tool: PreparedTool, { scope, maker }: OperationToolParts, call: McpCall): MaybePromise<Prepared> {
  try {
    const requested = readArguments(tool, call.arguments)
    return { requested, operation: maker.make(tool.operation, requested) }
  } catch (error) {
    return refuse(mayCall(scope.engine, call.exchange, tool.operation), call.exchange, error)
  }
}

async function refuse(may: MaybePromise<boolean>, { auth }: Exchange, error: unknown): Promise<never> {
  if (await may) throw error
  if (auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
  throw new SvcError('FORBIDDEN', 'Access denied')
}

function wantsProgress({ params }: McpCall): boolean {
  return metaOf(params).progressToken !== undefined
}

/** A result with errors is an error as a whole. */
async function run({ scope }: OperationToolParts, exchange: Exchange, operation: Operation): Promise<Result> {
  const result = await scope.engine.run(exchange, operation)
  if (result.errors !== null && result.errors.length > 0) throw new ToolErrors(result.errors)
  return result
}

/** Writes the data as JSON: the value under the name of the operation, and the offset of the next page. */
function dataOf({ operation, isPaged }: PreparedTool, requested: Operation, result: Result): string {
  const whole = String(result.text ?? result.data)
  const [selected] = requested.template.roots
  if (selected?.kind !== 'operation' || selected.lookAhead !== true) return whole
  // The extra row, which shows that there is a next page, is not part of the page.
  const [root] = rootsOf(requested, result)
  const items = root?.items
  if (root === undefined || items === null || items === undefined) return whole
  const rows = `[${items}]`
  const name = JSON.stringify(operation.wireName)
  const value = root.totalCount === null ? wrapOf(operation, rows) : `{"totalCount":${root.totalCount},"items":${rows}}`
  return `{${name}:${value}${isPaged && root.hasNext ? nextPage(requested, root.rows ?? 0) : ''}}`
}

function wrapOf(operation: PreparedTool['operation'], rows: string): string {
  return operation.kind === 'query' && operation.autoParams.total_count ? `{"items":${rows}}` : rows
}

function nextPage({ variables: { offset } }: Operation, rows: number): string {
  return `,"${NEXT_OFFSET}":${Number(offset ?? 0) + rows}`
}

/**
 * Writes the result of an MCP tool call. The data appears as text and, if the revision has it, as structured content.
 * @param data JSON text
 * @param version protocol revision
 */
export function resultOf(data: string, version: string): string {
  const structured = hasStructuredContent(version) ? `,"structuredContent":${data}` : ''
  return `{"content":[{"type":"text","text":${JSON.stringify(data)}}]${structured},"isError":false}`
}

/** Rows between two progress notifications. */
const BATCH = 100

/**
 * Reads a page of a list from a cursor and reports progress. For clients that request progress.
 * @returns JSON text of the data
 */
async function readInBatches(
  { operation }: PreparedTool,
  { scope, streamMaker }: OperationToolParts,
  call: McpCall,
  requested: ToolRequest,
): Promise<string> {
  const { limit, offset } = requested.arguments
  const most = typeof limit === 'number' ? limit : 0
  // One row more shows whether there is a next page. The engine rejects a limit that is no number.
  const args =
    typeof limit === 'number' && limit >= 0 ? { ...requested.arguments, limit: limit + 1 } : requested.arguments
  const prepared = streamMaker.make(operation, { ...requested, arguments: args })
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
