import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { SvcError } from '../../core/doors/plugin.ts'
import type { Algorithm } from './options.ts'

/** Minimum length of a secret: that of the hash (RFC 7518, 3.2). */
const LEAST_SECRET_BYTES = 32
const LEAST_RSA_BITS = 2048

/**
 * Reads the key in `security.jwt_secret`: a secret for HS256, otherwise a public key, or the path of a file with it.
 * @param baseDir folder for relative paths
 * @param warn called with a weakness of the key that is an error in production
 * @throws SvcError SVC_CONFIG_INVALID; its message never contains the secret
 */
export function readStaticKey(
  secret: string,
  algorithm: Algorithm,
  baseDir: string,
  warn: (message: string) => void,
): KeyObject | Uint8Array {
  return algorithm === 'HS256' ? readSecret(secret, baseDir, warn) : readPublicKey(secret, algorithm, baseDir)
}

function readSecret(secret: string, baseDir: string, warn: (message: string) => void): Uint8Array {
  // A known attack: with the public key as HMAC secret, everybody can sign tokens.
  if (secret.includes('-----BEGIN')) {
    throw invalid(
      'holds a key in PEM, and HS256 would take it as a secret that everybody knows. Set JWT_ALGORITHM to RS256 or ES256',
    )
  }
  if (isFile(secret, baseDir)) {
    throw invalid(
      'names a file, and HS256 would take its name as the secret. Set JWT_ALGORITHM to RS256 or ES256 if it is a public key, else give the secret itself',
    )
  }
  if (secret.trim() !== secret) {
    warn(
      'security.jwt_secret (JWT_SECRET) begins or ends with a space or a line end, which is part of the secret: tokens that are signed without it are refused.',
    )
  }
  const bytes = new TextEncoder().encode(secret)
  if (bytes.length < LEAST_SECRET_BYTES) {
    const message = `has ${bytes.length} bytes; HS256 needs ${LEAST_SECRET_BYTES} random ones, or it can be guessed: openssl rand -hex 32`
    if (process.env.NODE_ENV === 'production') throw invalid(message)
    warn(`security.jwt_secret (JWT_SECRET) ${message}. It is refused where NODE_ENV is production.`)
  }
  return bytes
}

function readPublicKey(secret: string, algorithm: Algorithm, baseDir: string): KeyObject {
  const pem = secret.includes('-----BEGIN') ? secret : readPem(secret, algorithm, baseDir)
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) {
    throw invalid('is a private key. Give the public one: who only verifies tokens must not be able to sign any')
  }
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw invalid(`is no public key in PEM (-----BEGIN PUBLIC KEY-----)`)
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  if (algorithm === 'RS256' && (type !== 'rsa' || (details?.modulusLength ?? 0) < LEAST_RSA_BITS)) {
    throw invalid(`is no RSA key of at least ${LEAST_RSA_BITS} bits, which RS256 needs`)
  }
  if (algorithm === 'ES256' && (type !== 'ec' || details?.namedCurve !== 'prime256v1')) {
    throw invalid('is no key of the curve P-256, which ES256 needs')
  }
  return key
}

/**
 * Reads the key in `security.jwt_private_key`, with which svc signs tokens.
 * @param text the key in PEM, or the path of a file with it
 * @param publicKey key that verifies the tokens
 * @param baseDir folder for relative paths
 * @throws SvcError SVC_CONFIG_INVALID for an invalid key, or one that does not match the public key
 */
export function readPrivateKey(text: string, publicKey: KeyObject, baseDir: string): KeyObject {
  const refuse = (why: string): SvcError =>
    new SvcError('SVC_CONFIG_INVALID', `security.jwt_private_key (JWT_PRIVATE_KEY) ${why}.`)
  let pem = text
  if (!text.includes('-----BEGIN')) {
    try {
      pem = readFileSync(resolve(baseDir, text), 'utf8')
    } catch (cause) {
      throw refuse(`names no file that can be read (${(cause as NodeJS.ErrnoException).code ?? 'unreadable'})`)
    }
  }
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw refuse('is no private key in PEM, without a password')
  }
  if (!createPublicKey(key).equals(publicKey)) {
    throw refuse('does not belong to the public key of security.jwt_secret: its tokens would not be accepted here')
  }
  return key
}

function readPem(file: string, algorithm: Algorithm, baseDir: string): string {
  try {
    return readFileSync(resolve(baseDir, file), 'utf8')
  } catch (cause) {
    // The value can be a secret, if the operator forgot to set the algorithm.
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unreadable'
    throw invalid(
      `names no file that can be read (${reason}); ${algorithm} wants the file of the public key, relative to svc.toml`,
    )
  }
}

function isFile(text: string, baseDir: string): boolean {
  if (text.length >= 1024 || text.includes('\0')) return false
  return statSync(resolve(baseDir, text), { throwIfNoEntry: false })?.isFile() === true
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `security.jwt_secret (JWT_SECRET) ${why}.`)
}
