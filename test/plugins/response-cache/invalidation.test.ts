import t from 'tap'
import type { CommittedWrite, OperationTemplate, SchemaModel } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { testOperation } from '../../../core/testing/testing.ts'
import { matchViews, TouchedViews } from '../../../plugins/response-cache/invalidation.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'

/** Which views a write touches: too few of them, and readers get what is no longer so. */
const id = { name: 'id', type: 'ID!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Author', sql_source: 'v_author', fields: [id] },
    { name: 'Post', sql_source: 'v_post', implements: ['Thing'], fields: [id] },
    { name: 'Page', sql_source: 'v_page', implements: ['Thing'], fields: [id] },
    { name: 'Draft', sql_source: 'v_draft', fields: [id] },
    {
      name: 'Payload',
      fields: [
        { name: 'post', type: 'Post' },
        { name: 'found', type: 'Found' },
      ],
    },
  ],
  interfaces: [{ name: 'Thing', fields: [id] }],
  unions: [{ name: 'Found', members: ['Author', 'Draft'] }],
  queries: [
    { name: 'posts', type: '[Post!]!', sql_source: 'v_post' },
    { name: 'old_posts', type: '[Post!]!', sql_source: 'v_old_post' },
    { name: 'authors', type: '[Author!]!', sql_source: 'v_author' },
  ],
  mutations: [
    { name: 'save_author', type: 'Author', sql_source: 'fn_a', operation: 'UPDATE', arguments: [id] },
    {
      name: 'save_post',
      type: 'Post',
      sql_source: 'fn_b',
      operation: 'UPDATE',
      invalidates: ['v_total'],
      arguments: [id],
    },
    { name: 'save_payload', type: 'Payload', sql_source: 'fn_c', operation: 'CUSTOM', arguments: [id] },
    { name: 'save_found', type: 'Found', sql_source: 'fn_d', operation: 'CUSTOM', arguments: [id] },
    { name: 'save_thing', type: 'Thing', sql_source: 'fn_e', operation: 'CUSTOM', arguments: [id] },
    { name: 'silent', type: 'Boolean', sql_source: 'fn_f', operation: 'CUSTOM', arguments: [id] },
    {
      name: 'declared',
      type: 'Boolean',
      sql_source: 'fn_g',
      operation: 'CUSTOM',
      invalidates: ['v_x'],
      arguments: [id],
    },
  ],
}
const model: SchemaModel = compileFixture(SCHEMA, null)
const views = new TouchedViews(model)

function mutations(...names: readonly string[]): OperationTemplate {
  const roots = names.map((name) => ({
    kind: 'operation' as const,
    responseKey: name,
    operation: model.mutations.get(name)!,
    arguments: [],
    selection: null,
    location: null,
  }))
  return testOperation({ kind: 'mutation', roots }).template
}
const wrote = (mutation: string, entityType: string | null, cascade: string | null = null): CommittedWrite => ({
  id: '',
  time: '',
  mutation,
  kind: 'UPDATE',
  entityType,
  entityId: null,
  entity: null,
  before: null,
  updatedFields: null,
  cascade,
})
const touched = (template: OperationTemplate, ...writes: readonly CommittedWrite[]) =>
  views.ofWrite(template, writes)?.toSorted() ?? null

t.test('a type has the view of its own and those of all its queries', async (t) => {
  t.strictSame(views.ofType('Post').toSorted(), ['v_old_post', 'v_post'])
  t.strictSame(views.ofType('Author'), ['v_author'])
  t.strictSame(views.ofType('Draft'), ['v_draft'], 'also where no query gives it')
  t.strictSame(views.ofType('Payload'), [], 'it has no rows')
  t.strictSame(views.ofType('Nothing'), [])
})

t.test('a mutation touches the views of what it returns, and those that it declares', async (t) => {
  t.strictSame(touched(mutations('saveAuthor')), ['v_author'])
  t.strictSame(touched(mutations('savePost')), ['v_old_post', 'v_post', 'v_total'])
  t.strictSame(
    touched(mutations('savePayload')),
    ['v_author', 'v_draft', 'v_old_post', 'v_post'],
    'of what stands in it',
  )
  t.strictSame(touched(mutations('saveFound')), ['v_author', 'v_draft'], 'of each member of a union')
  t.strictSame(touched(mutations('saveThing')), ['v_old_post', 'v_page', 'v_post'], 'of each type with the interface')
  t.strictSame(touched(mutations('declared')), ['v_x'])
  t.strictSame(touched(mutations('declared', 'saveAuthor')), ['v_author', 'v_x'], 'of each root')
})

t.test('a mutation that says nothing may have written anything, unless its function names the rows', async (t) => {
  t.equal(touched(mutations('silent')), null)
  t.equal(touched(mutations('silent'), wrote('silent', null)), null)
  t.equal(touched(mutations('silent', 'saveAuthor'), wrote('saveAuthor', 'Author')), null, 'another root named its own')
  t.strictSame(touched(mutations('silent'), wrote('silent', 'Author')), ['v_author'])
  t.strictSame(touched(mutations('saveAuthor'), wrote('saveAuthor', 'Draft')), ['v_author', 'v_draft'])
  t.equal(views.ofWrite(mutations('saveAuthor'), null), null, 'one that failed')
  const query = testOperation({ roots: [{ kind: 'typename', responseKey: '__typename', typeName: 'Query' }] }).template
  t.strictSame(touched(query), [], '__typename alone')
})

t.test('types of a cascade are found in each of its forms', async (t) => {
  const of = (cascade: string) => touched(mutations('saveAuthor'), wrote('saveAuthor', 'Author', cascade))
  t.strictSame(of('{"updated":[{"__typename":"Draft"}]}'), ['v_author', 'v_draft'])
  t.strictSame(of('[{"entity_type":"Page"}]'), ['v_author', 'v_page'])
  t.strictSame(of('{"entity":"Page","type":"Page","__typename":7}'), ['v_author'])
  t.strictSame(of('not JSON'), ['v_author'])
})

t.test('a pattern means views by their name, and those of queries with a colon behind', async (t) => {
  const of = (pattern: string) => matchViews(model, pattern).toSorted()
  t.strictSame(of('v_post'), ['v_post'])
  t.strictSame(of('v_*post'), ['v_old_post', 'v_post'])
  t.strictSame(of('*_p*'), ['v_old_post', 'v_page', 'v_post'])
  t.strictSame(of('posts:*'), ['v_post'])
  t.strictSame(of('old_posts:*'), ['v_old_post'], 'as the schema has it')
  t.strictSame(of('oldPosts:*'), ['v_old_post'], 'as clients have it')
  t.strictSame(of('posts'), [])
  t.strictSame(of('v_author*v_author'), [], 'no character counts twice')
  t.strictSame(of('*'), [...model.sources.keys()].toSorted())
  t.strictSame(of(''), [])
})
