import t from 'tap'
import { boundGroupKeys, boundSortKeys } from '../../../../core/engine/plan/context/limits.ts'
import type { PlanContext } from '../../../../core/engine/plan/context/plan-context.ts'
import type { PlanSettings } from '../../../../core/engine/plan/context/settings.ts'
import { createPglite } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'

/** Sort keys and group keys have bounds, whichever front names them. */
t.setTimeout(120_000)
const names = Array.from({ length: 20 }, (_, index) => `c${index}`)
const url = await createPglite(t, {
  sql: `CREATE TABLE tb_row (pk_row int PRIMARY KEY, id text NOT NULL UNIQUE, ${names.map((name) => `${name} int`).join()});
    INSERT INTO tb_row (pk_row, id, c0) VALUES (1, 'a', 1), (2, 'b', 2);
    CREATE VIEW v_row AS SELECT * FROM tb_row; CREATE VIEW v_leaf AS SELECT pk_row AS pk_leaf, id, pk_row AS fk_row, c0 FROM tb_row`,
})
const app = await openApp(t, { kind: 'pglite', url }, {
  version: '1',
  types: [
    {
      name: 'Row',
      sql_source: 'v_row',
      aggregate: true,
      relay: true,
      fields: [
        { name: 'id', type: 'ID!' },
        ...names.map((name) => ({ name, type: 'Int' })),
        { name: 'leaves', type: '[Leaf!]!', relation: { from: 'pk_row', to: 'fk_row' } },
      ],
    },
    {
      name: 'Leaf',
      sql_source: 'v_leaf',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'c0', type: 'Int' },
      ],
    },
  ],
  queries: [
    { name: 'rows', type: '[Row!]!', sql_source: 'v_row', aggregate: true },
    { name: 'row_pages', type: '[Row!]!', sql_source: 'v_row', relay: true },
  ],
} as never)
const told = async (query: string, variables?: object) => {
  const { errors } = await app.graphql(query, variables as never)
  return errors?.map(({ message, extensions }) => [extensions?.code, /svc\.\w+/.exec(message)?.[0] ?? message])
}
const sort = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ [index % 2 === 0 ? 'id' : 'c0']: 'ASC' }))
const TOO_MANY_SORTS = [['VALIDATION_ERROR', 'svc.max_sort_keys']]
const TOO_MANY_GROUPS = [['VALIDATION_ERROR', 'svc.max_group_keys']]

t.test('sort keys of lists, connections, relations and groups: 32', async (t) => {
  for (const query of [
    'query ($o: [RowOrderByInput!]) { rows(orderBy: $o) { id } }',
    'query ($o: [RowOrderByInput!]) { rowPages(orderBy: $o) { edges { node { id } } } }',
    'query ($o: [LeafOrderByInput!]) { rows { leaves(orderBy: $o) { id } } }',
  ]) {
    t.equal(await told(query, { o: sort(32) }), undefined, query)
    t.strictSame(await told(query, { o: sort(33) }), TOO_MANY_SORTS, query)
  }
  const literal = (count: number) => `{ rows(orderBy: [${'{ id: ASC }'.repeat(count)}]) { id } }`
  t.equal(await told(literal(32)), undefined)
  t.strictSame(await told(literal(33)), TOO_MANY_SORTS)
  const groups = (count: number) =>
    `{ rowsGroups(groupBy: [id], orderBy: [${'{ count: ASC }'.repeat(count)}]) { count } }`
  t.equal(await told(groups(32)), undefined)
  t.strictSame(await told(groups(33)), TOO_MANY_SORTS)
})

t.test('group keys, in the document and as a variable: 16', async (t) => {
  const fixed = (count: number) => `{ rowsGroups(groupBy: [${names.slice(0, count).join()}]) { count } }`
  t.equal(await told(fixed(16)), undefined)
  t.strictSame(await told(fixed(17)), TOO_MANY_GROUPS)
  const query = 'query ($by: [RowGroupBy!]!) { rowsGroups(groupBy: $by) { count } }'
  t.equal(await told(query, { by: names.slice(0, 16) }), undefined)
  t.strictSame(await told(query, { by: names.slice(0, 17) }), TOO_MANY_GROUPS)
})

t.test('the options move the bounds, and 0 takes them away', async (t) => {
  const context = (settings: Partial<PlanSettings>) =>
    ({ path: ['rows'], settings: { maxRows: 0, ...settings } }) as unknown as PlanContext
  for (const [bound, setting] of [
    [(of: PlanContext, keys: number) => boundSortKeys(of, keys, 'orderBy'), 'maxSortKeys'],
    [boundGroupKeys, 'maxGroupKeys'],
  ] as const) {
    t.throws(() => bound(context({ [setting]: 2 }), 3), { code: 'VALIDATION_ERROR' })
    t.doesNotThrow(() => bound(context({ [setting]: 2 }), 2))
    t.doesNotThrow(() => bound(context({ [setting]: 0 }), 10_000))
  }
})
