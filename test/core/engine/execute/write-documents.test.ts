import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { linkSchema } from '../../../../core/schema/link/link.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'

const BOX = '00000000-0000-4000-8000-000000000001'

const SQL = `
CREATE TABLE tb_box (id uuid PRIMARY KEY, pk_box bigint NOT NULL, data jsonb NOT NULL);
INSERT INTO tb_box VALUES ('${BOX}', 1, '{"id":"${BOX}","label":"stored","lid":{"paint_color":"red","hinge_count":2},
  "parts":[{"part_name":"a","unit_price":1.50,"kinds":["k1"]},{"part_name":"b","unit_price":2.00,"kinds":[]}]}'),
  ('00000000-0000-4000-8000-000000000002', 2, '{"id":"2","label":null,"lid":null,"parts":[]}');
CREATE VIEW v_box AS SELECT id, pk_box, data FROM tb_box;
CREATE FUNCTION fn_box(p_entity jsonb, p_type text DEFAULT NULL) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'ok', 'entity', p_entity, 'entity_id', '${BOX}', 'entity_type', p_type) $$;
CREATE FUNCTION fn_fail(p_metadata jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'failed:bad_parts', 'message', 'no', 'entity', NULL, 'metadata', p_metadata) $$;
CREATE FUNCTION fn_whole(p_all jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT p_all $$;
CREATE FUNCTION fn_documents(p_free jsonb[]) RETURNS jsonb LANGUAGE sql AS $$ SELECT to_jsonb(p_free) $$;
`
const PART = [
  { name: 'part_name', type: 'String!' },
  { name: 'unit_price', type: 'Decimal!' },
  { name: 'kinds', type: '[Kind!]' },
]
const AUTHORED: AuthoredSchema = {
  version: '1',
  enums: [
    {
      name: 'Kind',
      values: [
        { name: 'FIRST', value: 'k1' },
        { name: 'SECOND', value: 'k2' },
      ],
    },
  ],
  custom_scalars: [{ name: 'Loud' }],
  unions: [
    { name: 'BoxResult', members: ['Box', 'PartsError'] },
    { name: 'Thing', members: ['Box', 'Lid'] },
  ],
  types: [
    {
      name: 'Box',
      sql_source: 'v_box',
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'Loud' },
        { name: 'lid', type: 'Lid' },
        { name: 'parts', type: '[Part!]' },
      ],
    },
    {
      name: 'Lid',
      embedded: true,
      fields: [
        { name: 'paint_color', type: 'String!' },
        { name: 'hinge_count', type: 'Int' },
      ],
    },
    { name: 'Part', embedded: true, fields: PART },
    {
      name: 'PartsError',
      is_error: true,
      embedded: true,
      fields: [
        { name: 'code', type: 'String!' },
        { name: 'worst', type: 'Part' },
        { name: 'parts', type: '[Part]' },
        { name: 'kind', type: 'Kind' },
        { name: 'numbers', type: '[Decimal]' },
        { name: 'raw', type: 'JSON' },
        { name: 'odd', type: 'Part' },
      ],
    },
    {
      name: 'ThingPayload',
      embedded: true,
      fields: [
        { name: 'thing', type: 'Thing' },
        { name: 'entity_id', type: 'ID' },
        { name: 'entity_type', type: 'String' },
      ],
    },
  ],
  input_types: [{ name: 'Tag', fields: [{ name: 'tag_name', type: 'String!' }] }],
  queries: [
    { name: 'boxes', type: '[Box!]!', sql_source: 'v_box', relay: true },
    { name: 'counted', type: '[Box!]!', sql_source: 'v_box', auto_params: { total_count: true } },
  ],
  mutations: [
    { name: 'box', type: 'Box', sql_source: 'fn_box', arguments: [{ name: 'entity', type: 'JSON' }] },
    {
      name: 'box_or',
      type: 'BoxResult',
      sql_source: 'fn_box',
      arguments: [
        { name: 'entity', type: 'JSON' },
        { name: 'type', type: 'String' },
      ],
    },
    {
      name: 'thing',
      type: 'ThingPayload',
      sql_source: 'fn_box',
      arguments: [
        { name: 'entity', type: 'JSON' },
        { name: 'type', type: 'String' },
      ],
    },
    { name: 'fail', type: 'BoxResult', sql_source: 'fn_fail', arguments: [{ name: 'metadata', type: 'JSON' }] },
    {
      name: 'whole',
      type: 'JSON',
      sql_source: 'fn_whole',
      arguments: [
        { name: 'first_arg', type: 'Int' },
        { name: 'tags', type: '[Tag!]' },
        { name: 'kind', type: 'Kind', default: 'FIRST' },
      ],
    },
    {
      name: 'documents',
      type: 'JSON',
      sql_source: 'fn_documents',
      arguments: [{ name: 'free', type: '[JSON!]!' }],
    },
  ],
}

t.test('entities with objects in them', (t) =>
  eachDatabase(
    t,
    async (t, test) => {
      const loud = { serialize: (value: unknown) => `${value}!` }
      const world = await openExecuteWorld(t, test, AUTHORED, {
        change: (model) => linkSchema(model.compiled, { codecs: new Map([['Loud', loud]]) }),
      })
      const { log, run } = world
      const box = async (entity: unknown, selection: string) => {
        log.length = 0
        const { data, errors } = await run(`mutation($e: JSON) { box(entity: $e) { ${selection} } }`, { e: entity })
        t.same(errors, [])
        return data.box
      }
      const ALL = 'label lid { paintColor hingeCount } parts { partName unitPrice kinds }'

      await t.test('nested objects and lists, spelled either way, in one statement', async (t) => {
        const snake = {
          label: 'l',
          lid: { paint_color: 'blue', hinge_count: 1 },
          parts: [{ part_name: 'p', unit_price: 1.1, kinds: ['k2'] }],
        }
        const camel = {
          label: 'l',
          lid: { paintColor: 'blue', hingeCount: 1 },
          parts: [{ partName: 'p', unitPrice: 1.1, kinds: ['k2'] }],
        }
        for (const entity of [snake, camel]) {
          t.same(await box(entity, ALL), {
            label: 'l!',
            lid: { paintColor: 'blue', hingeCount: 1 },
            parts: [{ partName: 'p', unitPrice: '1.1', kinds: ['SECOND'] }],
          })
          t.equal(log.length, 1)
        }
        t.same(await box({ label: null, lid: null, parts: null }, ALL), { label: null, lid: null, parts: null })
        t.same(await box({ label: 'l', lid: null, parts: [] }, ALL), { label: 'l!', lid: null, parts: [] })
        const long = 'a'.repeat(80)
        t.same(await box({ label: 'l', lid: null }, `${long}: label __typename lid { __typename }`), {
          [long]: 'l!',
          __typename: 'Box',
          lid: null,
        })
        t.equal(log.length, 1)
      })

      await t.test('missing nested values are read too', async (t) => {
        const stored = { paintColor: 'red', hingeCount: 2 }
        t.same((await box({ label: 'l', lid: { paint_color: 'blue' } }, 'lid { paintColor hingeCount }')).lid, stored)
        t.ok(log.includes('BEGIN'))
        const parts = (await box({ parts: [{ part_name: 'x' }] }, 'parts { partName unitPrice }')).parts
        t.same(parts, [
          { partName: 'a', unitPrice: '1.50' },
          { partName: 'b', unitPrice: '2.00' },
        ])
        t.ok(log.includes('BEGIN'))
      })

      await t.test('unions: as result and inside a payload, read again where they lack something', async (t) => {
        const select = '{ __typename ... on Box { label lid { paintColor } } }'
        const run1 = (entity: unknown, type: string | null) =>
          run(`mutation($e: JSON, $t: String) { boxOr(entity: $e, type: $t) ${select} }`, { e: entity, t: type })
        t.same((await run1({ label: 'l', lid: null }, 'Box')).data.boxOr, { __typename: 'Box', label: 'l!', lid: null })
        t.same((await run1({ label: 'l' }, 'Box')).data.boxOr, {
          __typename: 'Box',
          label: 'stored!',
          lid: { paintColor: 'red' },
        })
        t.same((await run1({ __typename: 'Box', label: 'l', lid: null }, null)).data.boxOr.label, 'l!')
        t.match((await run1({ label: 'l' }, null)).errors[0]?.message, /of the type "NULL"/)
        t.same((await run1(null, null)).data.boxOr, null)
        const inside = (entity: unknown, type: string) =>
          run(
            `mutation($e: JSON, $t: String) { thing(entity: $e, type: $t) { entityId entityType thing ${select} } }`,
            { e: entity, t: type },
          )
        t.same((await inside({ label: 'l', lid: null }, 'Box')).data.thing, {
          entityId: BOX,
          entityType: 'Box',
          thing: { __typename: 'Box', label: 'l!', lid: null },
        })
        t.same((await inside({ label: 'l' }, 'Box')).data.thing.thing, {
          __typename: 'Box',
          label: 'stored!',
          lid: { paintColor: 'red' },
        })
        t.same((await inside({ paint_color: 'x' }, 'Lid')).data.thing.thing, { __typename: 'Lid' })
        t.same(
          (await inside({ thing: { __typename: 'Box', label: 'w', lid: null } }, 'ThingPayload')).data.thing.thing,
          { __typename: 'Box', label: 'w!', lid: null },
        )
      })

      await t.test('fields of an error member', async (t) => {
        const fail = async (metadata: unknown) =>
          (
            await run(
              `mutation($m: JSON) { fail(metadata: $m) { ... on PartsError { __typename code worst { partName unitPrice } parts { partName } kind numbers raw odd { kinds } } } }`,
              { m: metadata },
            )
          ).data.fail
        t.same(
          await fail({
            worst: { partName: 'w', unit_price: 2.5 },
            parts: [{ part_name: 'x' }, null],
            kind: 'k2',
            numbers: [1.5, '2', null],
            raw: [1, { a_b: 1 }],
            odd: 'text',
          }),
          {
            __typename: 'PartsError',
            code: 'BAD_PARTS',
            worst: { partName: 'w', unitPrice: '2.5' },
            parts: [{ partName: 'x' }, null],
            kind: 'SECOND',
            numbers: ['1.5', '2', null],
            raw: [1, { a_b: 1 }],
            odd: null,
          },
        )
        t.same((await fail(null)).code, 'BAD_PARTS')
        t.same((await fail({ kind: 7 })).kind, null)
      })

      await t.test('all arguments as one JSON; lists of documents', async (t) => {
        t.same((await run('mutation { whole(firstArg: 1, tags: [{tagName: "t"}]) }')).data.whole, {
          first_arg: 1,
          tags: [{ tag_name: 't' }],
          kind: 'k1',
        })
        t.same((await run('mutation($k: Kind) { whole(kind: $k) }', { k: null })).data.whole, { kind: null })
        t.same((await run('mutation { documents(free: [{a: 1}, 2]) }')).data.documents, [{ a: 1 }, 2])
      })

      await t.test('custom scalars inside connections and counted lists', async (t) => {
        const { data } = await run(
          '{ boxes(first: 1) { totalCount edges { cursor node { label } } pageInfo { hasNextPage } } counted(limit: 1) { items { label } totalCount } }',
        )
        t.same(
          data.boxes.edges.map(({ node }: { node: unknown }) => node),
          [{ label: 'stored!' }],
        )
        t.same([data.boxes.totalCount, data.boxes.pageInfo], [2, { hasNextPage: true }])
        t.same(data.counted, { items: [{ label: 'stored!' }], totalCount: 2 })
        const node = await run('query($id: ID!) { node(id: $id) { id ... on Box { label } } }', {
          id: Buffer.from(`Box:${BOX}`).toString('base64'),
        })
        t.same(node.data.node, { id: BOX, label: 'stored!' })
      })
    },
    { sql: SQL },
  ),
)
