import { mayCall, rootsOf } from '../../../core/doors/front.ts'
import {
  type Exchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Result,
  SvcError,
} from '../../../core/doors/plugin.ts'
import type { McpCall } from '../api.ts'
import { metaOf } from '../protocol/message.ts'
import { hasStructuredContent } from '../protocol/versions.ts'
import type { OperationToolParts, PreparedTool } from './prepared-tool.ts'
import { type AskedOfTool, readArguments } from './read-arguments.ts'
import { readInBatches } from './read-in-batches.ts'
import { ToolErrors } from './tool-errors.ts'
import { NEXT_OFFSET } from './tool-schemas.ts'

/**
 * Runs the operation of a tool through the one guarded pipeline.
 * @returns JSON text of the result: the data, as text and structured
 * @throws SvcError, ToolErrors
 */
export async function callOperation(tool: PreparedTool, parts: OperationToolParts, call: McpCall): Promise<string> {
  const { exchange } = call
  const prepared = prepare(tool, parts, call)
  const { asked, operation } = isPromise(prepared) ? await prepared : prepared
  const isWhole = tool.operation.kind === 'mutation' && asked.fields !== undefined
  const data =
    tool.streams && wantsProgress(call)
      ? await readInBatches(tool, parts, call, asked)
      : dataOf(tool, operation, await run(parts, exchange, isWhole ? { ...operation, write: WHOLE } : operation))
  return resultOf(data, call.version)
}

/** Fields that are asked for by name: an answer without them is an error, and then nothing is written. */
const WHOLE = { complete: true }

interface Prepared {
  readonly asked: AskedOfTool
  readonly operation: Operation
}

/** What is wrong with its arguments is told to who may call it: to others it would tell what it takes. */
function prepare(tool: PreparedTool, { scope, maker }: OperationToolParts, call: McpCall): MaybePromise<Prepared> {
  try {
    const asked = readArguments(tool, call.arguments)
    return { asked, operation: maker.make(tool.operation, asked) }
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

/** An answer has all that was asked for, or it is an error. */
async function run({ scope }: OperationToolParts, exchange: Exchange, operation: Operation): Promise<Result> {
  const result = await scope.engine.run(exchange, operation)
  if (result.errors !== null && result.errors.length > 0) throw new ToolErrors(result.errors)
  return result
}

/** JSON text of an object: the value under the name of the operation, and where the next page begins. */
function dataOf({ operation, isPaged }: PreparedTool, asked: Operation, result: Result): string {
  const whole = String(result.text ?? result.data)
  const [selected] = asked.template.roots
  if (selected?.kind !== 'operation' || selected.lookAhead !== true) return whole
  // The row that looks ahead is not part of the page.
  const [root] = rootsOf(asked, result)
  const items = root?.items
  if (root === undefined || items === null || items === undefined) return whole
  const rows = `[${items}]`
  const name = JSON.stringify(operation.wireName)
  const value = root.totalCount === null ? wrapOf(operation, rows) : `{"totalCount":${root.totalCount},"items":${rows}}`
  return `{${name}:${value}${isPaged && root.hasNext ? nextPage(asked, root.rows ?? 0) : ''}}`
}

function wrapOf(operation: PreparedTool['operation'], rows: string): string {
  return operation.kind === 'query' && operation.autoParams.total_count ? `{"items":${rows}}` : rows
}

function nextPage({ variables: { offset } }: Operation, rows: number): string {
  return `,"${NEXT_OFFSET}":${Number(offset ?? 0) + rows}`
}

/** Clients that know structured content are told both, as the protocol wants it; models read the text. */
export function resultOf(data: string, version: string): string {
  const structured = hasStructuredContent(version) ? `,"structuredContent":${data}` : ''
  return `{"content":[{"type":"text","text":${JSON.stringify(data)}}]${structured},"isError":false}`
}
