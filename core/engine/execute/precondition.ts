import type { Session } from '../../contract/database.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Precondition } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import { maskedErrors } from '../access/masked-errors.ts'
import type { ExecuteContext } from './context.ts'
import { prepareRead } from './prepare-read.ts'
import { finishText } from './read.ts'

/**
 * Runs the query of a precondition in the transaction of a write, and checks its result.
 * @throws the error of the check or of the statement; nothing is written
 */
export async function checkPrecondition(
  context: ExecuteContext,
  exchange: Exchange,
  { operation, check }: Precondition,
  session: Session,
): Promise<void> {
  check(await read())

  async function read(): Promise<Result> {
    const masked = maskedErrors(operation)
    // A result with denied parts is no basis for a check.
    if (masked.length > 0) return { data: null, errors: masked }
    const prepared = prepareRead(operation, exchange.generation.schema, context.settings)
    if (prepared.statement === null) return { data: prepared.constant, errors: null }
    const parameters = prepared.bind(operation.variables, exchange, undefined, operation.access)
    const { rows } = await session.query(prepared.statement, parameters)
    return finishText(operation, prepared, rows[0]?.[0] ?? 'null')
  }
}
