import { type ArgumentModel, coerceInput, type Precondition, rootsOf } from '../../../core/doors/front.ts'
import {
  type FieldSelection,
  type HttpExchange,
  type Operation,
  parseJson,
  type Result,
  SvcError,
  writeJson,
} from '../../../core/doors/plugin.ts'
import { type ReadParts, refuseErrors } from '../read/serve-rows.ts'
import type { RestRoute } from '../routes/rest-route.ts'
import { bodyInput } from '../routes/writable-fields.ts'
import { typeRef } from '../template/embeds.ts'
import type { Unchanged } from './while-unchanged.ts'

/**
 * Completes the arguments of a PATCH whose SQL function expects all fields of a row. Fields that the body omits are
 * read from the row, if the caller may read them.
 * @param key values of the path arguments
 * @param unchanged receives whether the row has changed meanwhile
 * @returns arguments to add, and a precondition that the row has not changed
 * @throws SvcError NOT_FOUND; errors of the read
 */
export async function missingArguments(
  route: RestRoute,
  ctx: HttpExchange,
  key: Readonly<Record<string, unknown>>,
  body: unknown,
  { run }: Pick<ReadParts, 'run'>,
  unchanged: Unchanged,
): Promise<Filled> {
  const { resource, otherArguments, pathArguments } = route
  const [id] = pathArguments
  if (resource === null || id === undefined || bodyInput(otherArguments) !== null) return NOTHING
  if (typeof body !== 'object' || body === null) return NOTHING
  const absent = otherArguments.filter(
    ({ name, wireName }) => !Object.hasOwn(body, name) && !Object.hasOwn(body, wireName) && isFilled(route, wireName),
  )
  if (absent.length === 0) return NOTHING
  const { type } = resource
  const fields = absent.map(({ wireName }): FieldSelection => {
    const field = type.fields.get(wireName)!
    return {
      kind: 'field',
      responseKey: wireName,
      field,
      arguments: [],
      selection: null,
      location: null,
      unmasked: true,
    }
  })
  const keys = typeRef('[ID!]!')
  const operation: Operation = {
    template: {
      kind: 'query',
      name: null,
      roots: [
        {
          kind: 'rows',
          responseKey: 'rows',
          type,
          keys: { kind: 'variable', name: 'keys', type: keys },
          by: type.fields.has(id.wireName) ? id.wireName : 'id',
          selection: { kind: 'object', type, fields },
          location: null,
        },
      ],
      variables: [{ name: 'keys', type: keys, default: undefined }],
    },
    variables: { keys: [String(key[id.wireName])] },
  }
  const readRow = (result: Result): Readonly<Record<string, unknown>> => {
    refuseErrors(result)
    const [row] = parseJson(String(rootsOf(operation, result)[0]?.text ?? '[null]'), true) as (Record<
      string,
      unknown
    > | null)[]
    if (row === null || row === undefined) throw new SvcError('NOT_FOUND', 'There is no such row.')
    return row
  }
  const row = readRow(await run(ctx, operation))
  const seen = writeJson(row)
  return {
    args: Object.fromEntries(absent.map((argument) => [argument.wireName, storedValue(argument, row)])),
    precondition: { operation, check: (result) => unchanged.require(writeJson(readRow(result)) === seen) },
  }
}

interface Filled {
  readonly args: Readonly<Record<string, unknown>>
  readonly precondition: Precondition | null
}

const NOTHING: Filled = { args: {}, precondition: null }

/**
 * Tests whether a PATCH reads the value of an argument from the existing row when the body omits it.
 * @param wireName GraphQL name of the argument
 */
export function isFilled({ resource }: RestRoute, wireName: string): boolean {
  const field = resource?.type.fields.get(wireName)
  return field !== undefined && (field.named.kind === 'scalar' || field.named.kind === 'enum')
}

function storedValue({ wireName, type, named }: ArgumentModel, row: Readonly<Record<string, unknown>>): unknown {
  return coerceInput(type, named, row[wireName] ?? null, [wireName])
}
