import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { requireService } from '../helpers/services.ts'
import { checkSchema } from './check-schema.ts'

const EXAMPLE = 'examples/chinook'

/** The example's schema and its 15,000 rows: lists that are longer than any of the other worlds. */
if (await requireService(t, 'postgres')) {
  const scripts = readdirSync(join(EXAMPLE, 'db')).filter((file) => file.endsWith('.sql'))
  const sql = scripts.sort().map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
  const url = await createPostgresDatabase(t, { sql: sql.join('\n') })
  const schema = JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8'))
  await checkSchema(t, { kind: 'postgres', url }, schema, { cases: 60, depth: 1, least: 0, isWhole: false })
}
