import { SettingsRefused } from '../../base/errors/settings-refused.ts'
import type { DatabaseConfig } from '../../contract/database.ts'
import type { Setting } from '../../contract/setting.ts'
import type { Statement } from '../../contract/statement.ts'

/**
 * Returns the settings with which svc opens every PostgreSQL session, so that dates, numbers and bytes have the same
 * text format on every server and in the embedded database.
 */
export function sessionSettings(config: Pick<DatabaseConfig, 'plan_cache_mode'>): readonly Setting[] {
  return [
    { name: 'TimeZone', value: 'UTC' },
    { name: 'DateStyle', value: 'ISO' },
    { name: 'IntervalStyle', value: 'iso_8601' },
    // The database or the role may have other defaults, with which numbers lose digits, bytes have another format, and a NULL in an array
    // becomes the text "NULL".
    { name: 'extra_float_digits', value: '1' },
    { name: 'bytea_output', value: 'hex' },
    { name: 'array_nulls', value: 'on' },
    // JIT compilation of short statements takes longer than their execution.
    { name: 'jit', value: 'off' },
    { name: 'plan_cache_mode', value: config.plan_cache_mode },
  ]
}

/**
 * Statement after which PostgreSQL makes a new plan for the parameter values of each statement, until the transaction
 * ends (`plan_cache_mode`).
 */
export const PLAN_WITH_VALUES: Statement = {
  name: 'svc_plan_with_values',
  text: "SELECT set_config('plan_cache_mode', 'force_custom_plan', true)",
}

export const BEGIN: Statement = { name: 'svc_begin', text: 'BEGIN' }
export const BEGIN_SNAPSHOT: Statement = { name: 'svc_begin_snapshot', text: 'BEGIN ISOLATION LEVEL REPEATABLE READ' }
export const BEGIN_READ_ONLY: Statement = { name: 'svc_begin_read_only', text: 'BEGIN READ ONLY' }
export const COMMIT: Statement = { name: 'svc_commit', text: 'COMMIT' }
export const ROLLBACK: Statement = { name: 'svc_rollback', text: 'ROLLBACK' }
export const PING: Statement = { name: 'svc_ping', text: 'SELECT 1', readOnly: true }

/**
 * Statement that switches to a role until the transaction ends. Its only parameter is the name of the role; `none` is
 * the role of the connection.
 */
export const TAKE_ROLE: Statement = { name: 'svc_take_role', text: "SELECT set_config('role', $1, true)" }

/**
 * Statement that restores the `search_path` of the connection, which a function may have changed in the current
 * transaction.
 */
export const RESTORE_PATH: Statement = { name: 'svc_restore_path', text: 'SET LOCAL search_path TO DEFAULT' }

/**
 * Tests whether a statement may leave changed settings in its session, such as a SET in a function, so that the driver
 * has to reset the session.
 */
export function mayChangeSession({ readOnly, resets }: Statement): boolean {
  return readOnly !== true || resets === true
}

const settingStatements: Statement[] = []

/**
 * Returns the statement that sets `count` transaction-local settings. Its parameters are name, value, name, value, …
 */
export function settingsStatement(count: number): Statement {
  const known = settingStatements[count]
  if (known !== undefined) return known
  const calls = Array.from({ length: count }, (_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  const statement: Statement = { name: `svc_settings_${count}`, text: `SELECT ${calls.join(', ')}` }
  settingStatements[count] = statement
  return statement
}

/**
 * Returns the parameters of the statement that {@link settingsStatement} returns for these settings: name, value, name,
 * value, …
 */
export function settingsParameters(settings: readonly Setting[]): string[] {
  const parameters: string[] = []
  for (const { name, value } of settings) parameters.push(name, value)
  return parameters
}

/** SQLSTATEs of rejected settings: unknown role or setting, missing right, invalid value, or not allowed at this time. */
const REFUSAL = /^(?:22|42|55P02)/

/**
 * Recognises the error of PostgreSQL when it rejects a setting of {@link settingsStatement}, such as an unknown role,
 * and converts it.
 * @param error as the server sent it
 * @returns `null`: the error has another cause (cancelled, out of memory, broken connection)
 */
export function refusedSettings(error: unknown): SettingsRefused | null {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' && REFUSAL.test(code) ? new SettingsRefused(error) : null
}
