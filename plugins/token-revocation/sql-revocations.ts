import { type Database, type Parameter, type Rows, type Statement, storeUnavailable } from '../../core/doors/plugin.ts'
import { isBefore, type RevocationStore } from './revocation-store.ts'

const SWEEP_MS = 600_000

/** Each parameter is used once, in the order of the numbers. */
const STATEMENTS = {
  check: `SELECT t.jti, t.revoked_at, s.not_before FROM (SELECT 1 AS one) AS this
    LEFT JOIN svc_revoked_tokens t ON t.issuer = $1 AND t.jti = $2
    LEFT JOIN svc_revoked_subjects s ON s.sub = $3`,
  note: `INSERT INTO svc_revoked_tokens (issuer, jti, sub, expires_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (issuer, jti) DO NOTHING`,
  revoke: `INSERT INTO svc_revoked_tokens (issuer, jti, sub, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (issuer, jti) DO UPDATE SET revoked_at = COALESCE(svc_revoked_tokens.revoked_at, excluded.revoked_at)`,
  cut: `INSERT INTO svc_revoked_subjects (sub, not_before) VALUES ($1, $2)
    ON CONFLICT (sub) DO UPDATE SET not_before = CASE WHEN excluded.not_before > svc_revoked_subjects.not_before
      THEN excluded.not_before ELSE svc_revoked_subjects.not_before END`,
  revokeKnown: `UPDATE svc_revoked_tokens SET revoked_at = $1
    WHERE sub = $2 AND revoked_at IS NULL AND expires_at > $3 RETURNING jti`,
  sweep: 'DELETE FROM svc_revoked_tokens WHERE expires_at <= $1',
} as const

/** The same for MariaDB and MySQL. The number of revoked tokens is read before they are revoked. */
const MYSQL: Partial<Record<keyof typeof STATEMENTS, string>> = {
  note: `INSERT INTO svc_revoked_tokens (issuer, jti, sub, expires_at) VALUES ($1, $2, $3, $4)
    ON DUPLICATE KEY UPDATE issuer = issuer`,
  revoke: `INSERT INTO svc_revoked_tokens (issuer, jti, sub, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5)
    ON DUPLICATE KEY UPDATE revoked_at = COALESCE(revoked_at, VALUES(revoked_at))`,
  cut: `INSERT INTO svc_revoked_subjects (sub, not_before) VALUES ($1, $2)
    ON DUPLICATE KEY UPDATE not_before = GREATEST(not_before, VALUES(not_before))`,
  revokeKnown:
    'UPDATE svc_revoked_tokens SET revoked_at = $1 WHERE sub = $2 AND revoked_at IS NULL AND expires_at > $3',
}
const MYSQL_KNOWN = `SELECT jti FROM svc_revoked_tokens
  WHERE sub = $2 AND revoked_at IS NULL AND expires_at > $3 FOR UPDATE`

/** Creates the store of revoked tokens in tables of the database. @param ready resolves when the tables exist */
export function createSqlRevocations(database: () => Database, ready: () => Promise<unknown>): RevocationStore {
  const statements = new Map<keyof typeof STATEMENTS, Statement>()
  let sweptAt = Date.now()

  async function run(name: keyof typeof STATEMENTS, ...parameters: readonly Parameter[]): Promise<Rows['rows']> {
    try {
      await ready()
      const db = database()
      let statement = statements.get(name)
      const inDialect = (text: string): string =>
        text.replace(/\$(\d)/g, (_, number) => db.dialect.placeholder(Number(number)))
      const isMysql = db.dialect.name === 'mysql'
      if (statement === undefined) {
        const text = inDialect((isMysql ? MYSQL[name] : undefined) ?? STATEMENTS[name])
        statement = { name: `svc_revocation_${name}`, text, readOnly: name === 'check' }
        statements.set(name, statement)
      }
      if (!isMysql || name !== 'revokeKnown') return (await db.query(statement, parameters, null)).rows
      const update = statement
      return await db.transaction(async (session) => {
        const known = await session.query({ name: null, text: inDialect(MYSQL_KNOWN) }, parameters)
        await session.query(update, parameters)
        return known.rows
      }, {})
    } catch (error) {
      throw storeUnavailable(error)
    }
  }

  /** Removes expired tokens, which are rejected anyway. */
  function sweep(): void {
    const now = Date.now()
    if (now - sweptAt < SWEEP_MS) return
    sweptAt = now
    void run('sweep', String(now)).catch(() => {})
  }

  return {
    async isRevoked(token) {
      const { issuer, jti, subject, endsAt } = token
      const [row] = await run('check', issuer, jti, subject)
      const [known = null, revokedAt = null, notBefore = null] = row ?? []
      if (revokedAt !== null) return true
      if (notBefore !== null && isBefore(token, Math.floor(Number(notBefore) / 1000))) return true
      if (known === null && jti !== null) {
        await run('note', issuer, jti, subject, String(endsAt))
        sweep()
      }
      return false
    },
    async revoke({ issuer, jti, subject, endsAt }) {
      await run('revoke', issuer, jti, subject, String(endsAt), String(Date.now()))
      sweep()
    },
    async revokeAll(subject, nowMs) {
      // Unknown tokens first: a token may be seen for the first time between the two statements.
      await run('cut', subject, String(nowMs))
      return (await run('revokeKnown', String(nowMs), subject, String(nowMs))).length
    },
    async close() {},
  }
}
