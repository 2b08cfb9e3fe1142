import { createPostgresDatabase, runOnServer, type TestDatabase } from './databases.ts'
import { requireService, skip, type TestLike } from './services.ts'

/**
 * A database with PostGIS in a schema that is on no search path, so that nothing is found by its bare name.
 * @returns `null`: the server has not the extension, and the test is skipped, or failed where `SVC_TEST_REQUIRE=all`
 */
export async function createPlaces(t: TestLike, sql: string): Promise<TestDatabase | null> {
  if (!(await requireService(t, 'postgres')) || !(await requirePostgis(t))) return null
  const url = await createPostgresDatabase(t, { sql: `CREATE SCHEMA gis; CREATE EXTENSION postgis SCHEMA gis; ${sql}` })
  return { kind: 'postgres', url }
}

/** Has the server PostGIS? A test without it is skipped, or fails where `SVC_TEST_REQUIRE=all`. */
export async function requirePostgis(t: TestLike): Promise<boolean> {
  const [found] = await runOnServer('postgres', "SELECT 1 FROM pg_available_extensions WHERE name = 'postgis'")
  if (found === undefined) skip(t, 'postgis', 'PostgreSQL has no extension postgis (on Debian: postgresql-N-postgis-3)')
  return found !== undefined
}
