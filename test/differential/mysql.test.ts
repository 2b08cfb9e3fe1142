import t from 'tap'
import { createMariaDb } from '../helpers/databases.ts'
import { requireService } from '../helpers/services.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { makeRows } from './world/rows.ts'
import { withRules } from './world/rules.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { mysqlSql } from './world/sql.ts'

/**
 * Requests that `SVC_TEST_SEED` decides, against loops over the rows. The test of SQLite asks the same schema, and looks at the forms of
 * the requests. By itself the database compares texts without regard to case.
 */
if (await requireService(t, 'mariadb')) {
  const sql = mysqlSql(makeRows(3)) + specialSql(specialFields('mysql'), 'DECIMAL(30,10)')
  await checkSchema(
    t,
    await createMariaDb(t, { sql, collation: 'utf8mb4_general_ci' }),
    withSpecials(withRules(WORLD), 'mysql'),
    { cases: 900, depth: 3, least: 0, isWhole: true },
  )
}
