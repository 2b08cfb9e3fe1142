import t from 'tap'
import type { MutationHooks } from '../../../../core/contract/mutation-hooks.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn, openExecuteWorld } from '../../../helpers/execute-world.ts'

/** Functions that give a set of records, some of which failed or had nothing to do. */
const SQL = `
CREATE TABLE tb_item (id text PRIMARY KEY, name text NOT NULL);
CREATE VIEW v_item AS SELECT id, name FROM tb_item;
CREATE TABLE tb_told (id uuid, entity_id text, kind text);
CREATE TYPE response AS (status text, message text, entity_id text, entity_type text, entity jsonb, updated_fields text[], cascade jsonb, metadata jsonb);
CREATE FUNCTION fn_records(p_records jsonb) RETURNS SETOF response LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tb_item SELECT x -> 'entity' ->> 'id', x -> 'entity' ->> 'name' FROM jsonb_array_elements(p_records) x
    WHERE x ->> 'status' = 'created' AND jsonb_typeof(x -> 'entity') = 'object';
  RETURN QUERY SELECT x ->> 'status', x ->> 'message', NULL::text, x ->> 'entity_type', x -> 'entity', NULL::text[], NULL::jsonb, x -> 'metadata'
    FROM jsonb_array_elements(p_records) WITH ORDINALITY AS e(x, n) ORDER BY n;
END $$;
`
const SQLITE = `
CREATE TABLE tb_item (id TEXT PRIMARY KEY, name TEXT NOT NULL);
CREATE VIEW v_item AS SELECT id, name FROM tb_item;
CREATE TABLE tb_told (id TEXT, entity_id TEXT, kind TEXT);
`
const SCRIPTS = {
  fn_records: `-- :records json
INSERT INTO tb_item SELECT value ->> '$.entity.id', value ->> '$.entity.name' FROM json_each(:records)
  WHERE value ->> '$.status' = 'created' AND json_type(value, '$.entity') = 'object';
SELECT value ->> '$.status' AS status, value ->> '$.message' AS message, NULL AS entity_id, value ->> '$.entity_type' AS entity_type,
  value -> '$.entity' AS entity, NULL AS updated_fields, NULL AS cascade, value -> '$.metadata' AS metadata FROM json_each(:records);`,
}
const args = [{ name: 'records', type: 'JSON!' }]
const SCHEMA: AuthoredSchema = {
  version: '1',
  unions: [{ name: 'Outcome', members: ['Item', 'SoldOut'] }],
  types: [
    {
      name: 'Item',
      sql_source: 'v_item',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
      ],
    },
    { name: 'SoldOut', is_error: true, embedded: true, fields: [{ name: 'left', type: 'Int' }] },
  ],
  queries: [{ name: 'items', type: '[Item!]!', sql_source: 'v_item' }],
  mutations: [
    { name: 'may', type: '[Item]', sql_source: 'fn_records', operation: 'CREATE', arguments: args },
    { name: 'must', type: '[Item!]', sql_source: 'fn_records', operation: 'CREATE', arguments: args },
    { name: 'one', type: 'Item', sql_source: 'fn_records', operation: 'CREATE', arguments: args },
    { name: 'outcomes', type: '[Outcome!]!', sql_source: 'fn_records', operation: 'CREATE', arguments: args },
  ],
}

const item = (id: string, status = 'created') => ({ status, entity: { id, name: `name ${id}` }, entity_type: 'Item' })
const FAILED = { status: 'failed:sold_out', message: 'there is none', entity_type: 'SoldOut', metadata: { left: 0 } }
const DOCUMENTS: Readonly<Record<string, string>> = {
  may: 'mutation ($r: JSON!) { may(records: $r) { id } }',
  must: 'mutation ($r: JSON!) { must(records: $r) { id } }',
  one: 'mutation ($r: JSON!) { one(records: $r) { id } }',
  outcomes: 'mutation ($r: JSON!) { outcomes(records: $r) { __typename ... on Item { id } ... on SoldOut { left } } }',
}

t.test('sets of records', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const seen: (readonly (string | null)[])[] = []
      const after: MutationHooks['after'] = async (_exchange, _call, writes) =>
        void seen.push(writes.map(({ entityId }) => entityId))
      const plain = await openExecuteWorld(t, test, SCHEMA)
      const hooked = await executeWorldOn(plain.database, SCHEMA, {
        mutationHooks: { before: null, after },
      })
      const kept = await executeWorldOn(plain.database, SCHEMA, {
        contributions: [
          {
            plugin: 'test',
            insert: { table: 'tb_told', columns: { id: 'id', entity_id: 'entityId', kind: 'kind' } },
          },
        ] as never,
      })
      for (const [name, world] of Object.entries({ plain, hooked, kept })) {
        let number = 0
        const id = (): string => `${name}-${number++}`
        const rows = async () => (await world.look('SELECT id FROM tb_item ORDER BY id')).map(([id]) => id)
        const run = async (field: string, records: readonly object[]) => {
          world.events.length = 0
          seen.length = 0
          await plain.database.script('DELETE FROM tb_told')
          const { data, errors } = await world.run(DOCUMENTS[field]!, { r: records })
          const told = world.events.flatMap(({ writes }) => writes)
          if (name === 'kept') {
            const beside = await world.look('SELECT id, entity_id, kind FROM tb_told ORDER BY id')
            t.same(
              beside,
              told.map(({ id, entityId, kind }) => [id, entityId, kind]),
              'told as it is kept beside',
            )
          }
          if (name === 'hooked' && told.length > 0) t.same(seen, [told.map(({ entityId }) => entityId)])
          return { value: data?.[field], errors, told: told.map(({ kind, entityId }) => `${kind} ${entityId}`) }
        }

        await t.test(
          `${name}: an item that failed is an error at its place, and what the others wrote stands`,
          async (t) => {
            const [a, b] = [id(), id()]
            const { value, errors, told } = await run('may', [FAILED, item(a), FAILED, item(b)])
            t.same(value, [null, { id: a }, null, { id: b }], 'in their order')
            t.match(errors, [
              { code: 'SOLD_OUT', message: 'there is none', path: ['may', 0], details: { outcome: 'committed' } },
              { code: 'SOLD_OUT', path: ['may', 2] },
            ])
            t.equal(errors.length, 2)
            t.same(told, [`CREATE ${a}`, `CREATE ${b}`], 'nobody is told of the others')
            t.same(
              (await rows()).filter((one) => one === a || one === b),
              [a, b],
            )
          },
        )

        await t.test(`${name}: where no item may be null, its failure is the error of the list`, async (t) => {
          const a = id()
          const { value, errors, told } = await run('must', [item(a), FAILED])
          t.equal(value, null)
          t.match(errors, [{ code: 'SOLD_OUT', path: ['must', 1], details: { outcome: 'committed' } }])
          t.equal(errors.length, 1)
          t.same(told, [`CREATE ${a}`])
        })

        await t.test(`${name}: members of a union, each at its place`, async (t) => {
          const a = id()
          const { value, errors, told } = await run('outcomes', [FAILED, item(a)])
          t.same(value, [
            { __typename: 'SoldOut', left: 0 },
            { __typename: 'Item', id: a },
          ])
          t.same([errors, told], [[], [`CREATE ${a}`]])
          t.same((await run('outcomes', [FAILED])).value, [{ __typename: 'SoldOut', left: 0 }], 'a list of one is one')
        })

        await t.test(`${name}: items that failed fail the root; a noop is answered, and not reported`, async (t) => {
          const [a, b] = [id(), id()]
          const none = await run('may', [FAILED, FAILED])
          t.same([none.value, none.told], [null, []])
          t.match(none.errors, [{ code: 'SOLD_OUT', path: ['may'] }])
          t.equal(none.errors.length, 1)
          const { value, errors, told } = await run('may', [item('gone', 'noop'), item(a), item('gone', 'noop:same')])
          t.same([value, errors, told], [[{ id: 'gone' }, { id: a }, { id: 'gone' }], [], [`CREATE ${a}`]])
          t.same((await run('may', [item('gone', 'noop')])).told, [])
          const lists = await run('may', [{ ...item(b), entity: [item(b).entity, item(a).entity] }, item('last', 'ok')])
          t.same(lists.value, [{ id: b }, { id: a }, { id: 'last' }], 'lists one behind the other')
          t.same((await run('may', [{ ...item(b), entity: [] }, item('last', 'ok')])).value, [null, { id: 'last' }])
        })

        await t.test(`${name}: of one object the first record counts`, async (t) => {
          const a = id()
          const first = await run('one', [item(a), FAILED])
          t.same([first.value, first.errors, first.told], [{ id: a }, [], [`CREATE ${a}`]])
          const failed = await run('one', [FAILED, item('x', 'ok')])
          t.same([failed.value, failed.told], [null, ['CREATE x']], 'and the others are told all the same')
          t.match(failed.errors, [{ code: 'SOLD_OUT', path: ['one'] }])
        })

        await t.test(`${name}: one failed item undoes all of what stands or falls as a whole`, async (t) => {
          for (const field of ['may', 'must', 'outcomes']) {
            const a = id()
            const operation = world.operation(DOCUMENTS[field]!, { r: [item(a), FAILED] })
            world.events.length = 0
            seen.length = 0
            const { data, errors } = await world.resolve({ ...operation, write: { atomic: true } })
            t.equal(data, null)
            t.match(errors, [{ code: 'SOLD_OUT', path: [field, 1] }])
            t.equal(errors?.[0]?.details?.outcome, undefined)
            t.same([(await rows()).includes(a), world.events, seen], [false, [], []], field)
          }
        })
      }
    },
    { sql: SQL, sqlite: { sql: SQLITE, scripts: SCRIPTS } },
  ),
)
