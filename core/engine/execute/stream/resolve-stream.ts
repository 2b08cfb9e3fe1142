import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { ObjectSelection, Operation } from '../../../contract/operation.ts'
import type { PreparedStream } from '../../../contract/prepared-stream.ts'
import type { Result } from '../../../contract/result.ts'
import type { ColumnStream, RowStream, StreamForm } from '../../../contract/result-stream.ts'
import type { Row } from '../../../contract/statement.ts'
import type { MemberShape } from '../../json/value-shape.ts'
import { type StreamRoot, streamRootOf } from '../../plan/plan-stream.ts'
import type { ExecuteContext } from '../context/context.ts'
import { atRoot, isFatal, readFailure } from '../context/failure.ts'
import { readSettings } from '../context/session-settings.ts'
import { completionOf } from '../read/completion.ts'
import { prepareStream } from '../read/prepare-read.ts'
import { convertColumns, describeColumns } from './convert-columns.ts'
import { convertRows } from './convert-rows.ts'
import { OpenStream, type StreamParts } from './open-stream.ts'

const BATCH_SIZE = 500

/**
 * Runs a query that has one root field as a stream of its rows. It returns after the first batch was read, so that an
 * earlier failure is an ordinary error with an HTTP status.
 * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database), TIMEOUT (deadline passed); REQUEST_ERROR if the
 * operation cannot be streamed in this form
 */
export async function resolveStream(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  form: StreamForm,
): Promise<Result> {
  if (operation.template.kind !== 'query') throw new SvcError('REQUEST_ERROR', 'Only queries can be read as a stream.')
  const { schema } = exchange.generation
  const { dialect } = context.settings
  const streamed = streamRootOf(operation)
  const { root, selection } = streamed
  let prepared: PreparedStream | null = null

  function failureOf(error: unknown): SvcError {
    const guard = prepared === null ? null : dialect.errors.readGuard(error, prepared)
    const failure = guard ?? readFailure(dialect, error, schema, root.operation.source, selection)
    return isFatal(dialect.errors, failure) ? failure : atRoot(failure, root)
  }

  let source: AsyncIterator<readonly Row[]> | null = null
  let first: IteratorResult<readonly Row[]>
  try {
    prepared = prepareStream(operation, form, schema, context.settings)
    const parameters = prepared.bind(operation.variables, exchange, undefined, operation.access)
    const batchSize = operation.batchSize ?? BATCH_SIZE
    source = context
      .database()
      .stream(prepared.statement, parameters, { cancel: exchange, batchSize, settings: readSettings(operation) })
      [Symbol.asyncIterator]()
    first = await source.next()
  } catch (error) {
    const failure = failureOf(error)
    if (isFatal(dialect.errors, failure)) throw failure
    return { data: null, errors: [failure] }
  }
  const { streamIdleMs: idleMs, maxResultBytes } = context
  const key = root.responseKey
  const parts = { key, source, first, exchange, idleMs, failureOf }
  const item = itemShape(operation, streamed)
  const stream =
    prepared.form === 'rows'
      ? openRows({ ...parts, convert: convertRows(prepared, item, key, maxResultBytes) })
      : openColumns(
          { ...parts, convert: convertColumns(prepared, item.shape.members!, key, maxResultBytes) },
          selection as ObjectSelection,
        )
  return { data: null, errors: null, stream }
}

function openRows(parts: StreamParts<string>): RowStream {
  return Object.assign(new OpenStream(parts), { form: 'rows' as const })
}

function openColumns(parts: StreamParts<Row>, selection: ObjectSelection): ColumnStream {
  return Object.assign(new OpenStream(parts), { form: 'columns' as const, columns: describeColumns(selection) })
}

/** Returns the shape of a row. */
function itemShape({ template }: Operation, { path }: StreamRoot): MemberShape {
  let member = completionOf(template).roots[0]!
  for (const key of path.slice(1)) member = member.shape.members!.get(key)!
  return { ...member, shape: member.shape.items! }
}
