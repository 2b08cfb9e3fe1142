import t from 'tap'
import { at, faultsOf } from '../../helpers/compile-faults.ts'
import { fakeCatalog } from '../../helpers/fake-catalog.ts'

const catalog = fakeCatalog({ v_post: { id: 'uuid!', title: 'text', words: 'tsvector' }, v_tag: { id: 'uuid!' } })
const ID = { name: 'id', type: 'ID!' }
const searching = (argument: object, more: object = {}) => ({
  version: '1',
  types: [
    { name: 'Post', sql_source: 'v_post', fields: [ID], ...at(1) },
    { name: 'Tag', sql_source: 'v_tag', fields: [ID], ...at(2) },
  ],
  queries: [
    { name: 'posts', type: '[Post!]!', arguments: [{ name: 'q', type: 'String', ...argument }], ...at(3), ...more },
  ],
})

t.test('a search needs a column of search words, and a text', async (t) => {
  const of = (argument: object, more?: object) => faultsOf(searching(argument, more), { catalog })
  t.strictSame(of({ full_text: 'words' }), [])
  t.strictSame(of({ full_text: { column: 'words', query: 'websearch', config: 'german' } }), [])
  t.strictSame(of({ full_text: 'title' }), [
    '3:3 argument-column: Query "posts", argument "q": full_text: the column title of v_post is text. Columns of search words: words.',
  ])
  t.match(of({ full_text: 'wrods' }), [/v_post has no column "wrods". Columns of search words: words\.$/])
  t.match(of({ full_text: 'words' }, { type: '[Tag!]!' }), [
    /v_tag has no column "words". Add a column of type tsvector/,
  ])
  t.match(of({ full_text: 'words', type: '[String!]' }), [/has full_text, and is \[String!\]. A search is a String\.$/])
  t.match(of({ full_text: 'words', type: 'Int' }), [/has full_text, and is Int/])
  t.match(of({ full_text: { column: 'words', query: 'guess' } }), [/shape: /])
  t.strictSame(faultsOf(searching({ full_text: 'anything' })), [], 'without a database it is taken at its word')
})

t.test('a rank orders lists', async (t) => {
  const rank = { full_text: { column: 'words', rank: true } }
  t.strictSame(faultsOf(searching(rank), { catalog }), [])
  t.match(faultsOf(searching(rank, { type: 'Post' }), { catalog }), [
    /full_text: rank orders lists, and this is one row/,
  ])
  t.match(
    faultsOf(searching(rank, { relay: true }), { catalog }).find((fault) => fault.includes('full_text')),
    /pages of a connection begin behind a key/,
  )
})

t.test('a configuration of text search that the database has', async (t) => {
  const known = { ...catalog, searchConfigs: ['english', 'pg_catalog.english', 'own.words'] }
  const of = (config: string) => faultsOf(searching({ full_text: { column: 'words', config } }), { catalog: known })
  for (const config of ['english', 'English', 'pg_catalog.english', 'own.words', '"Odd"'])
    t.strictSame(of(config), [], config)
  t.strictSame(of('englsh'), [
    '3:3 argument-column: Query "posts", argument "q": full_text: the database has no text search configuration "englsh". Did you mean "english"? It has: english.',
  ])
  t.match(of('words'), [/no text search configuration "words"/], 'the search path does not find it')
  t.match(faultsOf(searching({ full_text: 'words' }), { catalog: { ...known, searchConfigs: ['simple'] } }), [
    /no text search configuration "english"/,
  ])
})

t.test('where rows are read, and the database can', async (t) => {
  const mutation = {
    ...searching({}),
    mutations: [{ name: 'tag', type: 'Tag', arguments: [{ name: 'q', type: 'String', full_text: 'words' }], ...at(9) }],
  }
  t.match(faultsOf(mutation), [
    /^9:3 argument-column: Mutation "tag", argument "q": full_text searches rows, and it reads none/,
  ])
  const dialect = { name: 'sqlite', operators: new Map() } as never
  t.match(faultsOf(searching({ full_text: 'words' }), { dialect }), [
    /^3:3 argument-column: .*full_text: sqlite has no columns of search words/,
  ])
})
