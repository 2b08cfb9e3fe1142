import t from 'tap'
import { SPECIAL_OPERATORS } from '../../../../core/schema/operators/operators.ts'
import { parseTreePattern, parseTreeWords } from '../../../../core/schema/operators/tree-pattern.ts'
import { checkSpecials } from '../../../helpers/check-specials.ts'
import { createPostgresDatabase, eachDatabase } from '../../../helpers/databases.ts'
import { PLACE_FIELDS } from '../../../helpers/place-cases.ts'
import { openWorld, worldOn } from '../../../helpers/plan-world.ts'
import { requireService } from '../../../helpers/services.ts'
import {
  LTREE_FIELD,
  POSTGRES_FIELDS,
  SPECIAL_FIELDS,
  specialSchema,
  specialSql,
  VECTOR_FIELDS,
} from '../../../helpers/special-cases.ts'
import { eachLibrary, open } from '../../../plugins/sqlite/open-sqlite.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const POSTGRES = [...SPECIAL_FIELDS, ...POSTGRES_FIELDS]

await eachDatabase(
  t,
  async (t, database) => {
    await checkSpecials(t, await openWorld(t, database, specialSchema(POSTGRES)), POSTGRES)
  },
  { sql: specialSql(POSTGRES) },
)

const { hierarchy: _hierarchy, ...TEXT_PATH } = LTREE_FIELD

t.test('the extension ltree, where the column is of its type', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const fields = [LTREE_FIELD, { ...TEXT_PATH, field: 'path_text', column: 'text' }]
  const url = await createPostgresDatabase(t, { sql: `CREATE EXTENSION ltree; ${specialSql(fields)}` })
  const world = await openWorld(t, { kind: 'postgres', url }, specialSchema(fields))
  await checkSpecials(t, world, [LTREE_FIELD])
  await t.rejects(
    world.run('{ rows(where: { pathText: { _depth_eq: 2 } }) { id } }'),
    /Field "_depth_eq" is not defined by type "LTreeTextFilter"/,
    'a text takes none of them',
  )
  t.same(await world.run('{ rows(where: { pathText: { _eq: "top" }, path: { _in: ["top", "a"] } }) { id path } }'), {
    rows: [{ id: '1', path: 'top' }],
  })
})

t.test('patterns of paths are read before the database does', async (t) => {
  for (const fine of ['a', '*', '*.a', 'a.*{1,2}', 'a.*{,2}.b', '!a|b*@', 'a%{2}', '*{3}.*{3}.*{3}.*{3}', '*{65535}']) {
    t.equal(parseTreePattern(fine), fine)
  }
  const levels = [
    '',
    '.',
    'a.',
    '%',
    '|a',
    'a|',
    'a||b',
    '!',
    '!!a',
    'a!b',
    '%a',
    'a b',
    'a-b',
    'a{}',
    'a{x}',
    `${'a'.repeat(256)}`,
  ]
  const bounds = ['*{2,1}', '*{65536}', '*{99999}', 'a{1,65536}']
  // Seven parts of any length took 8 seconds over a path of 60 labels.
  const open = ['*.a.*.a.*.a.*', 'a{1,2}.b{,3}.*.*', '*.'.repeat(60)]
  for (const bad of [...levels, ...bounds, ...open, 'a.'.repeat(500), 5]) {
    t.throws(() => parseTreePattern(bad), /^the operand /, String(bad))
  }
  for (const fine of ['a', 'a & b', '!a|b@*%', '!(a & (b | !c))', ' a&b ', '!!a', '(a)'])
    t.equal(parseTreeWords(fine), fine)
  for (const bad of [
    '',
    ' ',
    'a b',
    'a &',
    '& a',
    'a && b',
    '(a',
    'a)',
    '()',
    '!',
    'a.b',
    '%a',
    'a'.repeat(256),
    '('.repeat(999),
  ]) {
    t.throws(() => parseTreeWords(bad), /^the operand /, bad)
  }
})

t.test('lists of paths are compared as lists', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE EXTENSION ltree; CREATE TABLE tb_special (id integer PRIMARY KEY, paths ltree[]);
      INSERT INTO tb_special VALUES (1, '{a.b,c}'), (2, '{a,c}'), (3, '{}'), (4, NULL);`,
  })
  const fields = [
    { name: 'id', type: 'ID!' },
    { name: 'paths', type: '[LTree!]' },
  ]
  const world = await openWorld(
    t,
    { kind: 'postgres', url },
    tableSchema({ name: 'Row', sql_source: 'tb_special', list: 'rows', fields }),
  )
  for (const [operator, operand, found] of [
    ['_contains', ['c'], ['1', '2']],
    ['_contains', ['a'], ['2']],
    ['_has_all', ['a', 'c'], ['2']],
    ['_has_any', ['a', 'a.b'], ['1', '2']],
    ['_contained_in', ['a', 'c', 'x'], ['2', '3']],
    ['_contained_in', [], ['3']],
    ['_eq', ['a.b', 'c'], ['1']],
    ['_neq', ['a.b', 'c'], ['2', '3']],
  ] as const) {
    const { rows } = await world.run(
      'query($where: RowWhereInput) { rows(where: $where, orderBy: [{ id: ASC }]) { id } }',
      {
        where: { paths: { [operator]: operand } },
      },
    )
    t.strictSame(
      rows.map(({ id }: { id: string }) => id),
      found,
      `${operator} ${operand}`,
    )
  }
})

t.test('every special operator has a case', async (t) => {
  const tested = new Set(
    [...POSTGRES, LTREE_FIELD, ...VECTOR_FIELDS, ...PLACE_FIELDS].flatMap(({ scalar, cases }) =>
      cases.map(([name]) => `${scalar} ${name}`),
    ),
  )
  for (const { name, scalars } of SPECIAL_OPERATORS) {
    const some = scalars.filter((scalar) => tested.has(`${scalar} ${name}`))
    t.ok(some.length > 0, `${name} of ${scalars}`)
  }
})

await eachLibrary(t, 'SQLite has those of codes and places, and advertises no others', async (t, library) => {
  const world = await worldOn(
    await open(t, { library, sql: specialSql(SPECIAL_FIELDS, 'DECIMAL') }),
    specialSchema(SPECIAL_FIELDS),
  )
  await checkSpecials(t, world, SPECIAL_FIELDS)
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
