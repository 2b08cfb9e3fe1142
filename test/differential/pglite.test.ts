import t from 'tap'
import { createPglite } from '../helpers/databases.ts'
import { checkSchema } from './check-schema.ts'
import { makeRows } from './world/rows.ts'
import { WORLD } from './world/schema.ts'
import { postgresSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. Other rows than those of PostgreSQL. */
const url = await createPglite(t, { sql: postgresSql(makeRows(2)) })
await checkSchema(t, { kind: 'pglite', url }, WORLD, { cases: 1200, depth: 3, least: 0 })
