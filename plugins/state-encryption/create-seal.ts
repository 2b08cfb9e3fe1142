import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from './api.ts'
import type { SealOptions } from './options.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Both ciphers of node take these settings alike; their types differ. */
const SETTINGS = { authTagLength: TAG_BYTES }

/** AEAD: 12 random bytes, the encrypted text, 16 bytes that prove it, all in base64url (behaviours 11.2). */
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
      // Node reads past what is no base64url: one text has one form.
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
