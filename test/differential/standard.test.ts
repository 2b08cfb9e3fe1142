import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { defineDialect } from '../../core/doors/driver.ts'
import { type Database, type Parameter, sql } from '../../core/doors/plugin.ts'
import { createPglite, openDatabase } from '../helpers/databases.ts'
import { checkSchema } from './check-schema.ts'

const EXAMPLE = 'examples/chinook'

// Other tests run at the same time, on machines of any speed.
t.setTimeout(600_000)

/** The defaults of dialects, on a database that has the JSON functions of the standard: all that it says is how to write base64. */
const STANDARD = defineDialect({
  name: 'standard',
  standard: {
    cursor: (key) => sql`translate(encode(convert_to(CAST(${key} AS VARCHAR), 'UTF8'), 'base64'), E'\\n', '')`,
  },
})

const scripts = readdirSync(join(EXAMPLE, 'db')).filter((file) => /^0[1-3].*\.sql$/.test(file))
const text = scripts.sort().map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
const config = { connect_timeout_ms: 120_000 }
const reference = await openDatabase(t, await createPglite(t, { sql: text.join('\n') }), { config })
const toBound = (parameter: Parameter): Parameter =>
  Array.isArray(parameter) ? JSON.stringify(parameter) : (parameter as string | null)
const database: Database = {
  ...reference,
  dialect: STANDARD,
  query: (statement, parameters, ...rest) => reference.query(statement, parameters.map(toBound), ...rest),
  // The reference is closed by itself.
  close: async () => {},
}
const { mutations: _, ...schema } = JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8'))
const test = { kind: 'plugin', url: 'pglite:', open: async () => database } as const
await checkSchema(t, test, schema, { cases: 20, depth: 1, least: 0, isWhole: false, reference })
