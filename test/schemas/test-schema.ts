import type { AuthoredSchema } from '../../core/schema/authored.ts'

/** A schema that several test files share, with the database that it reads. */
export interface TestSchema {
  readonly schema: AuthoredSchema
  readonly sql: string
}
