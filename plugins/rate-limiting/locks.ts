import type { Auth } from '../../core/doors/plugin.ts'
import type { Lock } from './limits.ts'
import { siteOf } from './network-address.ts'

/** Plugins that verify signatures, which cannot be guessed. */
const SIGNED: ReadonlySet<string> = new Set(['jwt', 'token-revocation'])
/**
 * Allowed failures of an IPv6 site, as a multiple of those of one network. With some providers a site is many subscribers; with others it
 * is one attacker with 65,536 networks.
 */
const SITE_ATTEMPTS = 8

export interface ClientLocks {
  /** Returns the locks that a rejected credential counts for. @param plugin plugin that rejected it */
  ofRefused(client: string, plugin: string): readonly Lock[]
  /** Returns the locks that reject a caller with a valid credential. */
  ofAuth(client: string, auth: Auth): readonly Lock[]
  /** Returns the locks that reject a login. */
  ofLogin(client: string): readonly Lock[]
}

const NONE: readonly Lock[] = []

/**
 * Decides which failed credentials lock out which others (docs/plugins/rate-limiting.md). Failures with guessable credentials (keys,
 * refresh tokens, codes) lock all guessable ones of the client, also valid ones, because another answer would confirm a guess. Signatures
 * cannot be guessed: forged tokens are rejected, but verified tokens of the same address, perhaps that of a whole office, still work.
 * @param maxAttempts `failed_login_max_attempts`
 */
export function createClientLocks(maxAttempts: number): ClientLocks {
  const locksOf = (client: string, kind: string): readonly Lock[] => {
    const own = { name: `${kind}:${client}`, max: maxAttempts }
    const site = siteOf(client)
    return site === null ? [own] : [own, { name: `${kind}:${site}`, max: maxAttempts * SITE_ATTEMPTS }]
  }
  return {
    ofRefused: (client, plugin) => locksOf(client, SIGNED.has(plugin) ? 'signed' : 'guessed'),
    ofAuth: (client, { method }) => (SIGNED.has(method) ? NONE : locksOf(client, 'guessed')),
    ofLogin: (client) => locksOf(client, 'guessed'),
  }
}
