import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { definePlugin, SvcError } from '../../core/doors/plugin.ts'
import type { Seal } from './api.ts'
import manifest from './manifest.ts'
import type { SealOptions } from './options.ts'

/**
 * The plugin that encrypts login state (docs/plugins/state-encryption.md). The service does not start without a key.
 */
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

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Both ciphers take the same settings; only their types in Node differ. */
const SETTINGS = { authTagLength: TAG_BYTES }

/**
 * Creates the encryption of texts with an AEAD cipher (RFC 5116). The result is base64url of a random nonce (12 bytes),
 * the ciphertext and the authentication tag (16 bytes). `purpose` is the associated data.
 * @param key 32 bytes
 */
export function createSeal(algorithm: SealOptions['algorithm'], key: Buffer): Seal {
  const cipher = algorithm as 'aes-256-gcm'
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const sealing = createCipheriv(cipher, key, nonce, SETTINGS)
      const data = Buffer.from(text, 'utf8')
      sealing.setAAD(Buffer.from(purpose), { plaintextLength: data.length })
      const encrypted = Buffer.concat([sealing.update(data), sealing.final()])
      return Buffer.concat([nonce, encrypted, sealing.getAuthTag()]).toString('base64url')
    },
    open(sealed, purpose) {
      // Node ignores characters outside the alphabet. Rejecting them keeps one form per sealed text.
      if (!/^[\w-]+$/.test(sealed)) return null
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, NONCE_BYTES), SETTINGS)
      const data = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
      opening.setAuthTag(bytes.subarray(-TAG_BYTES))
      opening.setAAD(Buffer.from(purpose), { plaintextLength: data.length })
      try {
        return Buffer.concat([opening.update(data), opening.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
