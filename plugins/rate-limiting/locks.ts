import type { Auth } from '../../core/doors/plugin.ts'
import type { Lock } from './limits.ts'
import { siteOf } from './network-address.ts'

/** Who checks a signature, which nobody guesses. */
const SIGNED: ReadonlySet<string> = new Set(['jwt', 'token-revocation'])
/** A site is many subscribers at some providers, and one attacker with 65,536 networks at others. */
const SITE_ATTEMPTS = 8

export interface ClientLocks {
  /** What a refused credential counts for. @param plugin that refuses it */
  ofRefused(client: string, plugin: string): readonly Lock[]
  /** What keeps out who brings a good credential. */
  ofAuth(client: string, auth: Auth): readonly Lock[]
  /** What keeps out where people log in. */
  ofLogin(client: string): readonly Lock[]
}

const NONE: readonly Lock[] = []

/**
 * Spec "Limits", failed logins; which credentials lock out which. What can be guessed (keys, refresh tokens, codes) locks all of that, also a good one, because
 * an answer would say that the guess was right. A signature cannot be guessed: who sends forged tokens is
 * refused, and no verified token from the same address with him, which may be that of a whole office.
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
