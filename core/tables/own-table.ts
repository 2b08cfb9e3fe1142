import type { TableDefinition } from '../contract/table.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Scope } from '../kernel/scope.ts'
import { makeTable, missingVersions } from './make-table.ts'

/** A table that a plugin cannot do without. */
export interface OwnTable {
  /** Resolves when it is there. @throws SvcError SERVICE_UNAVAILABLE, SVC_TABLE_MISSING */
  readonly ready: () => Promise<void>
}

/**
 * Sees to a table of the plugin's own before the service listens: makes it where the role of the connection may, else the boot
 * fails and says what to run. Where the database is away, which does not keep a service from starting, it is seen to when it is
 * used first. Call it during set-up; the manifest lists the table under `tables`.
 */
export function ownTable(scope: Scope, table: TableDefinition): OwnTable {
  const { svc } = scope.config as { readonly svc?: { readonly create_tables?: boolean } }
  const mayMake = svc?.create_tables !== false
  let seenTo: Promise<void> | null = null

  async function seeTo(): Promise<void> {
    const database = scope.database()
    if (!mayMake) {
      if ((await missingVersions(database, table)).length > 0) throw missing(scope, table, 'svc.create_tables is false')
      return
    }
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

function missing({ plugin }: Scope, { name }: TableDefinition, why: string, cause?: unknown): SvcError {
  const message =
    `Plugin "${plugin}" needs the table ${name}, which is not there or too old, and cannot be made here: ${why}. ` +
    'Run `svc tables --apply` with a database URL that may create tables, or give the output of `svc tables` to whoever may.'
  return new SvcError('SVC_TABLE_MISSING', message, cause === undefined ? {} : { cause })
}
