import t from 'tap'
import { describePlan } from '../../../../core/engine/plan/describe-plan.ts'
import { planRead } from '../../../../core/engine/plan/plan-read.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { compileFixture } from '../../../helpers/compile-fixture.ts'
import { LIMITS } from '../../../helpers/plan-world.ts'

const model = compileFixture(
  {
    version: '1',
    types: [
      {
        name: 'Author',
        sql_source: 'v_author',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'name', type: 'String!' },
          { name: 'posts', type: '[Post!]!', relation: { from: 'id', to: 'author_id' } },
        ],
      },
      {
        name: 'Post',
        open: true,
        sql_source: 'v_post',
        fields: [
          { name: 'id', type: 'ID!' },
          { name: 'title', type: 'String' },
          { name: 'author', type: 'Author', relation: { from: 'author_id', to: 'id' } },
          { name: 'joke', type: 'String', computed: true },
        ],
      },
    ],
    queries: [
      { name: 'posts', type: '[Post!]!', sql_source: 'v_post', row_filter: 'tenant = {tenant}' },
      { name: 'authors', type: '[Author!]!', sql_source: 'v_author', auto_params: { total_count: true } },
      { name: 'author', type: 'Author', sql_source: 'v_author', arguments: [{ name: 'id', type: 'ID!' }] },
    ],
  } as Parameters<typeof compileFixture>[0],
  null,
)
const view = createSchemaView(model, false)
const describe = (query: string, variables: Record<string, unknown> = {}) => {
  const operation = new PreparedDocument(query, view, LIMITS, () => {}).operation(null).toOperation(variables)
  return describePlan(planRead(operation, model, { maxRows: 100 })).split('\n')
}

t.test('rows with their rules first, what they are tied to, and what bounds them', async (t) => {
  const query = `query($w: PostWhereInput, $n: Int!) {
    posts(where: $w, orderBy: [{ title: DESC }], limit: $n) { title author { name } joke }
    __typename
  }`
  const where = { _or: [{ author: { name: { _eq: 'x' } } }, { _not: { title: { _is_null: true } } }] }
  t.strictSame(describe(query, { w: where, n: 3 }), [
    'posts: list v_post #1 rules (tenant = ?) filter (some v_author #2 tied #2.id = #1.author_id (#2.name _eq ?) or not (#1.title _is_null true)) order #1.title DESC, #1.id DESC limit ?',
    '  title: #1.title',
    '  author: toOne v_author #3 tied #3.id = #1.author_id',
    '    name: #3.name',
    '  joke: nothing',
    '__typename: constant "Query"',
  ])
})

t.test('each part of a counted list, and a list below without a limit', async (t) => {
  t.strictSame(describe('{ authors { items { posts(where: { title: { _eq: "x" } }) { id } } totalCount } }'), [
    'authors: counted',
    '  items: items v_author #1 order #1.id ASC limit 101 at most 100',
    '    posts: toMany v_post #2 filter #2.title _eq ? tied #2.author_id = #1.id order #2.id ASC limit 101 at most 100',
    '      id: #2.id',
    '  totalCount: count v_author #3',
  ])
})

t.test('an argument is a condition of its own, behind the rules', async (t) => {
  t.strictSame(describe('{ author(id: "1") { id } }'), [
    'author: single v_author #1 where #1.id _eq ? limit 1',
    '  id: #1.id',
  ])
})
