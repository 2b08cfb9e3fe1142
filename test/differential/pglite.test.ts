import t from 'tap'
import { createPglite } from '../helpers/databases.ts'
import { specialSql } from '../helpers/special-cases.ts'
import { checkSchema } from './check-schema.ts'
import { makeRows } from './world/rows.ts'
import { withRules } from './world/rules.ts'
import { WORLD } from './world/schema.ts'
import { specialFields, withSpecials } from './world/specials.ts'
import { postgresSql } from './world/sql.ts'
import { withWords } from './world/words.ts'

/** Requests that `SVC_TEST_SEED` decides, against plain SQL. Other rows than those of PostgreSQL. */
const extensions = ['ltree', 'vector'] as const
const sql = `CREATE EXTENSION ltree; CREATE EXTENSION vector; ${postgresSql(makeRows(2))}${specialSql(specialFields('pglite'))}`
const url = await createPglite(t, { sql, extensions })
const schema = withWords(withSpecials(withRules(WORLD), 'pglite'))
await checkSchema(t, { kind: 'pglite', url, extensions }, schema, {
  cases: 1200,
  depth: 3,
  least: 0,
  isWhole: true,
  extensions,
})
