import type { Session } from '../contract/database.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { PreparedWrite } from '../dialects/prepared-write.ts'
import type { ExecuteContext } from './context.ts'
import { storedDataFailure } from './failure.ts'
import { prepareRowsByKeys } from './prepare-read.ts'
import type { ReadEntity } from './write-answer.ts'

/** Reads entities of one mutation root from their sources, inside its transaction. */
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
      throw guard ?? storedDataFailure(dialect, error, schema, selection.type.source, selection) ?? error
    }
  }
}
