import t from 'tap'
import { createSqlite } from '../helpers/databases.ts'
import { checkSchema } from './check-schema.ts'
import { DOCUMENT_FORMS } from './wanted.ts'
import { makeRows } from './world/rows.ts'
import { WORLD } from './world/schema.ts'
import { sqliteSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against loops over the rows. */
const database = await createSqlite(t, { sql: sqliteSql(makeRows(3)) })
await checkSchema(t, database, WORLD, { cases: 2800, depth: 3, least: 3, forms: DOCUMENT_FORMS })
