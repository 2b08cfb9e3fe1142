import t from 'tap'
import { parseJson } from '../../../../core/base/util/exact-number.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Values at the end of what a type holds: what is shown of them is taken as a filter. */
const COLUMNS = 'id text PRIMARY KEY, at timestamptz, day date, clock time, share float8, cost numeric, extra jsonb'
const ROWS = `
INSERT INTO edge VALUES
  ('plain', '2026-01-31T12:00:00+00:00', '2026-01-31', '12:00:00', 0.5, '1.10', '{"d": 1.10}'),
  ('ends', 'infinity', 'infinity', '24:00:00', NULL, NULL, NULL),
  ('begins', '-infinity', '-infinity', '00:00:00', NULL, NULL, NULL);
`
const SQL = `
CREATE TYPE mood AS ENUM ('so so', 'sad');
CREATE DOMAIN mood_domain AS mood;
CREATE DOMAIN mood_twice AS mood_domain;
CREATE TABLE edge (${COLUMNS}, mood mood_domain, twice mood_twice, moods mood_domain[], pk_edge int GENERATED ALWAYS AS IDENTITY);
${ROWS}
UPDATE edge SET mood = 'sad', twice = 'so so', moods = '{sad}' WHERE id = 'plain';
INSERT INTO edge (id, at, day) VALUES ('old', '0044-03-15 12:00:00.5+00 BC', '0044-03-15 BC'),
  ('far', '294276-12-31 23:59:59.999999+00', '5874897-12-31');
INSERT INTO edge (id, share, cost) VALUES ('no number', 'NaN', 'NaN'), ('endless', 'Infinity', 5);
CREATE FUNCTION fn_put(id text, at timestamptz, day date, extra jsonb, cost numeric) RETURNS edge LANGUAGE sql AS $$
  INSERT INTO edge (id, at, day, extra, cost) VALUES (id, at, day, extra, cost) RETURNING * $$;
`
const FIELDS = [
  { name: 'id', type: 'ID!' },
  { name: 'at', type: 'DateTime' },
  { name: 'day', type: 'Date' },
  { name: 'clock', type: 'Time' },
  { name: 'share', type: 'Float' },
  { name: 'cost', type: 'Decimal' },
  { name: 'extra', type: 'JSON' },
]
const MOODS = [
  { name: 'mood', type: 'Mood' },
  { name: 'twice', type: 'Mood' },
  { name: 'moods', type: '[Mood!]' },
  { name: 'word', type: 'String', column: 'mood' },
]

function schemaOf(isSqlite: boolean): AuthoredSchema {
  const fields = isSqlite ? FIELDS : [...FIELDS, ...MOODS]
  const values = [
    { name: 'SO_SO', value: 'so so' },
    { name: 'SAD', value: 'sad' },
  ]
  return tableSchema(
    { name: 'Edge', sql_source: 'edge', relay: !isSqlite, fields },
    {
      enums: isSqlite ? [] : [{ name: 'Mood', values }],
      queries: [
        {
          name: 'edges',
          type: '[Edge!]!',
          sql_source: 'edge',
          ...(isSqlite ? {} : { arguments: [{ name: 'mood', type: 'Mood' }] }),
        },
        ...(isSqlite ? [] : [{ name: 'pages', type: '[Edge!]!', sql_source: 'edge', relay: true }]),
      ],
      mutations: [
        {
          name: 'put',
          type: 'Edge',
          sql_source: 'fn_put',
          operation: 'CREATE',
          arguments: ['id', 'at', 'day', 'extra', 'cost'].map((name) => FIELDS.find((field) => field.name === name)!),
        },
      ],
    },
  )
}

await eachDatabase(
  t,
  async (t, database) => {
    const isSqlite = database.kind === 'sqlite'
    const { run } = await openExecuteWorld(t, database, schemaOf(isSqlite))
    const find = async (where: unknown) => {
      const { data, errors } = await run(
        'query ($w: EdgeWhereInput) { edges(where: $w, orderBy: [{ id: ASC }]) { id } }',
        { w: where },
      )
      if (errors.length > 0) throw errors[0]
      return data.edges.map(({ id }: { id: string }) => id)
    }

    await t.test('each shown time finds its row again', async (t) => {
      const { data } = await run('{ edges { id at day clock } }')
      t.equal(data.edges.length, isSqlite ? 3 : 7)
      for (const { id, at, day, clock } of data.edges) {
        const where = [
          ...(at === null ? [] : [{ at: { _eq: at } }]),
          ...(day === null ? [] : [{ day: { _in: [day] } }]),
          ...(clock === null ? [] : [{ clock: { _eq: clock } }]),
        ]
        for (const each of where) t.strictSame(await find(each), [id], `${id}: ${JSON.stringify(each)}`)
      }
    })

    await t.test('the infinite is behind and before every day', async (t) => {
      t.strictSame(await find({ at: { _gte: 'infinity' } }), ['ends'])
      t.strictSame(await find({ day: { _lte: '-infinity' } }), ['begins'])
      t.strictSame(await find({ at: { _gt: '2026-01-01' } }), isSqlite ? ['ends', 'plain'] : ['ends', 'far', 'plain'])
      t.strictSame(await find({ day: { _lt: '0001-01-01' } }), isSqlite ? ['begins'] : ['begins', 'old'])
      const { data } = await run('{ edges(where: { at: { _is_null: false } }, orderBy: [{ at: DESC }]) { id } }')
      const all = ['ends', 'far', 'plain', 'old', 'begins'].filter((id) => !isSqlite || !['far', 'old'].includes(id))
      t.strictSame(
        data.edges.map(({ id }: { id: string }) => id),
        all,
      )
    })

    await t.test('a written value is read back unchanged', async (t) => {
      const put =
        'mutation ($id: ID!, $at: DateTime, $day: Date, $extra: JSON, $cost: Decimal) { put(id: $id, at: $at, day: $day, extra: $extra, cost: $cost) { at day extra cost } }'
      const text = '{"id":"new","at":"infinity","day":"-infinity","extra":{"a":1.10,"b":[2.00,0.0],"c":3},"cost":1.50}'
      const { data, errors } = await run(put, parseJson(text, true) as Record<string, unknown>)
      t.strictSame(errors, [])
      t.match(data.put, { at: 'infinity', day: '-infinity', cost: '1.50' })
      const { text: answer } = await run('{ edges(where: { id: { _eq: "new" } }) { extra cost } }')
      t.match(String(answer).replaceAll(' ', ''), '{"extra":{"a":1.10,"b":[2.00,0.0],"c":3},"cost":"1.50"}')
      const literal = await run('mutation { put(id: "literal", extra: { a: 1.10 }, cost: 2.50) { id } }')
      t.strictSame(literal.errors, [])
      const again = await run('{ edges(where: { id: { _eq: "literal" } }) { extra cost } }')
      t.match(String(again.text).replaceAll(' ', ''), '{"extra":{"a":1.10},"cost":"2.50"}')
    })

    if (isSqlite) {
      await t.test('days that do not sort as texts are refused', async (t) => {
        for (const day of ['0044-03-15 BC', '12026-01-01']) {
          const at = day.replace(/( BC)?$/, 'T00:00:00+00:00$1')
          await t.rejects(find({ at: { _gt: at } }), { code: 'BAD_USER_INPUT' }, at)
          await t.rejects(find({ day: { _gt: day } }), { code: 'BAD_USER_INPUT' }, day)
        }
      })
      return
    }

    await t.test('a number that JSON does not have is null in its row alone', async (t) => {
      const { data, errors } = await run(
        '{ edges(where: { id: { _in: ["plain", "no number", "endless"] } }, orderBy: [{ id: ASC }]) { id share cost } }',
      )
      t.strictSame(data.edges, [
        { id: 'endless', share: null, cost: '5' },
        { id: 'no number', share: null, cost: null },
        { id: 'plain', share: 0.5, cost: '1.10' },
      ])
      t.strictSame(
        errors.map(({ path }) => path),
        [
          ['edges', 0, 'share'],
          ['edges', 1, 'share'],
          ['edges', 1, 'cost'],
        ],
      )
    })

    await t.test('a domain over an enum is filtered as the enum', async (t) => {
      for (const [field, own, other] of [
        ['mood', 'SAD', 'SO_SO'],
        ['twice', 'SO_SO', 'SAD'],
      ] as const) {
        t.strictSame(await find({ [field]: { _eq: own } }), ['plain'])
        t.strictSame(await find({ [field]: { _eq: other } }), [])
        t.strictSame(await find({ [field]: { _neq: own } }), [])
        t.strictSame(await find({ [field]: { _in: ['SAD', 'SO_SO'] } }), ['plain'])
        t.strictSame(await find({ [field]: { _nin: [other] } }), ['plain'])
        t.strictSame(await find({ [field]: { _nin: [own] } }), [])
        t.strictSame(await find({ [field]: { _is_null: false } }), ['plain'])
      }
      t.strictSame(await find({ word: { _eq: 'sad' } }), ['plain'])
      t.strictSame(await find({ word: { _startswith: 'sa' } }), ['plain'])
      t.strictSame(await find({ moods: { _contains: 'SAD' } }), ['plain'])
      t.strictSame(await find({ moods: { _eq: ['SAD'] } }), ['plain'])
      const { data, errors } = await run(
        '{ edges(mood: SAD) { id } pages(first: 1, orderBy: [{ mood: ASC }]) { edges { cursor node { mood } } } }',
      )
      t.strictSame(errors, [])
      t.strictSame(data.edges, [{ id: 'plain' }])
      t.equal(data.pages.edges[0].node.mood, 'SAD')
      const after = data.pages.edges[0].cursor
      const next = await run(
        'query ($after: String) { pages(first: 1, after: $after, orderBy: [{ mood: ASC }]) { edges { node { mood } } } }',
        { after },
      )
      t.strictSame(next.errors, [])
      t.strictSame(next.data.pages.edges, [{ node: { mood: null } }])
    })
  },
  {
    sql: SQL,
    sqlite: {
      sql: `CREATE TABLE edge (${COLUMNS.replace('numeric', 'DECIMAL TEXT').replace('jsonb', 'json')});${ROWS}`,
      scripts: {
        fn_put: 'INSERT INTO edge (id, at, day, extra, cost) VALUES (:id, :at, :day, :extra, :cost) RETURNING *;',
      },
    },
  },
)
