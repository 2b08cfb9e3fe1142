import t from 'tap'
import { SPECIAL_OPERATORS } from '../../../core/plan/conditions/special/special-operators.ts'
import { toWireName } from '../../../core/util/naming.ts'
import { createPostgresDatabase, eachDatabase } from '../../helpers/databases.ts'
import { openWorld, type PlanWorld, worldOn } from '../../helpers/plan-world.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import {
  LTREE_FIELD,
  POSTGRES_FIELDS,
  SPECIAL_FIELDS,
  type SpecialField,
  specialSchema,
  specialSql,
} from '../../helpers/special-cases.ts'
import { eachLibrary, open } from '../../plugins/sqlite/open-sqlite.ts'

/** What each operator finds, with its operand in the document's variables and refused ones before the database. */
async function check(t: TestLike, world: PlanWorld, fields: readonly SpecialField[]): Promise<void> {
  for (const { field, values, cases } of fields) {
    const wire = toWireName(field)
    for (const [name, operand, rows, refused] of cases) {
      const ask = (value: unknown) =>
        world.run('query($where: RowWhereInput) { rows(where: $where, orderBy: [{ id: ASC }]) { id } }', {
          where: { [wire]: { [name]: value } },
        })
      const label = `${field} ${name} ${JSON.stringify(operand)}`
      const found = await ask(operand).catch((error) => ({ rows: [{ id: String(error) }] }))
      t.strictSame(
        found.rows.map(({ id }: { id: string }) => (Number.isNaN(Number(id)) ? id : Number(id))),
        rows,
        label,
      )
      // The row that holds nothing but nulls is neither here nor there.
      const others = await world.run(
        'query($where: RowWhereInput) { rows(where: { _not: $where }, orderBy: [{ id: ASC }]) { id } }',
        { where: { [wire]: { [name]: operand } } },
      )
      t.strictSame(
        others.rows.map(({ id }: { id: string }) => Number(id)),
        values.flatMap((_, index) => (rows.includes(index + 1) ? [] : [index + 1])),
        `not ${label}`,
      )
      if (refused === undefined) continue
      await t.rejects(
        ask(refused),
        /operand|must be|range has|invalid value|not negative|required type/,
        `${label}: not ${JSON.stringify(refused)}`,
      )
    }
  }
}

const POSTGRES = [...SPECIAL_FIELDS, ...POSTGRES_FIELDS]

await eachDatabase(
  t,
  async (t, database) => {
    await check(t, await openWorld(t, database, specialSchema(POSTGRES)), POSTGRES)
  },
  { sql: specialSql(POSTGRES) },
)

t.test('the extension ltree, where the column is of its type', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const fields = [LTREE_FIELD, { ...LTREE_FIELD, field: 'path_text', column: 'text' }]
  const url = await createPostgresDatabase(t, { sql: `CREATE EXTENSION ltree; ${specialSql(fields)}` })
  const world = await openWorld(t, { kind: 'postgres', url }, specialSchema(fields))
  await check(t, world, [LTREE_FIELD])
  await t.rejects(
    world.run('{ rows(where: { pathText: { _depth_eq: 2 } }) { id } }'),
    /Field "_depth_eq" is not defined by type "LTreeTextFilter"/,
    'a text takes none of them',
  )
  t.same(await world.run('{ rows(where: { pathText: { _eq: "top" }, path: { _in: ["top", "a"] } }) { id path } }'), {
    rows: [{ id: '1', path: 'top' }],
  })
})

t.test('every special operator has a case', async (t) => {
  const tested = new Set(
    [...POSTGRES, LTREE_FIELD].flatMap(({ scalar, cases }) => cases.map(([name]) => `${scalar} ${name}`)),
  )
  for (const { name, scalars } of SPECIAL_OPERATORS) {
    const some = scalars.filter((scalar) => tested.has(`${scalar} ${name}`))
    t.ok(some.length > 0, `${name} of ${scalars}`)
  }
})

await eachLibrary(t, 'SQLite has those of codes and places, and advertises no others', async (t, library) => {
  const world = await worldOn(
    await open(t, { library, sql: specialSql(SPECIAL_FIELDS, true) }),
    specialSchema(SPECIAL_FIELDS),
  )
  await check(t, world, SPECIAL_FIELDS)
  const addresses = await worldOn(
    await open(t, { library, sql: 'CREATE TABLE tb_special (id integer PRIMARY KEY, address text)' }),
    specialSchema([{ ...POSTGRES_FIELDS[0]!, column: 'text' }]),
  )
  await t.rejects(
    addresses.run('{ rows(where: { address: { _is_private: true } }) { id } }'),
    /Field "_is_private" is not defined by type "IPAddressFilter"/,
  )
  t.same(await addresses.run('{ rows(where: { address: { _eq: "10.0.0.1" } }) { id } }'), { rows: [] })
})
