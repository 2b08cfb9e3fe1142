import t from 'tap'
import { createMariaDb } from '../helpers/databases.ts'
import { requireService } from '../helpers/services.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { DOCUMENT_FORMS } from './wanted.ts'
import { makeRows } from './world/rows.ts'
import { withRules } from './world/rules.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { mysqlSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against loops over the rows. */
if (await requireService(t, 'mariadb')) {
  const sql = mysqlSql(makeRows(3)) + specialSql(specialFields('mysql'), 'DECIMAL(30,10)')
  await checkSchema(
    t,
    await createMariaDb(t, { sql, collation: 'utf8mb4_nopad_bin' }),
    withSpecials(withRules(WORLD), 'mysql'),
    {
      cases: 2800,
      depth: 3,
      least: 3,
      isWhole: true,
      forms: DOCUMENT_FORMS,
    },
  )
}
