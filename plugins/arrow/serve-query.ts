import {
  type ColumnStream,
  type FieldChoice,
  fieldChoice,
  http,
  type OperationMaker,
  shorten,
  streamBody,
} from '../../core/doors/front.ts'
import {
  type Engine,
  type HttpExchange,
  listNames,
  type ObjectType,
  type Operation,
  type Pipeline,
  type QueryModel,
  type Reply,
  type Result,
  SvcError,
} from '../../core/doors/plugin.ts'
import { ArrowWriter } from './arrow-writer.ts'
import { columnForms } from './column-form.ts'
import type { Arrow } from './load-arrow.ts'
import type { ArrowOptions } from './options.ts'
import { readRequest } from './read-request.ts'
import type { StreamSlots } from './stream-slots.ts'

/** Media type in the IANA registry. */
const MEDIA_TYPE = 'application/vnd.apache.arrow.stream'

export interface ServeParts {
  readonly arrow: Arrow
  readonly options: ArrowOptions
  readonly slots: StreamSlots
  /** Makes the operations to run, for the loaded schema that has the query. */
  readonly maker: OperationMaker
  readonly run: Engine['run']
  readonly show: Pipeline['toPublicError']
}

/**
 * Creates the handler of a columnar query. It streams record batches from a database cursor, no faster than the client
 * reads. An error after the first rows closes the connection before the end-of-stream mark, so that clients do not
 * mistake partial data for the whole result.
 */
export function serveQuery(query: QueryModel, parts: ServeParts): (ctx: HttpExchange) => Promise<Reply> {
  const { arrow, options, slots, maker, run, show } = parts
  const known = maker.argumentsOf(query)
  const type = query.named as ObjectType
  // A relation is no column.
  const stored = new Set(
    [...type.fields.values()].flatMap((field) => (field.read?.from === 'relation' ? [] : field.wireName)),
  )

  return async (ctx) => {
    http.acceptable(ctx.headers.accept, [MEDIA_TYPE])
    http.announceDeprecated(ctx, query.deprecated)
    const { columns, args } = await readRequest(ctx, query, known)
    const fields = columns === null ? undefined : choiceOf(type, stored, columns)
    const operation: Operation = { ...maker.make(query, { arguments: args, fields }), form: 'columns' }
    const free = slots.take()
    let stream: ColumnStream
    try {
      stream = await columnsOf(await run(ctx, operation))
    } catch (error) {
      free()
      throw error
    }
    stream.onClose(free)
    // The request timeout applied to the first rows. From here on, it limits how long the client may take to read.
    ctx.liftDeadline()
    const writer = new ArrowWriter(arrow, columnForms(arrow, stream.columns, query), options)
    const broken = (error: unknown): Error => {
      // `show` logs the error. The reply has begun, so it cannot be sent to the client.
      show(error, ctx)
      return error instanceof Error ? error : new Error(String(error))
    }
    const end = (error: unknown): Uint8Array => {
      const failure = error ?? stream.errors[0]
      if (failure !== undefined && failure !== null) throw broken(failure)
      try {
        return writer.end()
      } catch (fault) {
        throw broken(fault)
      }
    }
    return {
      status: 200,
      headers: { 'content-type': MEDIA_TYPE, 'cache-control': 'no-store', vary: 'Accept' },
      body: streamBody(stream, (rows) => writer.write(rows), end),
    }
  }
}

/** Returns the stream. @throws SvcError error of the query. A masked column is an error too, although the result has rows */
async function columnsOf({ stream, errors }: Result): Promise<ColumnStream> {
  if (stream?.form === 'columns' && errors === null) return stream
  await stream?.close()
  throw errors?.[0] ?? new Error('A stream of columns was asked for, and there is none')
}

/** Checks the requested columns. @param stored wire names of stored fields @throws SvcError VALIDATION_ERROR */
function choiceOf({ name }: ObjectType, stored: ReadonlySet<string>, names: readonly string[]): FieldChoice {
  if (names.length === 0) throw refused('name at least one column')
  const unknown = names.find((one) => !stored.has(one))
  if (unknown !== undefined)
    throw refused(`"${shorten(unknown, 100)}" is no column of ${name}. There are: ${listNames(stored, 40)}`)
  return fieldChoice(names)
}

function refused(reason: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `columns: ${reason}.`, { details: { parameter: 'columns' } })
}
