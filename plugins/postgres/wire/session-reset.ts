import type { Statement } from '../../../core/doors/plugin.ts'

/** Last statement of {@link SESSION_RESET}. It is also sent alone, to carry a reset that must follow a transaction. */
export const RESET_ROLE: Statement = { name: 'svc_reset_role', text: 'RESET ROLE' }

/**
 * Statements that reset the settings of a session to those at its start. They run in the round trip of every write,
 * because a function can change settings for the next caller on the connection. RESET ALL does not reset the role, so
 * there are two.
 * @see https://www.postgresql.org/docs/current/sql-reset.html
 */
export const SESSION_RESET: readonly Statement[] = [{ name: 'svc_reset_all', text: 'RESET ALL' }, RESET_ROLE]

/** SQL that resets a session after a script of the author, which may have changed anything. */
export const SCRIPT_END = 'ROLLBACK; RESET SESSION AUTHORIZATION; RESET ALL; RESET ROLE'
