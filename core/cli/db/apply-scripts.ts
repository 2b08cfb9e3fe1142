import { SvcError } from '../../base/errors/svc-error.ts'
import type { Database, Session } from '../../contract/database.ts'
import { describeScriptError } from '../database/init-scripts.ts'
import { splitMysqlStatements } from '../database/split-mysql-statements.ts'
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
 * the table `svc_applied_script`. MariaDB and MySQL commit each statement that creates or changes a table.
 * @returns the scripts that ran
 * @throws SvcError SVC_DATABASE_INIT_FAILED: a script failed, or a script without functions has changed since it ran.
 * The transaction is rolled back
 */
export async function applyScripts(
  database: Database,
  scripts: readonly AppliedScript[],
  { dryRun, baseline }: ApplyOptions,
): Promise<readonly AppliedScript[]> {
  const dialect = database.dialect.name
  if (dryRun && dialect === 'mysql') {
    const message = 'MariaDB and MySQL commit each CREATE and ALTER statement, so that a dry run cannot be rolled back.'
    throw new SvcError('SVC_USAGE', `${message} Run the scripts on a copy of the database.`)
  }
  let ran: readonly AppliedScript[] = []
  const work = async (session: Session): Promise<void> => {
    await lockRecords(session, dialect)
    const records = await lockedRecords(session)
    ran = pending(scripts, compareRecords(scripts, records))
    for (const script of ran) {
      if (!baseline) await runScript(session, dialect, script, records.size === 0)
      await recordScript(session, dialect, script)
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

const COMMITTED =
  'The script failed. MariaDB and MySQL commit each statement that creates or changes a table, so that those before it stay.'

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

async function runScript(session: Session, dialect: string, script: AppliedScript, isFirst: boolean): Promise<void> {
  const commits = dialect === 'mysql'
  for (const statement of (commits ? splitMysqlStatements : splitStatements)(script.sql)) {
    if (OF_TRANSACTION.test(statement.text)) {
      const error = new Error('All scripts run in one transaction, which a script cannot end. Remove the statement.')
      throw failed(script, statement, error, { isFirst: false, commits })
    }
    try {
      await session.query({ name: null, text: statement.text }, [])
    } catch (error) {
      throw failed(script, statement, error, { isFirst, commits })
    }
  }
}

interface FailedRun {
  /** No script was recorded before. */
  readonly isFirst: boolean
  /** The database commits each statement that creates or changes a table. */
  readonly commits: boolean
}

function failed(
  script: AppliedScript,
  { offset }: ScriptStatement,
  error: unknown,
  { isFirst, commits }: FailedRun,
): SvcError {
  const hint = isFirst
    ? '\nNo script was recorded before. If the database has the objects of these scripts already: svc db apply --baseline'
    : ''
  const text = describeScriptError(script, error, offset)
  return new SvcError('SVC_DATABASE_INIT_FAILED', `${commits ? COMMITTED : 'Nothing was applied.'}\n${text}${hint}`, {
    cause: error,
  })
}
