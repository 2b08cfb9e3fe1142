import type { ModelColumn } from '../../contract/database-model.ts'
import { wordsOf } from './words.ts'

const SECRETS: readonly (readonly string[])[] = [
  ['password'],
  ['passwords'],
  ['passwd'],
  ['pwd'],
  ['passphrase'],
  ['passcode'],
  ['token'],
  ['secret'],
  ['secrets'],
  ['hash'],
  ['salt'],
  ['credential'],
  ['credentials'],
  ['apikey'],
  ['api', 'key'],
  ['private', 'key'],
  ['privatekey'],
  ['secret', 'key'],
  ['access', 'key'],
  ['encryption', 'key'],
  ['signing', 'key'],
  ['otp'],
  ['totp'],
  ['mfa'],
  ['recovery', 'code'],
  ['recovery', 'codes'],
  ['backup', 'codes'],
]

/** Types whose values are no secrets, whatever the name: `has_password`, `token_expires_at`. */
const HARMLESS: ReadonlySet<string> = new Set([
  'bool',
  'date',
  'time',
  'timetz',
  'timestamp',
  'timestamptz',
  'interval',
])

/**
 * Tests whether the name of a column suggests a secret. Only whole words count: `password_hash` and `apiKey`, but not
 * `hashtag`. Flags and times are not secrets.
 */
export function looksLikeSecret({ name, type }: Pick<ModelColumn, 'name' | 'type'>): boolean {
  if (HARMLESS.has(type)) return false
  const words = wordsOf(name)
  return SECRETS.some((secret) => words.some((_, i) => secret.every((word, k) => words[i + k] === word)))
}
