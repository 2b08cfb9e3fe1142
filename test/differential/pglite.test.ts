import t from 'tap'
import { createPglite } from '../helpers/databases.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { makeRows } from './world/rows.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { postgresSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. Other rows than those of PostgreSQL. */
const url = await createPglite(t, { sql: postgresSql(makeRows(2)) + specialSql(specialFields('postgres')) })
await checkSchema(t, { kind: 'pglite', url }, withSpecials(WORLD, 'postgres'), { cases: 1200, depth: 3, least: 0 })
