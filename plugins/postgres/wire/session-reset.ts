import type { Statement } from '../../../core/doors/plugin.ts'

/** The last statement of the reset. It is also sent alone, to carry a reset that has to run behind a transaction. */
export const RESET_ROLE: Statement = { name: 'svc_reset_role', text: 'RESET ROLE' }

/**
 * Resets the settings of a session. A SET without LOCAL in a function outlives its transaction, and would affect the next caller
 * on the connection. These statements run after every write, in its round trip. A read that changes settings is detected by the
 * reports of the server (`ReportedParameters`). There are two statements, because RESET ALL does not reset the role. Settings
 * return to their values at the start of the session, including those of the role and the database.
 * @see https://www.postgresql.org/docs/current/sql-reset.html
 */
export const SESSION_RESET: readonly Statement[] = [{ name: 'svc_reset_all', text: 'RESET ALL' }, RESET_ROLE]

/** Runs after a script, which may have changed anything. */
export const SCRIPT_END = 'ROLLBACK; RESET SESSION AUTHORIZATION; RESET ALL; RESET ROLE'
