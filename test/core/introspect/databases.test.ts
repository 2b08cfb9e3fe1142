import { readFileSync } from 'node:fs'
import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { printTypeScript } from '../../../core/introspect/print/print-typescript.ts'
import { proposeSchema } from '../../../core/introspect/propose-schema.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { requireService } from '../../helpers/services.ts'
import { compareType } from './compare-with-sql.ts'
import { loadPrinted } from './load-printed.ts'

const read = (...paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8')).join('\n')
const DATABASES = {
  Chinook: read(
    ...['01_tables', '02_data', '03_views', '04_functions'].map((name) => `examples/chinook/db/${name}.sql`),
  ),
  'the odd database': read('test/schemas/odd-database.sql'),
}

for (const [name, sql] of Object.entries(DATABASES)) {
  t.test(`the schema of ${name} compiles, and its queries are answered as by SQL`, async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t, { sql })
    const database = await openTestDatabase(t, { kind: 'postgres', url })
    const { schema } = proposeSchema(await database.introspect!(), { writes: true })
    const catalog = await readCatalogFor(schema, database)
    const { dialect } = database
    const { compiled, faults, warnings } = compileSchema(schema, { catalog, owned: OWNED_KEYS, dialect })
    t.same([faults, warnings], [[], []])
    t.same(await loadPrinted(printTypeScript(schema)), schema, 'the printed module says the same')
    const app = await openApp(t, { kind: 'postgres', url }, schema)
    const compared = { compiled: compiled!, graphql: app.graphql, sql: (text: string) => runSql(url, text) }
    for (const type of schema.types ?? []) {
      const { answered, stored } = await compareType(compared, schema, type.name)
      t.same(answered, stored, type.name)
    }
  })
}
