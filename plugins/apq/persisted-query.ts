import { createHash } from 'node:crypto'
import { SvcError } from '../../core/doors/plugin.ts'

const SHA256 = /^[0-9a-f]{64}$/

/**
 * Reads the hash from the `persistedQuery` extension of a GraphQL request.
 * @returns 64 lower-case hexadecimal digits; `null` when the request has no such extension
 * @throws SvcError PERSISTED_QUERY_NOT_SUPPORTED for a version other than 1; REQUEST_ERROR for a malformed extension
 */
export function readHash(extensions: Readonly<Record<string, unknown>> | null): string | null {
  const given = extensions?.persistedQuery
  if (given === undefined || given === null) return null
  const { version, sha256Hash } = given as { readonly version?: unknown; readonly sha256Hash?: unknown }
  if (version !== undefined && version !== 1) {
    throw new SvcError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
  }
  if (version === undefined || typeof sha256Hash !== 'string' || !SHA256.test(sha256Hash)) {
    throw new SvcError(
      'REQUEST_ERROR',
      '"extensions.persistedQuery" must be { "version": 1, "sha256Hash": "…" } with the SHA-256 of the query in 64 lower-case hex digits.',
    )
  }
  return sha256Hash
}

/** Returns the SHA-256 of a GraphQL document in UTF-8, as lower-case hex. */
export function hashOf(query: string): string {
  return createHash('sha256').update(query, 'utf8').digest('hex')
}
