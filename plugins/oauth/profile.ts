/**
 * The user as the provider describes it: the JSON argument of the author's user function. Its form is the same for
 * every provider (docs/guides/log-in.md).
 */
export interface Profile {
  readonly provider: string
  /**
   * Permanent id of the user at the provider. Identify users by it, because a provider can give an email address to
   * another user.
   */
  readonly subject: string
  readonly email: string | null
  /** `true` if the provider states that the email address belongs to the user. */
  readonly email_verified: boolean
  readonly name: string | null
  readonly picture: string | null
  /** All claims or members that the provider sent about the user. */
  readonly raw: Readonly<Record<string, unknown>>
}

type Said = Readonly<Record<string, unknown>>

/** Converts OpenID Connect claims (Core 1.0, section 5.1) to a profile. @param said the claims */
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
 * Converts a user of GitHub's API to a profile.
 * @param said body of `GET /user`
 * @param emails body of `GET /user/emails`, because `/user` does not say whether an address is verified
 * @returns `null` when the user has no id
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
