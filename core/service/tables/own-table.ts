import { SvcError } from '../../base/errors/svc-error.ts'
import { listNames } from '../../base/util/nearest.ts'
import type { Scope } from '../../contract/scope.ts'
import type { TableDefinition } from '../../contract/table.ts'
import { makeTable, stateOf } from './make-table.ts'

/** A table that a plugin has requested with {@link ownTable}. */
export interface OwnTable {
  /**
   * Resolves when the table exists.
   * @throws SvcError SERVICE_UNAVAILABLE: the database is unreachable; SVC_TABLE_MISSING: svc cannot create or use it
   */
  readonly ready: () => Promise<void>
}

/**
 * Ensures that a table of a plugin exists before the service listens. It creates the table if `svc.create_tables` and
 * the role of the connection allow that; otherwise the boot fails with the command to run. If the database is
 * unreachable, the check is postponed to the first use. Call it during set-up. The manifest must list the table in
 * `tables`.
 */
export function ownTable(scope: Scope, table: TableDefinition): OwnTable {
  const mayMake = scope.config.svc.create_tables
  let seenTo: Promise<void> | null = null

  async function seeTo(): Promise<void> {
    const database = scope.database()
    const { missing: lacking, unfit, elsewhere } = await stateOf(database, table)
    if (unfit !== null) throw new SvcError('SVC_TABLE_MISSING', unfit)
    if (elsewhere.length > 0) warnOfTwo(scope, table, elsewhere)
    if (lacking.length === 0) return
    if (!mayMake) throw missing(scope, table, 'svc.create_tables is false')
    try {
      await makeTable(database, table)
    } catch (error) {
      if (error instanceof SvcError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'SVC_TABLE_MISSING')) {
        throw error
      }
      throw missing(scope, table, (error as Error).message, error)
    }
  }

  function ready(): Promise<void> {
    seenTo ??= seeTo().catch((error: unknown) => {
      seenTo = null
      throw error
    })
    return seenTo
  }

  scope.onReady(async () => {
    try {
      await ready()
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      const message = `The table ${table.name} could not be seen to, because the database is away; what needs it waits for it.`
      scope.signals.emit({ type: 'warning', plugin: scope.plugin, message })
    }
  })
  return { ready }
}

/** Warns of a second table of the same name. Processes whose roles have another search_path would use that one. */
function warnOfTwo({ plugin, signals }: Scope, { name }: TableDefinition, schemas: readonly string[]): void {
  const message =
    `Plugin "${plugin}" keeps its things in the table ${name} that the search_path of its role finds or has made, and there is one in ${listNames(schemas)}, too. ` +
    'All processes of a service need one and the same: give their roles one search_path (ALTER ROLE … SET search_path).'
  signals.emit({ type: 'warning', plugin, message })
}

function missing({ plugin }: Scope, { name }: TableDefinition, why: string, cause?: unknown): SvcError {
  const message =
    `Plugin "${plugin}" needs the table ${name}, which is not there or too old, and cannot be made here: ${why}. ` +
    'Run `svc tables --apply` with a database URL that may create tables, or give the output of `svc tables` to the database administrator.'
  return new SvcError('SVC_TABLE_MISSING', message, cause === undefined ? {} : { cause })
}
