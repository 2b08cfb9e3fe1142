import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const NUT = '00000000-0000-4000-8000-000000000001'

const SQL = `
CREATE TABLE tb_nut (id uuid PRIMARY KEY, pk_nut bigint NOT NULL, label text NOT NULL, wing_count int);
INSERT INTO tb_nut VALUES ('${NUT}', 1, 'stored', 7);
CREATE VIEW v_nut AS SELECT id, pk_nut, label, wing_count FROM tb_nut;
CREATE TYPE mutation_response AS (status text, message text, entity_id text, entity_type text, entity jsonb);
CREATE FUNCTION fn_nut(p_status text, p_id text, p_entity text) RETURNS mutation_response LANGUAGE sql AS $$
  SELECT (p_status, 'said', p_id, 'Nut', p_entity::jsonb)::mutation_response $$;
`
const AUTHORED = tableSchema(
  { name: 'Nut', sql_source: 'v_nut', relay: true, fields: { id: 'ID!', label: 'String!', wing_count: 'Int' } },
  {
    queries: [{ name: 'nuts', type: '[Nut!]!', sql_source: 'v_nut', relay: true }],
    mutations: [
      {
        name: 'nut',
        type: 'Nut',
        sql_source: 'fn_nut',
        arguments: [
          { name: 'status', type: 'String!' },
          { name: 'id', type: 'String' },
          { name: 'entity', type: 'String' },
        ],
      },
    ],
  },
)

t.test('the entity column of a record, whatever a function puts there', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const STORED = { label: 'stored', wingCount: 7 }
      const cases: readonly [entity: string | null, id: string | null, expected: unknown, statements: number][] = [
        ['{"label":"given","wing_count":1}', NUT, { label: 'given', wingCount: 1 }, 1],
        ['{"label":"given","wingCount":null}', NUT, { label: 'given', wingCount: null }, 1],
        ['{"label":"given","wing_count":1}', null, { label: 'given', wingCount: 1 }, 1],
        [null, null, null, 1],
        ['null', null, null, 1],
        // What lacks something, or is no object at all, is read from its source.
        ['{"label":"given"}', NUT, STORED, 2],
        [`{"id":"${NUT}","label":"given"}`, null, STORED, 2],
        [null, NUT, STORED, 2],
        ['null', NUT, STORED, 2],
        ['"label"', NUT, STORED, 2],
        ['["label","wing_count"]', NUT, STORED, 2],
        ['4', NUT, STORED, 2],
      ]
      const { run, log, events } = await openExecuteWorld(t, test, AUTHORED)
      for (const [index, [entity, id, expected, statements]] of cases.entries()) {
        log.length = 0
        events.length = 0
        // Each under a key of its own: a document whose entity lacked something runs in a transaction from then on.
        const answer = await run(
          `mutation($i: String, $e: String) { r${index}: nut(status: "created", id: $i, entity: $e) { label wingCount } }`,
          { i: id, e: entity },
        )
        const name = `entity ${entity}, id ${id === null ? 'none' : 'given'}`
        t.same(answer.errors, [], name)
        t.same(answer.data[`r${index}`], expected, name)
        t.equal(log.includes('BEGIN'), statements > 1, name)
        t.equal(events.length, 1, name)
      }
    },
    { sql: SQL },
  ),
)

const PAIRS = `
CREATE TYPE mood AS ENUM ('calm', 'odd');
CREATE TABLE tb_pair (no bigint, on_day date, mood mood, owner text, note text, PRIMARY KEY (no, on_day, mood));
INSERT INTO tb_pair VALUES (9007199254740993, '2024-02-29', 'odd', 'ann', 'first'), (1, '2024-02-29', 'calm', 'bob', 'second');
CREATE VIEW v_pair AS SELECT no, on_day, mood, owner, note FROM tb_pair;
CREATE TYPE mutation_response AS (status text, message text, entity_id text, entity_type text, entity jsonb);
CREATE FUNCTION fn_pair(p_status text, p_entity text) RETURNS mutation_response LANGUAGE sql AS $$
  SELECT (p_status, 'said', NULL, 'Pair', p_entity::jsonb)::mutation_response $$;
`
const PAIR_SCHEMA = tableSchema(
  {
    name: 'Pair',
    sql_source: 'v_pair',
    key: ['no', 'on_day', 'mood'],
    fields: { no: 'BigInt!', on_day: 'Date!', mood: 'String!', note: 'String' },
  },
  {
    queries: [{ name: 'pairs', type: '[Pair!]!', sql_source: 'v_pair' }],
    mutations: [
      {
        name: 'pair',
        type: 'Pair',
        sql_source: 'fn_pair',
        arguments: [
          { name: 'status', type: 'String!' },
          { name: 'entity', type: 'String' },
        ],
      },
    ],
  },
)

t.test('an entity without an id is read by its key', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const { run, log } = await openExecuteWorld(t, test, PAIR_SCHEMA)
      const ask = async (index: number, entity: string) => {
        log.length = 0
        return run(`mutation($e: String) { r${index}: pair(status: "updated", entity: $e) { no note } }`, { e: entity })
      }
      for (const [index, [entity, note, statements]] of (
        [
          ['{"no":9007199254740993,"on_day":"2024-02-29","mood":"odd"}', 'first', 2],
          ['{"no":"1","onDay":"2024-02-29","mood":"calm"}', 'second', 2],
          ['{"no":1,"on_day":"2024-02-29","mood":"calm","note":"given"}', 'given', 1],
          ['{"no":1,"note":"given"}', 'given', 1],
          ['{"no":2,"on_day":"2024-02-29","mood":"odd"}', null, 2],
        ] as const
      ).entries()) {
        const { data, errors } = await ask(index, entity)
        t.same(errors, [], entity)
        t.equal((data[`r${index}`] as { note: string }).note, note, entity)
        t.equal(log.includes('BEGIN'), statements > 1, entity)
      }
      for (const [index, entity, message] of [
        [11, '{"no":1,"on_day":"2024-02-29"}', /nor an id or a whole key to read them by/],
        [12, '{"no":1,"on_day":"2024-02-29","mood":null}', /nor an id or a whole key to read them by/],
      ] as const) {
        const { errors } = await ask(index, entity)
        t.match(errors[0]?.message, message, entity)
      }
      const wrong = await ask(13, '{"no":"x","on_day":"2024-02-29","mood":"calm"}')
      t.match(wrong.errors, [{ code: 'INTERNAL_SERVER_ERROR', message: /gave an id that no Pair can have/ }])
    },
    { sql: PAIRS },
  ),
)

t.test('rules of its type hold for an entity that is read by its key', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const types = PAIR_SCHEMA.types!.map((type) => ({ ...type, row_filter: "owner = 'ann'" }))
      const { run } = await openExecuteWorld(t, test, { ...PAIR_SCHEMA, types })
      const ask = (entity: string) =>
        run('mutation($e: String) { pair(status: "updated", entity: $e) { note } }', { e: entity })
      const seen = await ask('{"no":9007199254740993,"on_day":"2024-02-29","mood":"odd","note":"given"}')
      t.same([seen.data, seen.errors], [{ pair: { note: 'first' } }, []])
      const hidden = await ask('{"no":1,"on_day":"2024-02-29","mood":"calm","note":"given"}')
      t.match(hidden.errors, [
        { code: 'NOT_FOUND', message: /^pair: there is no Pair with the key "1", "2024-02-29", "calm"/ },
      ])
      t.notMatch(JSON.stringify(hidden.data ?? null), /given|second/)
    },
    { sql: PAIRS },
  ),
)
