import type { TestSchema } from '../schemas/test-schema.ts'
import { createPostgresDatabase } from './databases.ts'
import { type OpenAppOptions, openApp, type TestApp } from './open-app.ts'
import type { TestLike } from './services.ts'

/** The service of `openApp` on a PostgreSQL database of its own, made with the SQL of the schema. */
export async function openOnPostgres(
  t: TestLike,
  { sql, schema }: TestSchema,
  options: OpenAppOptions = {},
): Promise<TestApp> {
  return openApp(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) }, schema, options)
}
