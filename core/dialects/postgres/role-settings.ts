import { isPromise } from '../../base/util/promise.ts'
import type { Setting } from '../../contract/setting.ts'
import type { Rows, Statement } from '../../contract/statement.ts'

/** Lifetime of the cached settings in milliseconds. */
const FRESH_MS = 30_000

/**
 * Reads the settings of `ALTER ROLE … SET`, which `SET ROLE` does not apply: of all roles, for this database and for all databases. It
 * returns only settings that the connection may change. It omits those that the service relies on, and those that cannot be changed
 * inside a transaction. @see https://www.postgresql.org/docs/current/catalog-pg-db-role-setting.html
 */
const READ: Statement = {
  name: 'svc_role_settings',
  text: `SELECT r.rolname, split_part(c.entry, '=', 1), substr(c.entry, strpos(c.entry, '=') + 1)
FROM pg_db_role_setting s
JOIN pg_roles r ON r.oid = s.setrole
CROSS JOIN LATERAL unnest(s.setconfig) WITH ORDINALITY AS c(entry, n)
LEFT JOIN pg_settings p ON lower(p.name) = lower(split_part(c.entry, '=', 1))
WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND CASE WHEN p.name IS NULL THEN strpos(split_part(c.entry, '=', 1), '.') > 0
    ELSE p.context = 'user' OR (p.context = 'superuser' AND current_setting('is_superuser') = 'on') END
  AND lower(split_part(c.entry, '=', 1)) NOT IN ('timezone', 'datestyle', 'intervalstyle', 'bytea_output', 'array_nulls', 'client_encoding',
    'extra_float_digits', 'standard_conforming_strings', 'search_path', 'plan_cache_mode', 'role', 'session_authorization',
    'default_transaction_isolation', 'default_transaction_deferrable', 'transaction_isolation', 'transaction_deferrable')
ORDER BY s.setdatabase, c.n`,
  readOnly: true,
}

/**
 * Cache of the settings that roles have in the database (`ALTER ROLE … SET`). `SET ROLE` does not apply them, so svc
 * applies them itself to statements that run with a role. The cache is refreshed after 30 seconds.
 */
export class RoleSettings {
  readonly #run: (statement: Statement) => Promise<Rows>
  #byRole: ReadonlyMap<string, readonly Setting[]> | null = null
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  /** @param run runs a statement with the role of the connection */
  constructor(run: (statement: Statement) => Promise<Rows>) {
    this.#run = run
  }

  /**
   * Adds the settings of a role.
   * @param settings of a request; the role is the last one
   * @returns the settings of the role, followed by the others
   * @throws errors of the read, if no settings were read before
   */
  with(settings: readonly Setting[] | undefined): readonly Setting[] | undefined | Promise<readonly Setting[]> {
    const last = settings?.at(-1)
    if (settings === undefined || last?.name !== 'role') return settings
    const add = (): readonly Setting[] => {
      const own = this.#byRole?.get(last.value)
      return own === undefined ? settings : [...own, ...settings]
    }
    const reading = this.#read()
    return this.#byRole === null && isPromise(reading) ? reading.then(add) : add()
  }

  /** @returns the read in progress, `undefined` when the settings are fresh. Callers with older settings need not await it */
  #read(): Promise<void> | undefined {
    if (performance.now() - this.#readAt < FRESH_MS) return undefined
    this.#reading ??= this.#refresh().finally(() => {
      this.#reading = null
    })
    if (this.#byRole !== null) this.#reading.catch(() => {})
    return this.#reading
  }

  async #refresh(): Promise<void> {
    const { rows } = await this.#run(READ)
    const byRole = new Map<string, Setting[]>()
    for (const [role, name, value] of rows as readonly (readonly [string, string, string])[]) {
      const known = byRole.get(role)
      // Settings for this database come after those for all databases, because the later one is effective.
      if (known === undefined) byRole.set(role, [{ name, value }])
      else known.push({ name, value })
    }
    this.#byRole = byRole
    this.#readAt = performance.now()
  }
}
