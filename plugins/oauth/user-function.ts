import { fromDatabaseError, POSTGRES } from '../../core/doors/driver.ts'
import { type Database, identifier, parseJson, render, type Statement, sql } from '../../core/doors/plugin.ts'
import { OAuthFault } from './oauth-fault.ts'
import type { Profile } from './profile.ts'
import { invalid } from './providers.ts'

/** A row of the author's user function, from which svc issues an access token. */
export type User = Readonly<Record<string, unknown>> & { readonly id: string }

/**
 * Creates the function that finds or creates the user of a profile, by calling a SQL function (docs/guides/log-in.md).
 * @param name name of the SQL function, optionally with its schema
 * @throws OAuthFault `access_denied` when the SQL function returns NULL; SvcError when it fails or returns no valid
 * user
 */
export function createUserFunction(name: string, database: () => Database): (profile: Profile) => Promise<User> {
  const [first = '', second] = name.split('.')
  const called = second === undefined ? identifier(first) : sql`${identifier(first)}.${identifier(second)}`
  const { text } = render(sql`SELECT to_jsonb(u)::text FROM ${called}($1::jsonb) AS u`, POSTGRES.placeholder)
  const statement: Statement = { name: null, text, readOnly: false }
  return async (profile) => {
    const db = database()
    if (db.dialect.name !== 'postgres') throw noFunctions(db.dialect.name)
    let found: string | null
    try {
      const { rows } = await db.query(statement, [JSON.stringify(profile)], null)
      found = rows[0]?.[0] ?? null
    } catch (error) {
      throw fromDatabaseError(error)
    }
    const user = found === null ? null : readUser(found)
    if (user === null || isNobody(user)) {
      throw new OAuthFault('access_denied', 'This account has no access here.')
    }
    const { id } = user
    if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
      throw new Error(
        `The function ${name} (security.pkce.user_function) gave a user without "id", or one that is neither text nor a number, or empty.`,
      )
    }
    return { ...user, id: String(id) }
  }
}

/** Parses a user. Numbers that a double cannot represent become strings: a rounded id would be that of another user. */
function readUser(text: string): Readonly<Record<string, unknown>> | null {
  return JSON.parse(JSON.stringify(parseJson(text))) as Readonly<Record<string, unknown>> | null
}

/** Is it a row of NULLs, as functions with a row type return when they find no row? */
function isNobody(user: unknown): boolean {
  return (
    typeof user === 'object' &&
    user !== null &&
    !Array.isArray(user) &&
    Object.values(user).every((value) => value === null)
  )
}

export function noFunctions(dialect: string): Error {
  return invalid(`user_function is a function of PostgreSQL, and the database speaks ${dialect}`)
}
