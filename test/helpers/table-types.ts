import type { TableDefinition } from '../../core/contract/table.ts'
import { stateOf } from '../../core/service/tables/make-table.ts'
import { createPostgresDatabase } from './databases.ts'
import { openTestDatabase } from './open-database.ts'
import { requireService, type TestLike } from './services.ts'

/**
 * Makes a plugin's table with columns of each accepted type, and with one column of another type.
 * @param wanted the accepted types of every column
 */
export async function checkTableTypes(
  t: TestLike,
  table: TableDefinition,
  wanted: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t) })
  const stateWith = async (typeOf: (column: string) => string) => {
    const columns = Object.keys(wanted).map((column) => `${column} ${typeOf(column)}`)
    await database.script(`DROP TABLE IF EXISTS ${table.name}; CREATE TABLE ${table.name} (${columns.join(', ')})`)
    const { missing, unfit } = await stateOf(database, table)
    return { missing, unfit }
  }
  const most = Math.max(...Object.values(wanted).map(({ length }) => length))
  for (let i = 0; i < most; i++) {
    const typeOf = (column: string): string => wanted[column]!.at(Math.min(i, wanted[column]!.length - 1))!
    const types = Object.keys(wanted).map(typeOf).join()
    t.strictSame(await stateWith(typeOf), { missing: [], unfit: null }, `${table.name}: ${types}`)
  }
  for (const [name, types] of Object.entries(wanted)) {
    const { unfit } = await stateWith((column) => (column === name ? 'bytea' : wanted[column]![0]!))
    const why = `${name} is bytea and has to be ${types.join(' or ')}`
    t.match(unfit, new RegExp(`is there and is not one that svc can use: ${why}\\. `), why)
  }
}
