import t from 'tap'
import type { Selection } from '../../../core/doors/plugin.ts'
import { shallowSelection } from '../../../plugins/mcp/tools/tools-of-schema.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'

/** What a tool answers where the agent chooses no fields. */
const id = { name: 'id', type: 'ID!' }
const model = compileFixture(
  {
    version: '1',
    enums: [{ name: 'Kind', values: [{ name: 'NEW' }] }],
    types: [
      {
        name: 'Book',
        sql_source: 'v_book',
        fields: [
          id,
          { name: 'kind', type: 'Kind' },
          { name: 'tags', type: '[String!]' },
          { name: 'size', type: 'Size', relation: { from: 'fk', to: 'pk' } },
          { name: 'author', type: 'Author', relation: { from: 'fk_author', to: 'pk_author' } },
          { name: 'reviews', type: '[Review!]!', relation: { from: 'pk_book', to: 'fk_book' } },
        ],
      },
      {
        name: 'Size',
        sql_source: 'v_size',
        fields: [
          { name: 'width', type: 'Int' },
          { name: 'box', type: 'Box', relation: { from: 'fk', to: 'pk' } },
        ],
      },
      { name: 'Box', sql_source: 'v_box', fields: [{ name: 'paper', type: 'String' }] },
      {
        name: 'Author',
        sql_source: 'v_author',
        implements: ['Named'],
        fields: [id, { name: 'size', type: 'Size', relation: { from: 'fk', to: 'pk' } }],
      },
      { name: 'Club', sql_source: 'v_club', implements: ['Named'], fields: [id] },
      { name: 'Review', sql_source: 'v_review', fields: [id] },
    ],
    interfaces: [{ name: 'Named', fields: [id] }],
    unions: [{ name: 'Found', members: ['Club', 'Review'] }],
    queries: [{ name: 'books', type: '[Book!]!', sql_source: 'v_book' }],
  },
  null,
)

/** Names, those below an object in a list. */
function print(selection: Selection): unknown {
  if (selection?.kind === 'object') {
    return selection.fields.map((field) => {
      if (field.kind !== 'field') return `${field.kind} ${field.responseKey}`
      const below = print(field.selection)
      return below === null ? field.responseKey : { [field.responseKey]: below }
    })
  }
  if (selection?.kind !== 'abstract') return selection
  return Object.fromEntries([...selection.possible].map(([name, member]) => [name, print(member)]))
}
const of = (name: string) => print(shallowSelection(model.types.get(name)!))

t.test('the values of a row, and those of the single objects in it', async (t) => {
  t.strictSame(of('Book'), ['id', 'kind', 'tags', { size: ['width'] }, { author: ['id'] }])
  t.strictSame(of('Size'), ['width', { box: ['paper'] }])
})

t.test('of an interface and of a union each type by itself, with its name', async (t) => {
  const name = 'typename __typename'
  t.strictSame(of('Named'), { Author: [name, 'id', { size: ['width'] }], Club: [name, 'id'] })
  t.strictSame(of('Found'), { Club: [name, 'id'], Review: [name, 'id'] })
})

t.test('a value has nothing to select', async (t) => {
  t.equal(shallowSelection(model.types.get('Kind')!), null)
})
