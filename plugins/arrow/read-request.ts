import { type ArgumentShapes, queryStrings, shorten } from '../../core/doors/front.ts'
import {
  didYouMean,
  type HttpExchange,
  listNames,
  type QueryModel,
  readJson,
  SvcError,
} from '../../core/doors/plugin.ts'

/** Parameters of a request for a columnar query, from the query string or the body. */
export interface ArrowRequest {
  /** GraphQL names of the requested columns, in the order of the request; `null`: all columns. */
  readonly columns: readonly string[] | null
  /** Arguments of the query by GraphQL name, before conversion to their types. */
  readonly args: Readonly<Record<string, unknown>>
}

const COLUMNS = 'columns'

/**
 * Reads the parameters of a request from the query string (GET), or from the query string and a JSON object with the
 * same names (POST).
 * @param known types of the query's arguments, for conversion from the query string
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST, VALIDATION_ERROR, INVALID_JSON, UNSUPPORTED_MEDIA_TYPE,
 * PAYLOAD_TOO_LARGE
 */
export async function readRequest(ctx: HttpExchange, query: QueryModel, known: ArgumentShapes): Promise<ArrowRequest> {
  const request = ctx.method === 'POST' ? fromBody(await readJson(ctx, { optional: true })) : NOTHING
  return { ...request, ...fromQueryString(ctx.queryString, request, query, known) }
}

const NOTHING: ArrowRequest = { columns: null, args: {} }

function fromBody(body: unknown): ArrowRequest {
  if (body === undefined) return NOTHING
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new SvcError('BAD_REQUEST', 'The body has to be an object with parameters: {"columns": ["id"], "limit": 10}.')
  const { [COLUMNS]: columns = null, ...args } = body as Readonly<Record<string, unknown>>
  if (columns === null) return { columns: null, args }
  if (!Array.isArray(columns) || columns.some((one) => typeof one !== 'string'))
    throw invalid(COLUMNS, 'it is a list of names')
  return { columns: columns as string[], args }
}

function fromQueryString(
  text: string,
  { columns, args }: ArrowRequest,
  query: QueryModel,
  known: ArgumentShapes,
): ArrowRequest {
  let names = columns
  const given: Record<string, unknown> = { ...args }
  for (const { name, value } of queryStrings.readPairs(text)) {
    if (name === COLUMNS ? names !== null : Object.hasOwn(given, name))
      throw new SvcError('BAD_REQUEST', `The parameter "${name}" is given twice.`, { details: { parameter: name } })
    if (name === COLUMNS) names = listOf(value)
    else given[name] = valueFor(name, value, query, known)
  }
  const unknown = Object.keys(given).find((name) => !known.has(name))
  if (unknown !== undefined) throw unknownParameter(unknown, known)
  return { columns: names, args: given }
}

function listOf(text: string): readonly string[] {
  try {
    return queryStrings.splitList(text)
  } catch (error) {
    throw invalid(COLUMNS, (error as Error).message)
  }
}

function valueFor(name: string, text: string, query: QueryModel, known: ArgumentShapes): unknown {
  const argument = known.get(name)
  if (argument === undefined) throw unknownParameter(name, known)
  try {
    return queryStrings.textValue(text, argument.type, argument.shape, query.arguments.get(name)?.named ?? null)
  } catch (error) {
    throw invalid(name, (error as Error).message)
  }
}

function unknownParameter(name: string, known: ArgumentShapes): SvcError {
  const available = [COLUMNS, ...known.keys()]
  const hint = didYouMean(name, available)
  return new SvcError(
    'UNKNOWN_PARAMETER',
    `There is no parameter "${shorten(name, 100)}".${hint} Available: ${listNames(available, 40)}.`,
    { details: { parameter: shorten(name, 100), available } },
  )
}

function invalid(parameter: string, reason: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `${parameter}: ${reason}.`, { details: { parameter } })
}
