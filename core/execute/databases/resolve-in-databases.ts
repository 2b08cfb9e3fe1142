import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { MaybePromise } from '../../kernel/stages.ts'
import { DEFAULT_DATABASE } from '../../util/database-name.ts'
import { joinResults } from './join-results.ts'
import { type OperationPart, splitOperation } from './split-operation.ts'
import { isOutage, unavailable } from './unavailable.ts'

/** Runs an operation whose roots are all of one database. */
export type RunPart = (exchange: Exchange, operation: Operation, database: string | undefined) => MaybePromise<Result>

/**
 * Runs an operation on the databases that its roots are of: those of a query at the same time, each with one statement; those of
 * a mutation one after the other. A database that cannot be had fails its own roots; where the default one alone is asked, the request.
 * @throws SvcError SERVICE_UNAVAILABLE, TIMEOUT; REQUEST_ERROR: a transaction would be of two databases
 */
export async function resolveInDatabases(
  exchange: Exchange,
  operation: Operation,
  maxResultBytes: number,
  run: RunPart,
): Promise<Result> {
  const isWrite = operation.template.kind === 'mutation'
  const { schema } = exchange.generation
  const parts = splitOperation(operation, schema, isWrite)
  if (isWrite) checkManner(operation, parts, schema)
  const [first, ...others] = parts as readonly [OperationPart, ...OperationPart[]]
  if (others.length === 0 && first.database === undefined) return run(exchange, operation, undefined)
  const answer = async ({ database, template }: OperationPart): Promise<Result> => {
    try {
      return await run(exchange, template === operation.template ? operation : { ...operation, template }, database)
    } catch (error) {
      if (!isOutage(error) || operation.form !== undefined) throw error
      return unavailable(template, database, error)
    }
  }
  if (others.length === 0) return answer(first)
  return joinResults(operation.template, await answerAll(parts, answer, isWrite), maxResultBytes)
}

async function answerAll(
  parts: readonly OperationPart[],
  answer: (part: OperationPart) => Promise<Result>,
  inSeries: boolean,
): Promise<readonly Result[]> {
  if (!inSeries) return Promise.all(parts.map(answer))
  const results: Result[] = []
  for (const part of parts) {
    const result = await answer(part)
    results.push(result)
    // A root that may not be null has failed: nothing behind it is run.
    if (result.data === null) break
  }
  return results
}

/** A transaction is of one database: what has to stand or fall together cannot be of two. */
function checkManner(
  { write }: Operation,
  parts: readonly OperationPart[],
  schema: Exchange['generation']['schema'],
): void {
  if (write === undefined) return
  const { atomic, preconditions = [] } = write
  const asked = preconditions.flatMap(({ operation }) => splitOperation(operation, schema, false))
  if (atomic !== true && preconditions.length === 0) return
  const names = new Set([...parts, ...asked].map(({ database }) => database ?? DEFAULT_DATABASE))
  if (names.size < 2) return
  throw new SvcError(
    'REQUEST_ERROR',
    `A transaction is of one database, and this would be of ${[...names].map((name) => `"${name}"`).join(' and ')}. Send them one after the other.`,
  )
}
