import type { Statement } from '../../../core/doors/plugin.ts'

/**
 * What a function SETs without LOCAL outlives its transaction, and would change the answers to whoever comes next on the
 * connection. These take it back, behind every write and in its round trip; a read that does so is found by what the server
 * reports (`ReportedParameters`). Two, because RESET ALL leaves the role alone. What is reset to are the settings that the
 * session began with, those of the role and the database included.
 * @see https://www.postgresql.org/docs/current/sql-reset.html
 */
export const SESSION_RESET: readonly Statement[] = [
  { name: 'svc_reset_all', text: 'RESET ALL' },
  { name: 'svc_reset_role', text: 'RESET ROLE' },
]
/** Something to reset behind. */
export const RESET: Statement = { name: 'svc_reset_role', text: 'RESET ROLE' }
/** After a script, which may have done anything. */
export const SCRIPT_END = 'ROLLBACK; RESET SESSION AUTHORIZATION; RESET ALL; RESET ROLE'
