import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database, Session } from '../../contract/database.ts'
import { describeScriptError } from '../database/init-scripts.ts'
import { type ScriptStatement, splitStatements } from '../database/split-statements.ts'
import type { AppliedScript } from './read-scripts.ts'
import { compareRecords, lockedRecords, lockRecords, recordScript, type ScriptStatus } from './script-records.ts'

export interface ApplyOptions {
  /** `true`: runs the scripts and rolls the transaction back, to find errors. */
  readonly dryRun: boolean
  /** `true`: records the scripts as applied without running them, for a database that already has their objects. */
  readonly baseline: boolean
}

/**
 * Runs the scripts that have not run yet, and changed scripts with functions, in one transaction, and records them in
 * the table `svc_applied_script`.
 * @returns the scripts that ran
 * @throws SvcError SVC_DATABASE_INIT_FAILED: a script failed, or a script without functions has changed since it ran.
 * The transaction is rolled back
 */
export async function applyScripts(
  database: Database,
  scripts: readonly AppliedScript[],
  { dryRun, baseline }: ApplyOptions,
): Promise<readonly AppliedScript[]> {
  let ran: readonly AppliedScript[] = []
  const work = async (session: Session): Promise<void> => {
    await lockRecords(session, database.dialect.name)
    const records = await lockedRecords(session)
    ran = pending(scripts, compareRecords(scripts, records))
    for (const script of ran) {
      if (!baseline) await runScript(session, script, records.size === 0)
      await recordScript(session, database.dialect.name, script)
    }
    if (dryRun) throw new RollBack()
  }
  try {
    await database.transaction(work, {})
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
  return ran
}

class RollBack extends Error {}

/** Returns the scripts that have to run. @throws SvcError when one that runs once has changed */
function pending(scripts: readonly AppliedScript[], all: readonly ScriptStatus[]): readonly AppliedScript[] {
  const changed = all.filter(({ state, repeatable }) => state === 'changed' && !repeatable).map(({ file }) => file)
  if (changed.length > 0) {
    const [isOne, names] = [changed.length === 1, changed.join(', ')]
    const message =
      `${names} ${isOne ? 'has' : 'have'} changed since ${isOne ? 'it was' : 'they were'} applied; nothing was applied. ` +
      `Restore ${isOne ? 'it' : 'them'}, and write the change to a new file. Only files in the folder functions are applied again.`
    throw new SvcError('SVC_DATABASE_INIT_FAILED', message)
  }
  const states = new Map(all.map(({ file, state }) => [file, state]))
  return scripts.filter(({ name }) => states.get(name) !== 'applied')
}

/** Statements that would end the transaction of all scripts. */
const OF_TRANSACTION =
  /^(?:BEGIN|COMMIT|ROLLBACK|ABORT|END|START\s+TRANSACTION|PREPARE\s+TRANSACTION)(?:\s+(?:WORK|TRANSACTION)\b.*)?$/is

async function runScript(session: Session, script: AppliedScript, isFirst: boolean): Promise<void> {
  for (const statement of splitStatements(script.sql)) {
    if (OF_TRANSACTION.test(statement.text)) {
      const error = new Error('All scripts run in one transaction, which a script cannot end. Remove the statement.')
      throw failed(script, statement, error, false)
    }
    try {
      await session.query({ name: null, text: statement.text }, [])
    } catch (error) {
      throw failed(script, statement, error, isFirst)
    }
  }
}

function failed(script: AppliedScript, { offset }: ScriptStatement, error: unknown, isFirst: boolean): SvcError {
  const hint = isFirst
    ? '\nNo script was recorded before. If the database has the objects of these scripts already: svc db apply --baseline'
    : ''
  const text = describeScriptError(script, error, offset)
  return new SvcError('SVC_DATABASE_INIT_FAILED', `Nothing was applied.\n${text}${hint}`, { cause: error })
}
