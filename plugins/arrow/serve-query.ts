import {
  acceptable,
  announceDeprecated,
  type ColumnStream,
  type FieldChoice,
  fieldChoice,
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

/** Of the IANA registry. */
const MEDIA_TYPE = 'application/vnd.apache.arrow.stream'

export interface ServeParts {
  readonly arrow: Arrow
  readonly options: ArrowOptions
  readonly slots: StreamSlots
  /** Of the generation. */
  readonly maker: OperationMaker
  readonly run: Engine['run']
  readonly show: Pipeline['toPublicError']
}

/**
 * The handler of a columnar query: parameters in, a stream of record batches out, with back-pressure from the client to the
 * cursor. What fails behind the first rows breaks the connection before the stream's end mark, so that nobody takes half of
 * the rows for all of them.
 */
export function serveQuery(query: QueryModel, parts: ServeParts): (ctx: HttpExchange) => Promise<Reply> {
  const { arrow, options, slots, maker, run, show } = parts
  const known = maker.argumentsOf(query)
  const type = query.named as ObjectType
  // Other rows are no column.
  const stored = new Set(
    [...type.fields.values()].flatMap((field) => (field.read?.from === 'relation' ? [] : field.wireName)),
  )

  return async (ctx) => {
    acceptable(ctx.headers.accept, [MEDIA_TYPE])
    announceDeprecated(ctx, query.deprecated)
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
    // The time of a request bounds the wait for the first rows; from here on it bounds that for whoever takes them.
    ctx.liftDeadline()
    const writer = new ArrowWriter(arrow, columnForms(arrow, stream.columns, query), options)
    const broken = (error: unknown): Error => {
      // It is logged there. Of the client's connection nothing is left that could say it.
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

/** @throws SvcError what the query was refused with: what is masked is an error beside rows that nobody will read */
async function columnsOf({ stream, errors }: Result): Promise<ColumnStream> {
  if (stream?.form === 'columns' && errors === null) return stream
  await stream?.close()
  throw errors?.[0] ?? new Error('A stream of columns was asked for, and there is none')
}

/** @param stored names on the wire of what a row stores @throws SvcError VALIDATION_ERROR */
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
