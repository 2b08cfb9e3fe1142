import { errorAt } from '../../../base/errors/error-at.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { CallResult, Operation, RootCall } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import type { MaybePromise } from '../../../contract/stages.ts'
import { readMembers, writeMembers } from '../../json/json-text.ts'

/**
 * Runs a root field that a plugin answers with a function of its own. If the function throws, the field has an error.
 * @param responseKey response key of the field, for the path of the error
 * @param call the function, with nullability and location of the field
 * @returns JSON text of the value; `text: null`: the field failed and is non-null
 */
export async function runCall(
  exchange: Exchange,
  { variables }: Operation,
  responseKey: string,
  call: RootCall,
): Promise<CallResult> {
  try {
    const { text, errors } = await call.run(exchange, variables)
    return { text: text ?? (call.nullable ? 'null' : null), errors }
  } catch (error) {
    return { text: call.nullable ? 'null' : null, errors: [atCall(error, responseKey, call)] }
  }
}

function atCall(error: unknown, responseKey: string, { location }: RootCall): SvcError {
  const known =
    error instanceof SvcError
      ? error
      : new SvcError('INTERNAL_SERVER_ERROR', 'An internal error occurred.', { cause: error })
  const locations = known.locations ?? (location === null ? undefined : [location])
  return errorAt(known, { path: known.path ?? [responseKey], locations })
}

/**
 * Runs the root fields of a query that plugins answer, concurrently with the statement of the other root fields, and
 * merges the results.
 * @param read runs the other root fields
 */
export async function resolveWithCalls(
  exchange: Exchange,
  operation: Operation,
  read: () => MaybePromise<Result>,
): Promise<Result> {
  const calls = operation.template.roots.flatMap((root) =>
    root.kind === 'literal' && root.call !== undefined ? [{ key: root.responseKey, call: root.call }] : [],
  )
  const [result, ...answers] = await Promise.all([
    read(),
    ...calls.map(({ key, call }) => runCall(exchange, operation, key, call)),
  ])
  const errors = [...(result.errors ?? []), ...answers.flatMap((answer) => answer.errors)]
  const shown = errors.length === 0 ? null : errors
  if (result.data === null || answers.some(({ text }) => text === null)) return { data: null, errors: shown }
  const members = readMembers(result.data)
  for (const [index, { key }] of calls.entries()) members.set(key, answers[index]!.text as string)
  return { data: writeMembers(members), errors: shown }
}
