import { isPromise } from '../../base/util/promise.ts'
import type { Setting } from '../../contract/setting.ts'
import type { Rows, Statement } from '../../contract/statement.ts'

/** How long what was read is taken for true. */
const FRESH_MS = 30_000

/**
 * The settings of `ALTER ROLE … SET`, which `SET ROLE` does not take on: of all roles, for this database and for all. Only those that
 * the connection may set; without those that the service relies on, or that a transaction takes no more once it has begun.
 * @see https://www.postgresql.org/docs/current/catalog-pg-db-role-setting.html
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

/** The settings that the database lays down for its roles (`ALTER ROLE … SET`), for statements that run under a role. */
export class RoleSettings {
  readonly #run: (statement: Statement) => Promise<Rows>
  #byRole: ReadonlyMap<string, readonly Setting[]> | null = null
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<void> | null = null

  /** @param run runs a statement by the role of the connection */
  constructor(run: (statement: Statement) => Promise<Rows>) {
    this.#run = run
  }

  /**
   * @param settings of a request; its role is the last of them
   * @returns the same, behind those of the role
   * @throws what reading them throws, where none were read before
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
      // Of this database behind those of all: the later one holds.
      if (known === undefined) byRole.set(role, [{ name, value }])
      else known.push({ name, value })
    }
    this.#byRole = byRole
    this.#readAt = performance.now()
  }
}
