import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { requireService } from '../helpers/services.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { DOCUMENT_FORMS, WORD_FORMS } from './wanted.ts'
import { makeRows } from './world/rows.ts'
import { withRules } from './world/rules.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { postgresSql } from './world/sql.ts'
import { withWords } from './world/words.ts'

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. */
if (await requireService(t, 'postgres')) {
  const sql = `CREATE EXTENSION ltree; ${postgresSql(makeRows(1))}${specialSql(specialFields('postgres'))}`
  const url = await createPostgresDatabase(t, { sql })
  await checkSchema(t, { kind: 'postgres', url }, withWords(withSpecials(withRules(WORLD), 'postgres')), {
    cases: 6000,
    depth: 3,
    least: 3,
    isWhole: true,
    extensions: ['ltree'],
    forms: [...DOCUMENT_FORMS, ...WORD_FORMS],
  })
}
