import { SvcError } from '../../base/errors/svc-error.ts'
import { lookup } from '../../base/util/lookup.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { SessionConfig, SessionVariable } from '../../contract/session-variable.ts'
import type { Setting } from '../../contract/setting.ts'

/** Returns the session variables, and last the database role, that the statements of a request run with. */
export type SessionVariables = (exchange: Pick<Exchange, 'auth' | 'headers'>) => readonly Setting[]

type Reader = (exchange: Pick<Exchange, 'auth' | 'headers'>) => Setting | null

export const STARTED_AT = 'svc.started_at'

/**
 * Creates the function that derives session variables and the database role from the credential and headers of a
 * request, as `[session_variables]` and `database.role_claim` configure (docs/guides/row-level-security.md). The role
 * is last, because a role may not be allowed to set variables.
 * @returns `null`: nothing is configured. The function throws SvcError UNAUTHENTICATED or FORBIDDEN for a missing
 * required claim, and REQUEST_ERROR for a missing required header
 */
export function createSessionVariables({ session_variables, database }: SessionConfig): SessionVariables | null {
  const { variables, inject_started_at: startedAt = variables.length > 0 } = session_variables
  const readers = variables.map(readerOf)
  if (startedAt) readers.push(() => ({ name: STARTED_AT, value: new Date().toISOString() }))
  if (database.role_claim !== undefined) readers.push(roleReader(database.role_claim, database.anonymous_role))
  if (readers.length === 0) return null
  return (exchange) => {
    const settings: Setting[] = []
    for (const read of readers) {
      const setting = read(exchange)
      if (setting !== null) settings.push(setting)
    }
    return settings
  }
}

function readerOf({ name, source, claim, header, value, required }: SessionVariable): Reader {
  switch (source) {
    case 'literal': {
      const setting: Setting = Object.freeze({ name, value: String(value) })
      return () => setting
    }
    case 'header': {
      const key = header!.toLowerCase()
      return ({ headers }) => {
        const found = headers[key]
        if (found !== undefined) return { name, value: typeof found === 'string' ? found : found.join(', ') }
        if (required) throw new SvcError('REQUEST_ERROR', `The request needs the header "${header}".`)
        return null
      }
    }
    case 'jwt':
      return ({ auth }) => {
        const found = auth === null ? undefined : lookup(auth.claims, claim!)
        if (found !== undefined && found !== null) return { name, value: textOf(found, claim!) }
        if (!required) return null
        throw auth === null ? anonymous() : lacking(claim!)
      }
  }
}

/** Reads the role. A missing claim denies, because the statement would otherwise run as the user of the connection. */
function roleReader(claim: string, anonymousRole: string | undefined): Reader {
  return ({ auth }) => {
    if (auth === null) {
      if (anonymousRole === undefined) throw anonymous()
      return { name: 'role', value: anonymousRole }
    }
    const found = lookup(auth.claims, claim)
    if (found === undefined || found === null) throw lacking(claim)
    // `SET ROLE none` resets the role to the user of the connection.
    if (typeof found !== 'string' || found === '' || found === 'none') {
      throw new SvcError('FORBIDDEN', `The claim "${claim}" does not name a role.`)
    }
    return { name: 'role', value: textOf(found, claim) }
  }
}

/** Converts a claim to text; lists and objects become JSON. */
function textOf(value: unknown, claim: string): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (!text.includes('\0')) return text
  throw new SvcError('FORBIDDEN', `The claim "${claim}" holds a character that the database cannot take.`)
}

function anonymous(): SvcError {
  return new SvcError('UNAUTHENTICATED', 'This needs a credential.')
}

function lacking(claim: string): SvcError {
  return new SvcError('FORBIDDEN', `The credential does not carry the claim "${claim}".`)
}
