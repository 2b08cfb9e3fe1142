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
