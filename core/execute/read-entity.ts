import type { PreparedWrite } from '../dialects/postgres/mutation/write.ts'
import { readGuardError } from '../dialects/postgres/read-guard-error.ts'
import type { Session } from '../front/database.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import { prepareEntityRead } from '../plan/entity.ts'
import { cachedPlan } from '../plan/plan-cache.ts'
import type { ExecuteContext } from './context.ts'
import { storedDataFailure } from './failure.ts'
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
    const { type } = selection
    const prepared = cachedPlan(operation, kind, schema, settings, (keep) =>
      prepareEntityRead({ schema, settings, variables, responseKey, type, selection, many: false, keep }),
    )
    const parameters = prepared.bind([id], variables, exchange)
    try {
      const { rows } = await session.query(prepared.statement, parameters)
      return rows[0]?.[0] ?? null
    } catch (error) {
      throw readGuardError(error, prepared) ?? storedDataFailure(error, schema, type.source, selection) ?? error
    }
  }
}
