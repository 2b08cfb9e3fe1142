import { type Setting, SettingsRefused } from '../../core/doors/driver.ts'

/** Tests for the setting that makes a transaction read-only. */
export function isReadOnlySetting({ name, value }: Setting): boolean {
  return name === 'transaction_read_only' && value === 'on'
}

/**
 * Returns the settings that become user variables (`@app.tenant_id`).
 * @throws SettingsRefused for a database role, which the driver cannot switch to
 */
export function variablesOf(settings: readonly Setting[]): readonly Setting[] {
  if (settings.length === 0) return settings
  if (settings.some(({ name }) => name === 'role'))
    throw new SettingsRefused(new Error('MariaDB and MySQL take no database role per request'))
  return settings.filter(({ name }) => name !== 'transaction_read_only')
}
