import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { requireService } from '../helpers/services.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { DOCUMENT_FORMS } from './wanted.ts'
import { makeRows } from './world/rows.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { postgresSql } from './world/sql.ts'

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. */
if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: postgresSql(makeRows(1)) + specialSql(specialFields('postgres')) })
  await checkSchema(t, { kind: 'postgres', url }, withSpecials(WORLD, 'postgres'), {
    cases: 6000,
    depth: 3,
    least: 3,
    forms: DOCUMENT_FORMS,
  })
}
