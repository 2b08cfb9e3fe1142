import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { CompiledRead } from '../../../core/schema/compiled.ts'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { compileArtifact } from '../../helpers/compile-fixture.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

type Relations = Parameters<typeof fakeCatalog>[0]
const id = { name: 'id', type: 'ID!' }

const types = (...list: readonly (readonly [string, readonly object[]])[]): Loose => ({
  version: '1',
  types: list.map(([name, fields], i) => ({
    name,
    sql_source: `v_${name.toLowerCase()}`,
    fields: [id, ...fields],
    ...at(10 * (i + 1)),
  })),
})

/** `v_user.fk_x=pk_y many` of one field. */
function relationOf(schema: Loose, relations: Relations, type: string, field: string): string {
  const compiled = compileArtifact(schema as unknown as AuthoredSchema, fakeCatalog(relations))
  const read: CompiledRead | null | undefined = compiled.types
    .find(({ name }) => name === type)
    ?.fields.find(({ name }) => name === field)?.read
  if (read?.from !== 'relation') return JSON.stringify(read)
  return `${read.target} ${read.from_document ?? ''}${read.from_column}=${read.to_column} ${read.cardinality} ${read.column_type}`
}

const author = { name: 'author', type: 'User', ...at(11, 5) }
const posts = { name: 'posts', type: '[Post!]!', ...at(21, 5) }

t.test('a single object, by name', async (t) => {
  const schema = types(['Post', [author]], ['User', []])
  const user = { id: 'uuid', pk_user: 'int8' }
  const one = (post: Relations[string], other: Relations[string] = user) =>
    relationOf(schema, { v_post: post, v_user: other }, 'Post', 'author')
  t.equal(one({ id: 'uuid', fk_author: 'int8', fk_user: 'int8' }), 'v_user fk_author=pk_user one int8')
  t.equal(one({ id: 'uuid', author_id: 'uuid' }), 'v_user author_id=id one uuid')
  t.equal(
    one({ id: 'uuid', author_id: 'int4' }),
    'v_user author_id=pk_user one int8',
    'by the type that can be compared',
  )
  t.equal(one({ id: 'uuid', fk_user: 'int8' }), 'v_user fk_user=pk_user one int8', 'the only one to that type')
  t.equal(one({ id: 'uuid', user_id: 'uuid' }), 'v_user user_id=id one uuid')
  t.equal(one({ id: 'uuid', fk_author: 'uuid' }, { id: 'uuid' }), 'v_user fk_author=id one uuid', 'no pk_: the id')
  t.equal(
    one({ id: 'uuid', user_id: 'int4' }, { user_id: 'int4*', id: 'uuid' }),
    'v_user user_id=user_id one int4',
    'a key of the same name',
  )
})

t.test('a list, by name', async (t) => {
  const user = { id: 'uuid', pk_user: 'int8' }
  const many = (schema: Loose, post: Relations[string]) =>
    relationOf(schema, { v_post: post, v_user: user }, 'User', 'posts')
  const plain = types(['Post', []], ['User', [posts]])
  t.equal(many(plain, { id: 'uuid', fk_user: 'int8' }), 'v_post pk_user=fk_user many int8')
  t.equal(many(plain, { id: 'uuid', user_id: 'uuid' }), 'v_post id=user_id many uuid')
  const both = types(['Post', [author]], ['User', [posts]])
  t.equal(
    many(both, { id: 'uuid', fk_author: 'int8' }),
    'v_post pk_user=fk_author many int8',
    'the reverse of its one reference',
  )
  const declared = types(['Post', [{ ...author, relation: { from: 'written_by', to: 'id' } }]], ['User', [posts]])
  t.equal(
    many(declared, { id: 'uuid', written_by: 'uuid' }),
    'v_post id=written_by many uuid',
    'the reverse of a declared one',
  )
})

t.test('by declaration, also to itself and from a document', async (t) => {
  const manager = { name: 'manager', type: 'User', relation: { from: 'reports_to', to: 'pk_user' } }
  const reports = { name: 'reports', type: '[User!]!', relation: { from: 'pk_user', to: 'reports_to' } }
  const relations = { v_user: { id: 'uuid', pk_user: 'int8', reports_to: 'int8' } }
  const schema = types(['User', [manager, reports]])
  t.equal(relationOf(schema, relations, 'User', 'manager'), 'v_user reports_to=pk_user one int8')
  t.equal(relationOf(schema, relations, 'User', 'reports'), 'v_user pk_user=reports_to many int8')
  const self = types([
    'User',
    [
      { name: 'parent', type: 'User' },
      { name: 'children', type: '[User!]!' },
    ],
  ])
  const tree = { v_user: { id: 'uuid', pk_user: 'int8', fk_parent: 'int8' } }
  t.equal(relationOf(self, tree, 'User', 'children'), 'v_user pk_user=fk_parent many int8', 'a tree by name')
  const document = types(['Post', [{ ...author, relation: { from: 'author_id', to: 'id' } }]], ['User', []])
  const views = { v_post: { id: 'uuid', data: 'jsonb' }, v_user: { id: 'uuid' } }
  t.equal(relationOf(document, views, 'Post', 'author'), 'v_user dataauthor_id=id one uuid', 'a key of the document')
})

// proves: error.relation-ambiguous error.relation-missing
t.test('more than one, or none', async (t) => {
  const catalog = fakeCatalog({
    v_post: { id: 'uuid', fk_user: 'int8', fk_editor: 'int8' },
    v_user: { id: 'uuid', pk_user: 'int8' },
    v_tag: { id: 'uuid' },
  })
  const tag = { name: 'tags', type: '[Tag!]!', ...at(12, 5) }
  const editor = { name: 'editor', type: 'User', ...at(13, 5) }
  const owner = { name: 'owner', type: 'User', ...at(14, 5) }
  t.strictSame(
    faultsOf(types(['Post', [author, editor, tag]], ['User', [posts]], ['Tag', [{ ...author, ...at(31, 5) }]]), {
      catalog,
    }),
    [
      '12:5 relation-missing: Post.tags: no columns make this relation. Looked for fk_post, post_id or a field of type Post in v_tag, with pk_post or id in v_post. ' +
        "Declare it: relation: { from: '<column of v_post>', to: '<column of v_tag>' }.",
      "21:5 relation-ambiguous: User.posts: more than one relation is possible. Declare the one that is meant: relation: { from: 'pk_user', to: 'fk_user' } or relation: { from: 'pk_user', to: 'fk_editor' }.",
      '31:5 relation-missing: Tag.author: no columns make this relation. Looked for fk_author, author_id, fk_user, user_id in v_tag, with pk_user or id in v_user. ' +
        "Declare it: relation: { from: '<column of v_tag>', to: '<column of v_user>' }.",
    ],
  )
  t.strictSame(faultsOf(types(['Post', [author, owner]], ['User', []]), { catalog }), [
    "11:5 relation-ambiguous: Post.author: more than one relation is possible. Declare the one that is meant: relation: { from: 'fk_user', to: 'pk_user' } or relation: { from: 'fk_editor', to: 'pk_user' }.",
    "14:5 relation-ambiguous: Post.owner: more than one relation is possible. Declare the one that is meant: relation: { from: 'fk_user', to: 'pk_user' } or relation: { from: 'fk_editor', to: 'pk_user' }.",
  ])
})

// proves: error.relation-type
t.test('declared columns that are not there, not native, or not comparable', async (t) => {
  const catalog = fakeCatalog({
    v_post: { id: 'uuid', fk_user: 'int8' },
    v_user: { id: 'uuid', pk_user: 'int8', data: 'jsonb' },
  })
  const fault = (relation: object, extra: readonly object[] = []) =>
    faultsOf(types(['Post', [{ ...author, relation }, ...extra]], ['User', []]), { catalog })
  t.strictSame(fault({ from: 'fk_usr', to: 'pk_user' }), [
    '11:5 unknown-column: Post.author: relation: v_post has no column "fk_usr". Did you mean "fk_user"?',
  ])
  t.strictSame(fault({ from: 'fk_user', to: 'pk_usr' }), [
    '11:5 unknown-column: Post.author: relation: "pk_usr" is a key of the document of v_user. Add it to the view as a column, so that rows can be found by it.',
  ])
  t.strictSame(fault({ from: 'fk_user', to: 'id' }), [
    '11:5 relation-type: Post.author: relation: v_post.fk_user is int8 and v_user.id is uuid; they cannot be equal.',
  ])
  t.strictSame(
    faultsOf(
      {
        version: '1',
        types: [
          { name: 'Part', embedded: true, fields: [{ ...author, relation: { from: 'a', to: 'id' } }] },
          { name: 'User', sql_source: 'v_user', fields: [id] },
        ],
      },
      { catalog },
    ),
    [
      '11:5 no-source: Part.author: a relation starts at a column, and Part has no source. Set sql_source on the type, or drop the relation.',
    ],
  )
})

t.test('an embedded object in a JSON column of a flat view', async (t) => {
  const schema = {
    version: '1',
    types: [
      {
        name: 'Order',
        sql_source: 'v_order',
        fields: [id, { name: 'shipTo', type: 'Address' }, { name: 'lines', type: '[Line!]!' }],
      },
      { name: 'Address', fields: [{ name: 'city', type: 'String' }] },
      { name: 'Line', embedded: true, fields: [{ name: 'amount', type: 'Int' }] },
    ],
  }
  const relations = { v_order: { id: 'uuid', ship_to: 'jsonb', lines: 'json' } }
  t.match(relationOf(schema, relations, 'Order', 'shipTo'), '"column":"ship_to"')
  t.match(relationOf(schema, relations, 'Order', 'lines'), '"column":"lines"')
})

t.test('rows of interfaces and unions say which type they are', async (t) => {
  const schema = (more: object = {}, query: object = {}) => ({
    version: '1',
    types: [
      { name: 'Cat', fields: [id] },
      {
        name: 'Owner',
        sql_source: 'v_owner',
        fields: [id, { name: 'pets', type: '[Pet!]!', relation: { from: 'id', to: 'owner_id' }, ...at(3) }],
      },
    ],
    unions: [{ name: 'Pet', members: ['Cat'], sql_source: 'v_pet', ...more }],
    queries: [{ name: 'pets', type: '[Pet!]!', ...query, ...at(9) }],
  })
  const catalog = (pet: Relations[string]) =>
    fakeCatalog({ v_pet: { id: 'uuid', owner_id: 'uuid', ...pet }, v_owner: { id: 'uuid' } })
  t.strictSame(faultsOf(schema(), { catalog: catalog({ __typename: 'text' }) }), [])
  t.strictSame(faultsOf(schema({ type_column: 'kind' }), { catalog: catalog({ kind: 'enum:kind' }) }), [])
  t.strictSame(faultsOf(schema(), { catalog: catalog({ data: 'jsonb' }) }), [], 'a key of the document')
  const missing = (label: string, has: string) =>
    `unknown-column: ${label}: v_pet has no column "__typename" that names the type of a row of Pet. It has: ${has}. Add it to the view, or name it in type_column.`
  t.strictSame(faultsOf(schema(), { catalog: catalog({}) }), [
    `3:3 ${missing('Owner.pets', 'id, owner_id')}`,
    `9:3 ${missing('Query "pets"', 'id, owner_id')}`,
  ])
  t.strictSame(
    faultsOf(schema({ type_column: 'kind' }, { type_column: 'sort' }), {
      catalog: catalog({ kind: 'text', sort: 'int4' }),
    }),
    ['9:3 column-type: Query "pets": "sort" of v_pet names the type of a row and is int4. Make it text.'],
  )
})
