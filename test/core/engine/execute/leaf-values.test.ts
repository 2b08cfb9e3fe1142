import t from 'tap'
import { leafRule } from '../../../../core/engine/json/leaf-rule.ts'
import type { NamedType } from '../../../../core/schema/model.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const SQL = `
CREATE TYPE tone AS ENUM ('HIGH', 'LOW', 'MUTE');
CREATE TABLE leaf (id int PRIMARY KEY, fk_leaf int, big int8, num numeric, whole numeric(12,2), real float8, price numeric,
  kind text, mapped text, tone tone, list json, bigs int8[], data jsonb NOT NULL DEFAULT '{}');
INSERT INTO leaf VALUES (1, 1, 5, 7, 3.00, 1.5, 9.90, 'A', 'x', 'LOW', '["a", "b"]', '{1,2}',
  '{"text": "t", "size": 3, "share": 0.5, "done": true, "cost": 1.10, "total": 12, "ref": "r", "word": "A", "names": ["n"]}');
INSERT INTO leaf SELECT 2, 1, 3000000000, 1.5, 3.25, 'NaN', 'NaN', 'C', 'z', 'MUTE', '[ null ]', '{3000000000}',
  '{"text": {"a": 1}, "size": "wide", "share": "NaN", "done": "perhaps", "cost": "$1", "total": 1.5, "ref": [1], "word": "C", "names": "n"}';
INSERT INTO leaf (id, data) VALUES (3, '{"text": 12, "size": 4.0, "cost": "2.50", "total": "9223372036854775807", "ref": 77, "names": [1, true]}');
CREATE FUNCTION fn_count() RETURNS int8 LANGUAGE sql AS $$ SELECT 3000000000 $$;
CREATE FUNCTION fn_leaf(p_text jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('id', 1, 'text', p_text, 'size', 5) $$;
`
const COLUMNS = ['big', 'num', 'whole', 'real', 'price', 'kind', 'mapped', 'tone', 'list', 'bigs'] as const
const TYPES: Record<(typeof COLUMNS)[number], string> = {
  big: 'Int',
  num: 'Int',
  whole: 'BigInt',
  real: 'Float',
  price: 'Decimal',
  kind: 'Kind',
  mapped: 'Mapped',
  tone: 'Tone',
  list: '[String!]',
  bigs: '[Int!]',
}
const KEYS: Record<string, string> = {
  text: 'String',
  size: 'Int',
  share: 'Float',
  done: 'Boolean',
  cost: 'Decimal',
  total: 'BigInt',
  ref: 'ID',
  word: 'Kind',
  names: '[String!]',
}
const values = (...names: string[]) => names.map((name) => ({ name }))
const SCHEMA = tableSchema(
  {
    name: 'Leaf',
    sql_source: 'leaf',
    list: 'leaves',
    fields: [
      { name: 'id', type: 'Int!' },
      ...COLUMNS.map((name) => ({ name, type: TYPES[name] })),
      ...Object.entries(KEYS).map(([name, type]) => ({ name, type })),
      { name: 'must', type: 'Int!', column: 'big' },
      { name: 'children', type: '[Leaf!]!', relation: { from: 'id', to: 'fk_leaf' } },
    ],
  },
  {
    enums: [
      { name: 'Kind', values: values('A', 'B') },
      { name: 'Mapped', values: [{ name: 'FIRST', value: 'x' }] },
      { name: 'Tone', values: values('HIGH', 'LOW') },
    ],
    mutations: [
      { name: 'count', type: 'Int', sql_source: 'fn_count' },
      { name: 'touch', type: 'Leaf', sql_source: 'fn_leaf', arguments: [{ name: 'text', type: 'JSON' }] },
    ],
  },
)

await eachDatabase(
  t,
  async (t, database) => {
    const { run } = await openExecuteWorld(t, database, SCHEMA)
    const row = (id: number, fields: string) =>
      run(`{ leaves(where: { id: { _eq: ${id} } }) { ${fields} } }`).then(({ data, errors }) => ({
        leaf: data?.leaves[0],
        errors,
      }))

    await t.test('a valid value of the type passes', async (t) => {
      const { leaf, errors } = await row(1, [...COLUMNS, ...Object.keys(KEYS)].join(' '))
      t.same(errors, [])
      t.match(leaf, {
        big: 5,
        num: 7,
        whole: /^3$/,
        real: 1.5,
        price: '9.90',
        kind: /^A$/,
        mapped: 'FIRST',
        tone: 'LOW',
      })
      t.match(leaf, { list: [/^a$/, /^b$/], bigs: [1, 2], text: /^t$/, size: 3, share: 0.5, done: true, cost: '1.10' })
      t.match(leaf, { total: /^12$/, ref: /^r$/, word: /^A$/, names: [/^n$/] })
      const third = await row(3, 'text size cost total ref names big kind mapped')
      t.same(third.errors, [])
      t.same(third.leaf, {
        text: '12',
        size: 4,
        cost: '2.50',
        total: '9223372036854775807',
        ref: '77',
        names: ['1', 'true'],
        big: null,
        kind: null,
        mapped: null,
      })
    })

    for (const field of [...COLUMNS, ...Object.keys(KEYS)]) {
      await t.test(
        `a stored ${field} that is no ${({ ...TYPES, ...KEYS } as Record<string, string>)[field]}`,
        async (t) => {
          const path = field === 'bigs' ? [field, 0] : field === 'list' ? [field, 0] : [field]
          // Alone the process may write the JSON, below a relation the database does.
          const { leaf, errors } = await row(2, `id ${field}`)
          t.same(leaf, { id: 2, [field]: null })
          t.match(errors, [{ code: 'INTERNAL_SERVER_ERROR', path: ['leaves', 0, ...path] }])
          t.equal(errors.length, 1)
          const below = await row(1, `children(where: { id: { _eq: 2 } }) { id ${field} }`)
          t.same(below.leaf, { children: [{ id: 2, [field]: null }] })
          t.match(below.errors, [{ path: ['leaves', 0, 'children', 0, ...path] }])
        },
      )
    }

    await t.test('it climbs out of what may not be null, and the log has the value', async (t) => {
      const { data, errors } = await run('{ leaves(where: { id: { _eq: 2 } }) { id must } }')
      t.equal(data, null)
      t.equal(errors[0]?.message, 'What is stored for Leaf.must is not a value of its type.')
      t.equal((errors[0]!.cause as Error).message, 'Leaf.must holds 3000000000')
    })

    await t.test('mutations answer by the same rule', async (t) => {
      const count = await run('mutation { count }')
      t.same([count.data, count.errors[0]?.path], [{ count: null }, ['count']])
      const good = await run('mutation { touch(text: "x") { text size } }')
      t.same([good.data, good.errors], [{ touch: { text: 'x', size: 5 } }, []])
      const bad = await run('mutation { touch(text: { a: 1 }) { text size } }')
      t.same([bad.data, bad.errors[0]?.path], [{ touch: { text: null, size: 5 } }, ['touch', 'text']])
    })
  },
  { sql: SQL },
)

t.test('the rule of each scalar', async (t) => {
  const rule = (base: string) => leafRule({ kind: 'scalar', name: base, base } as unknown as NamedType)!
  const cases: readonly [base: string, token: string, wire: string | null][] = [
    ['Int', '2147483647', '2147483647'],
    ['Int', '2147483648', null],
    ['Int', '-2147483648', '-2147483648'],
    ['Int', '5.00', '5'],
    ['Int', '5.5', null],
    ['Int', '"5"', null],
    ['Int', 'true', null],
    ['Float', '1e400', null],
    ['Float', '"NaN"', null],
    ['Float', '-1.5e3', '-1.5e3'],
    ['Boolean', '1', null],
    ['Decimal', '"$1,234.56"', null],
    ['Decimal', '1.10', '"1.10"'],
    ['Decimal', '"Infinity"', null],
    ['BigInt', '"9223372036854775808"', null],
    ['BigInt', '"-9223372036854775808"', '"-9223372036854775808"'],
    ['BigInt', '"7.00"', '"7"'],
    ['BigInt', '7.5', null],
    ['ID', 'true', null],
    ['String', 'true', '"true"'],
    ['String', '{}', null],
    ['String', '[]', null],
  ]
  for (const [base, token, wire] of cases) t.equal(rule(base)(token), wire, `${base} ${token}`)
  t.equal(rule('JSON'), null)
})
