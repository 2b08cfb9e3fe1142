import type { changes } from '../../../core/doors/front.ts'
import { type Database, identifier, parameter, render, SvcError, sql } from '../../../core/doors/plugin.ts'
import type { BoundAction } from '../deliver/delivery.ts'

/** An entry of `[observers] handlers`: an event, and the SQL function or view to call for it. */
export interface HandlerOption {
  readonly event: string
  readonly target: string
}

const CALL = sql`SELECT `
/** Reads every column of every row, so that the functions that compute them run. */
const READ = sql`SELECT count(v::text) FROM `

/** Creates the action of an `observers.handlers` entry. It calls a SQL function with the event, or reads a view. */
export function bindHandler({ target }: HandlerOption, database: () => Database): BoundAction {
  let statement: Promise<{ readonly text: string; readonly takesEvent: boolean }> | null = null
  return {
    type: 'handler',
    targetOf: () => target,
    async run(change) {
      statement ??= findTarget(target, database()).catch((error: unknown) => {
        statement = null
        throw error
      })
      const { text, takesEvent } = await statement
      try {
        await database().query({ name: null, text }, takesEvent ? [payload(change)] : [], null)
        return { kind: 'done' }
      } catch (error) {
        // Any failure of a database may be temporary; the number of attempts is limited.
        return { kind: 'again', error: error instanceof Error ? error.message : String(error) }
      }
    },
  }
}

/**
 * Finds the SQL function or view of an `observers.handlers` entry.
 * @returns the statement, and whether it has the event as parameter
 * @throws SvcError SVC_CONFIG_INVALID when the database has neither
 */
export async function findTarget(
  target: string,
  database: Database,
): Promise<{ readonly text: string; readonly takesEvent: boolean }> {
  const { functions, relations } = await database.catalog({ relations: [target], functions: [target] })
  const [first = '', second] = target.split('.')
  const name = second === undefined ? identifier(first) : sql`${identifier(first)}.${identifier(second)}`
  const { placeholder } = database.dialect
  const isOne = functions.get(target)?.some(({ parameters: [first, ...rest] }) => {
    return first !== undefined && /^jsonb?$/.test(first.type) && rest.every(({ hasDefault }) => hasDefault)
  })
  if (isOne === true) {
    const argument = parameter({ read: () => null })
    return { text: render(sql`${CALL}${name}(${argument}::jsonb)`, placeholder).text, takesEvent: true }
  }
  if (relations.has(target)) {
    return { text: render(sql`${READ}${name} AS v`, placeholder).text, takesEvent: false }
  }
  const message = `[observers] handlers: "${target}" is no function of one jsonb and no view of this database.`
  throw new SvcError('SVC_CONFIG_INVALID', message)
}

function payload({ event, row, old, changed }: changes.ObservedChange): string {
  const { id, kind, entityType, entityId, user, tenant, time } = event
  return JSON.stringify({
    id,
    event: kind,
    entity: entityType,
    entity_id: entityId,
    timestamp: time,
    user_id: user,
    tenant_id: tenant,
    changed: [...changed],
    data: row,
    old,
  })
}
