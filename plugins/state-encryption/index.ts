import { definePlugin, SvcError } from '../../core/doors/plugin.ts'
import { createSeal } from './create-seal.ts'
import manifest from './manifest.ts'
import type { SealOptions } from './options.ts'

/** Encryption of login state (docs/plugins/state-encryption.md). Without a key the service does not start. */
export default definePlugin<SealOptions>(manifest, (scope, { algorithm, key_env: name }) => {
  scope.provide('seal', createSeal(algorithm, readKey(name)))
})

function readKey(name: string): Buffer {
  const text = process.env[name]
  const remedy = `Set it to 64 hexadecimal digits: ${name}=$(openssl rand -hex 32), the same one on every instance.`
  if (text === undefined || text === '') {
    throw invalid(`the variable ${name} (key_env) is not set, and there is no other key. ${remedy}`)
  }
  // The message must not contain the value, which may be a key with a typing error.
  if (!/^[0-9a-f]{64}$/i.test(text)) throw invalid(`the variable ${name} (key_env) holds no key of 32 bytes. ${remedy}`)
  const key = Buffer.from(text, 'hex')
  if (key.every((byte) => byte === key[0])) {
    throw invalid(`the variable ${name} (key_env) holds one byte 32 times, which is no secret. ${remedy}`)
  }
  return key
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.state_encryption]: ${why}`)
}
