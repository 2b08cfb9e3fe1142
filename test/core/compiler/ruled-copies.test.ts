import t from 'tap'
import { at, faultsOf, type Loose } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const catalog = fakeCatalog(
  {
    v_book: { id: 'uuid', pk_book: 'int8', owner: 'text' },
    v_flat: { id: 'uuid', book: 'jsonb', books: 'jsonb', fk_book: 'int8' },
    v_doc: { id: 'uuid', data: 'jsonb', fk_book: 'int8' },
    v_any: { id: 'uuid', owner: 'text', __typename: 'text' },
  },
  { fn_lend: { parameters: {}, returns: { kind: 'scalar', type: 'jsonb' } } },
)
const id = { name: 'id', type: 'ID!' }
const field = (type: string, more: Loose = {}) => ({
  name: type.startsWith('[') ? 'books' : 'book',
  type,
  ...at(5),
  ...more,
})
const holder = (source: string, ...fields: Loose[]) => ({ name: 'Card', sql_source: source, fields: [id, ...fields] })
const embedded = (...fields: Loose[]) => ({ name: 'Lent', embedded: true, fields })
const lend = { name: 'lend', type: 'Lent', sql_source: 'fn_lend' }

function faults(more: { types?: Loose[]; book?: Loose; queries?: Loose[] } & Loose): readonly string[] {
  const { types = [], book = { inject: { owner: 'jwt:sub' } }, queries = [], ...rest } = more
  const schema = {
    version: '1',
    types: [{ name: 'Book', sql_source: 'v_book', fields: [id], ...book }, ...types],
    queries: [{ name: 'all_books', type: '[Book!]!', sql_source: 'v_book' }, ...queries],
    ...rest,
  }
  return faultsOf(schema as Loose, { catalog })
}
const cards = { name: 'cards', type: '[Card!]!', sql_source: 'v_flat' }

t.test('a copy in a JSON column, in a document, in what is embedded', async (t) => {
  t.strictSame(faults({ types: [holder('v_flat', field('Book'))], queries: [cards] }), [
    '5:3 ruled-copy: Card.book: Book has rules (inject, row_filter), which hold for its rows and cannot hold for a copy in the JSON of v_flat. ' +
      'Make the field a relation (relation: { from, to }, or a foreign key and no JSON column of its name); or give the copy a type of its own, without rules. ' +
      'Of what a mutation answers only one entity is read under them.',
  ])
  for (const type of ['[Book!]', 'Book!']) {
    t.match(faults({ types: [holder('v_doc', field(type))] }), [/^5:3 ruled-copy: Card\.books?: /])
  }
  const nested = [holder('v_doc', { name: 'lent', type: 'Lent' }), embedded(field('Book'))]
  t.match(faults({ types: nested, mutations: [lend] }), [
    /^5:3 ruled-copy: Lent\.book: .* a copy in the JSON of Lent\. Lent is more than the result of a mutation: Card\.lent\. Give Lent a source/,
  ])
  t.match(faults({ types: [holder('v_flat', field('Book'))], book: { row_filter: 'owner = {me}', open: true } }), [
    /ruled-copy/,
  ])
})

t.test('in an interface and a union each member counts', async (t) => {
  const unions = [{ name: 'Any', members: ['Book', 'Other'] }]
  const other = { name: 'Other', embedded: true, fields: [id] }
  t.match(faults({ types: [other, holder('v_flat', field('Any'))], unions }), [
    /^5:3 ruled-copy: Card\.book: Book has rules/,
  ])
  const interfaces = [{ name: 'Thing', sql_source: 'v_doc', fields: [id, { ...field('Book'), ...at(9) }] }]
  t.match(faults({ interfaces }), [/^9:3 ruled-copy: Thing\.book/])
})

t.test('of what a mutation answers', async (t) => {
  t.strictSame(faults({ types: [embedded(field('Book'))], mutations: [lend] }), [], 'the entity is read again')
  t.match(
    faults({ types: [embedded(field('[Book!]'))], mutations: [lend] }),
    [/ruled-copy: Lent\.books/],
    'a list is not',
  )
  t.match(
    faults({ types: [embedded(field('Book'), { ...field('Book'), name: 'other' })], mutations: [lend] }),
    [/ruled-copy: Lent\.book/, /ruled-copy: Lent\.other/],
    'two are not',
  )
  const unions = [{ name: 'Lending', members: ['Lent'] }]
  t.match(
    faults({ types: [embedded(field('Book'))], unions, mutations: [{ ...lend, type: 'Lending' }] }),
    [/ruled-copy: Lent\.book: .*the result of "lend" \(Lending\)/],
    'nor is one in a member of a union',
  )
  t.strictSame(faults({ mutations: [{ ...lend, type: 'Book' }] }), [], 'a row itself')
})

t.test('a source that is no copy, or has no rules, stays', async (t) => {
  const relation = { relation: { from: 'fk_book', to: 'pk_book' } }
  for (const source of ['v_flat', 'v_doc'])
    t.strictSame(faults({ types: [holder(source, field('Book', relation))] }), [])
  t.strictSame(faults({ types: [holder('v_flat', field('Book'))], book: {} }), [])
  t.strictSame(faults({ types: [holder('v_flat', field('Book'))], book: { inject: {} } }), [])
  t.strictSame(faults({ types: [holder('v_flat', field('Book', { computed: true }))] }), [], 'nothing reads it')
})
