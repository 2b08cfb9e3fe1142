import {
  type Auth,
  definePlugin,
  type Exchange,
  ownTable,
  refuseCredential,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import { createKeyCheck } from './create-key-check.ts'
import { readSha256 } from './key-format.ts'
import { createStoredKeys } from './key-table.ts'
import manifest from './manifest.ts'
import type { ApiKeyOptions, StaticKey } from './options.ts'
import { SlowHashes } from './slow-hashes.ts'
import type { KeyStore } from './stored-key.ts'
import { API_KEYS_TABLE } from './table.ts'

/**
 * The plugin that authenticates callers by API keys (docs/plugins/api-keys.md). Keys are checked before bearer tokens:
 * an invalid key causes status 401, even with a valid token.
 */
export default definePlugin<ApiKeyOptions>(manifest, async (scope, options) => {
  const header = options.header.toLowerCase()
  if (header === 'authorization' || header === 'cookie') {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `security.api_keys.header is "${options.header}", which belongs to tokens. Take a header of its own.`,
    )
  }
  const slow = new SlowHashes()
  const hasSlow = options.storage === 'env' && options.static.some(({ key_hash: hash }) => hash.startsWith('$argon2'))
  if (options.hash_algorithm === 'argon2' || hasSlow) await slow.load()
  const check = createKeyCheck(openKeys(scope, options), slow, {
    method: manifest.name,
    recheckMs: options.recheck_secs * 1000,
  })

  scope.credentials({
    in: 'header',
    name: options.header,
    scheme: 'key',
    id: 'apiKey',
    description: 'A key of a service.',
  })
  scope.on('authenticate', (ctx) => {
    const key = ctx.headers[header]
    if (key === undefined) return undefined
    return verify(ctx, typeof key === 'string' ? key : '')
  })

  async function verify(ctx: Exchange, key: string): Promise<Auth> {
    const auth = await check(key)
    if (auth !== null) return auth
    refuseCredential(scope.signals, ctx, manifest.name, 'key')
    throw new SvcError('UNAUTHENTICATED', 'The API key is not valid.')
  }
})

function openKeys(scope: Scope, options: ApiKeyOptions): KeyStore {
  if (options.storage === 'sqldb') {
    if (options.static.length > 0) {
      throw new SvcError('SVC_CONFIG_INVALID', 'security.api_keys.static counts with storage = "env" only.')
    }
    return createStoredKeys(scope.database, ownTable(scope, API_KEYS_TABLE).ready)
  }
  if (process.env.NODE_ENV === 'production') {
    const message =
      'security.api_keys.storage is "env", which is for tests and CI: keys cannot be revoked without a restart.'
    scope.signals.emit({ type: 'warning', plugin: manifest.name, message })
  }
  return createStaticKeys(options.static)
}

/** Maximum number of static keys with a slow hash, because each of them is compared for each request with a key. */
const MOST_SLOW = 10

/** Creates the store of `[security.api_keys] static`, which compares all keys. @throws SvcError SVC_CONFIG_INVALID */
function createStaticKeys(entries: readonly StaticKey[]): KeyStore {
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
