import type { DatabaseConfig, Setting } from '../../front/database.ts'
import type { Statement } from '../../front/statement.ts'

/**
 * What every session of ours is set to, on a server and in the embedded database alike, so that a text means the same
 * on both.
 */
export function sessionSettings(config: Pick<DatabaseConfig, 'plan_cache_mode'>): readonly Setting[] {
  return [
    { name: 'TimeZone', value: 'UTC' },
    { name: 'DateStyle', value: 'ISO' },
    { name: 'IntervalStyle', value: 'iso_8601' },
    // Statements are short: compiling them takes longer than running them.
    { name: 'jit', value: 'off' },
    { name: 'plan_cache_mode', value: config.plan_cache_mode },
  ]
}

export const BEGIN: Statement = { name: 'svc_begin', text: 'BEGIN' }
export const BEGIN_READ_ONLY: Statement = { name: 'svc_begin_read_only', text: 'BEGIN READ ONLY' }
export const COMMIT: Statement = { name: 'svc_commit', text: 'COMMIT' }
export const ROLLBACK: Statement = { name: 'svc_rollback', text: 'ROLLBACK' }
export const PING: Statement = { name: 'svc_ping', text: 'SELECT 1', readOnly: true }

const settingStatements: Statement[] = []

/** The statement that sets `count` transaction-local settings; its parameters are name, value, name, value, … */
export function settingsStatement(count: number): Statement {
  const known = settingStatements[count]
  if (known !== undefined) return known
  const calls = Array.from({ length: count }, (_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, true)`)
  const statement: Statement = { name: `svc_settings_${count}`, text: `SELECT ${calls.join(', ')}` }
  settingStatements[count] = statement
  return statement
}

/** The parameters of `settingsStatement`. */
export function settingsParameters(settings: readonly Setting[]): string[] {
  const parameters: string[] = []
  for (const { name, value } of settings) parameters.push(name, value)
  return parameters
}
