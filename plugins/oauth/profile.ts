/** What the user function is told, the same for every provider (behaviours 11.2). */
export interface Profile {
  readonly provider: string
  /** Who it is at that provider, for good. Addresses of mail change hands; this does not. */
  readonly subject: string
  readonly email: string | null
  /** Says the provider that the address is theirs? Where it does not say, it does not. */
  readonly email_verified: boolean
  readonly name: string | null
  readonly picture: string | null
  /** All that the provider said. */
  readonly raw: Readonly<Record<string, unknown>>
}

type Said = Readonly<Record<string, unknown>>

/** @param said claims of OpenID Connect */
export function openIdProfile(provider: string, subject: string, said: Said): Profile {
  return {
    provider,
    subject,
    email: text(said.email),
    email_verified: said.email_verified === true || said.email_verified === 'true',
    name: text(said.name) ?? text(said.preferred_username),
    picture: text(said.picture),
    raw: said,
  }
}

/**
 * @param said what `/user` of GitHub answers
 * @param emails what `/user/emails` answers: `/user` has the public address alone, and does not say whether it is verified
 */
export function githubProfile(provider: string, said: Said, emails: unknown): Profile | null {
  if (!Number.isSafeInteger(said.id)) return null
  const list = Array.isArray(emails) ? (emails as readonly (Said | null)[]) : []
  const primary = list.find((one) => one?.primary === true)
  return {
    provider,
    subject: String(said.id),
    email: text(primary?.email) ?? text(said.email),
    email_verified: primary?.verified === true,
    name: text(said.name) ?? text(said.login),
    picture: text(said.avatar_url),
    raw: said,
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
