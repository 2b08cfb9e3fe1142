import { SvcError } from '../../core/doors/plugin.ts'
import { readSha256 } from './key-format.ts'
import type { StaticKey } from './options.ts'
import type { KeyStore } from './stored-key.ts'

/** Each of them would be tried on each request that brings a key. */
const MOST_SLOW = 10

/** Keys of `[security.api_keys] static`. All are candidates, and all are compared. @throws SvcError SVC_CONFIG_INVALID */
export function createStaticKeys(entries: readonly StaticKey[]): KeyStore {
  const keys = entries.map(({ name, key_hash: hash, scopes }) => ({ name, hash, scopes }))
  for (const { name, hash } of keys) {
    if (readSha256(hash) !== null || hash.startsWith('$argon2')) continue
    const message = `The key "${name}" of security.api_keys.static has a key_hash that is none: "sha256:" and 64 hexadecimal digits, or a PHC text of argon2. \`svc keys create\` makes one.`
    throw new SvcError('SVC_CONFIG_INVALID', message)
  }
  if (keys.filter(({ hash }) => hash.startsWith('$argon2')).length > MOST_SLOW) {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `security.api_keys.static has more than ${MOST_SLOW} keys of the kind argon2; take sha256, or storage = "sqldb".`,
    )
  }
  return { find: () => keys }
}
