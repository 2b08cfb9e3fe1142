import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** The engine, which svc does not install because services on a server have no use for its 26 MB. */
export const ENGINE_PACKAGE: OptionalPackages = {
  names: ['@electric-sql/pglite'],
  for: 'the embedded PostgreSQL of pglite: URLs',
  instead: 'name a PostgreSQL server (DATABASE_URL)',
}

/** The extension pgvector, which fits one version of the engine. */
export const VECTOR_PACKAGE: OptionalPackages = {
  names: ['@electric-sql/pglite-pgvector'],
  for: 'extensions = ["vector"]',
}
