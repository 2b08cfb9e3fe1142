import t from 'tap'
import { createSqlite } from '../helpers/databases.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { DOCUMENT_FORMS } from './wanted.ts'
import { makeRows } from './world/rows.ts'
import { withRules } from './world/rules.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { sqliteSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against loops over the rows. */
const database = await createSqlite(t, { sql: sqliteSql(makeRows(3)) + specialSql(specialFields('sqlite'), 'DECIMAL') })
await checkSchema(t, database, withSpecials(withRules(WORLD), 'sqlite'), {
  cases: 2800,
  depth: 3,
  least: 3,
  isWhole: true,
  forms: DOCUMENT_FORMS,
})
