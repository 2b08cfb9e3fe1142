import { SvcError } from '../../base/errors/svc-error.ts'
import type { Session } from '../../contract/database.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PreparedWrite } from '../../contract/prepared-write.ts'
import type { ExecuteContext } from './context.ts'
import { storedDataFailure } from './failure.ts'
import { prepareRowsByKeys } from './prepare-read.ts'
import type { ReadEntity } from './write-answer.ts'

/** Converts the error about an invalid id, which is a fault of the function and not of the client. Other errors are returned unchanged. */
function noId(read: SvcError, { root }: PreparedWrite, typeName: string, error: unknown): unknown {
  if (read.code !== 'BAD_USER_INPUT') return error
  const message = `Function "${root.operation.function.name}" gave an id that no ${typeName} can have. Nothing was written.`
  return new SvcError('INTERNAL_SERVER_ERROR', message, { cause: error })
}

/** Creates the function that reads entities of a mutation's root field from their sources, inside its transaction. */
export function createEntityReader(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  write: PreparedWrite,
  session: Session,
): ReadEntity {
  const { schema } = exchange.generation
  const { settings } = context
  const { variables } = operation
  const { responseKey } = write.root
  return async (target, typeName, id) => {
    const selection = target.possible.get(typeName)!
    const kind = `entity ${responseKey} ${target.at ?? ''} ${typeName}`
    const read = { key: responseKey, type: selection.type, selection, many: false }
    const prepared = prepareRowsByKeys(operation, kind, read, schema, settings)
    const { statement } = prepared
    if (statement === null) throw new Error('Rows are read with a statement')
    try {
      const { rows } = await session.query(statement, prepared.bind(variables, exchange, [id], operation.access))
      return rows[0]?.[0] ?? null
    } catch (error) {
      const { dialect } = settings
      const guard = dialect.errors.readGuard(error, prepared)
      const failure = guard ?? storedDataFailure(dialect, error, schema, selection.type.source, selection)
      throw failure ?? noId(dialect.errors.read(error), write, typeName, error)
    }
  }
}
