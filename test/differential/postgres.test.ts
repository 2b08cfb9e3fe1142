import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { requirePostgis } from '../helpers/postgis.ts'
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

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. Places are among them where the server has PostGIS. */
if (await requireService(t, 'postgres')) {
  const kind = (await requirePostgis(t)) ? 'postgis' : 'postgres'
  const extensions = kind === 'postgis' ? ['ltree', 'postgis'] : ['ltree']
  const created = extensions.map((name) => `CREATE EXTENSION ${name};`).join(' ')
  const sql = `${created} ${postgresSql(makeRows(1))}${specialSql(specialFields(kind))}`
  const url = await createPostgresDatabase(t, { sql })
  await checkSchema(t, { kind: 'postgres', url }, withWords(withSpecials(withRules(WORLD), kind)), {
    cases: 6000,
    depth: 3,
    least: 3,
    isWhole: true,
    extensions,
    forms: [...DOCUMENT_FORMS, ...WORD_FORMS],
  })
}
