import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPglite, openDatabase } from '../helpers/databases.ts'
import { DUCKDB_CHINOOK, duckdbFile, removeDuckdbFiles } from '../helpers/duckdb.ts'
import { checkSchema } from './check-schema.ts'

const EXAMPLE = 'examples/chinook'

// Other tests run at the same time, on machines of any speed.
t.setTimeout(600_000)
t.teardown(removeDuckdbFiles)

/** The dialect of another project over the rows of the example, against PostgreSQL over the same rows. */
const scripts = readdirSync(join(EXAMPLE, 'db')).filter((file) => /^0[1-3].*\.sql$/.test(file))
const sql = scripts.sort().map((file) => readFileSync(join(EXAMPLE, 'db', file), 'utf8'))
// The embedded database takes one statement after another, on a machine that is busy with other tests.
const config = { connect_timeout_ms: 120_000 }
const reference = await openDatabase(t, await createPglite(t, { sql: sql.join('\n') }), { config })
const { mutations: _, ...schema } = JSON.parse(readFileSync(join(EXAMPLE, 'schema.json'), 'utf8'))
await checkSchema(t, duckdbFile(DUCKDB_CHINOOK), schema, { cases: 60, depth: 1, least: 0, isWhole: false, reference })
