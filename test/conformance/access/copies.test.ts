import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import { sealSchema } from '../../../core/compiler/emit.ts'
import type { Handler } from '../../../core/contract/stages.ts'
import { rowFilter } from '../../../core/engine/access/row-filter.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import { compileFixture, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { createEngine } from './engine.ts'
import { librarySchema, POSTGRES_SQL } from './library.ts'

t.setTimeout(120_000)

/** Books that stand in documents, where no condition can be laid on them. */
const SQL = `${POSTGRES_SQL}
CREATE VIEW v_card AS SELECT l.pk_loan, l.id, jsonb_build_object('id', l.id, 'book', to_jsonb(b)) AS data
  FROM tb_loan l JOIN tb_book b ON b.pk_book = l.fk_book;
CREATE FUNCTION fn_pair(p_id text) RETURNS jsonb LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO tb_loan SELECT count(*) + 10, 'l' || count(*) + 10, 1 FROM tb_loan;
  RETURN (SELECT jsonb_build_object('status', 'ok', 'entity_type', 'Pair', 'entity',
    jsonb_build_object('first', to_jsonb(b), 'second', to_jsonb(b), 'books', jsonb_build_array(to_jsonb(b))))
  FROM tb_book b WHERE id = p_id); END $$;
CREATE FUNCTION fn_claim(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT jsonb_build_object('status', 'conflict:taken', 'message', 'Taken', 'entity', NULL, 'entity_type', 'Taken', 'metadata',
    jsonb_build_object('by', to_jsonb(b) || '{"__typename": "Book"}')) FROM tb_book b WHERE id = p_id $$;
`
const TO_BOOK = { arguments: [{ name: 'id', type: 'ID!' }], operation: 'UPDATE', sql_source: 'fn_pair' } as const
const base = librarySchema()
const schema = extendSchema(
  base,
  tableSchema({ name: 'Card', sql_source: 'v_card', list: 'cards', fields: { id: 'ID!', book: 'Book' } }),
  tableSchema({ name: 'Pair', embedded: true, fields: { first: 'Book', second: 'Book' } }),
  tableSchema({ name: 'Taken', embedded: true, is_error: true, fields: { by: 'Found' } }),
  tableSchema({ name: 'Many', embedded: true, fields: { books: '[Book!]' } }),
  {
    unions: [
      { name: 'Answer', members: ['Pair', 'Many'] },
      { name: 'Claimed', members: ['Shelf', 'Taken'] },
    ],
    mutations: [
      { name: 'pair', type: 'Pair', ...TO_BOOK },
      { name: 'many', type: 'Many', ...TO_BOOK },
      { name: 'claim', type: 'Claimed', ...TO_BOOK, sql_source: 'fn_claim' },
      { name: 'either', type: 'Answer', ...TO_BOOK },
    ],
  },
)
const withRules = (authored: AuthoredSchema, rules: object): AuthoredSchema => ({
  ...authored,
  types: (authored.types ?? []).map((type) => (type.name === 'Book' ? { ...type, ...rules } : type)),
})
const WAYS = [
  '{ cards { book { title } } }',
  'mutation { pair(id: "bob-1") { first { title } } }',
  'mutation { many(id: "bob-1") { books { title } } }',
  'mutation { either(id: "bob-1") { ... on Pair { first { title } } } }',
]
const FILTER = '{ cards(where: { book: { title: { _eq: "Of bob" } } }) { id } }'
const mine: Handler<'authorize'> = ({ auth }, _operation, access) =>
  access.where('Book', rowFilter('owner = {me}', { me: auth?.subject }))

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const loans = async () =>
      (await database.query({ name: null, text: 'SELECT count(*) FROM tb_loan' }, [], null)).rows
    const catalog = await readCatalogFor(schema, database)
    /** The compiler refuses copies of what has rules, so the rules are written into the artifact by hand. */
    const changed = (rules: object) => (model: SchemaModel) => {
      const ruled = compileFixture(withRules(base, rules), catalog, undefined, database.dialect).compiled.types
      const book = ruled.find(({ name }) => name === 'Book')!
      const types = model.compiled.types.map((type) => (type.name === 'Book' ? book : type))
      return linkSchema(sealSchema({ ...model.compiled, types }))
    }
    for (const [name, rules, authorize] of [
      ['inject', { inject: { owner: 'jwt:sub' } }, () => {}],
      ['row_filter', { row_filter: 'owner = {user}' }, () => {}],
      ['access.where', {}, mine],
    ] as const) {
      const engine = await createEngine(database, schema, authorize, { change: changed(rules) })
      const before = await loans()
      for (const document of [...WAYS, FILTER]) {
        const { text, codes } = await engine.ask(document, 'ann')
        t.notMatch(text, /Of bob|l2/, `${name}: ${document}`)
        t.strictSame(codes, ['INTERNAL_SERVER_ERROR'])
      }
      t.strictSame(await loans(), before, 'nothing is written')
      t.strictSame((await engine.ask('{ cards { id } }', 'ann')).codes, [], 'what does not show them stays')
    }
    // proves: error.ruled-copy
    await t.test('and none of it compiles', async (t) => {
      for (const rules of [{ inject: { owner: 'jwt:sub' } }, { row_filter: 'owner = {user}' }]) {
        const options = { owned: OWNED_KEYS, catalog, dialect: database.dialect }
        const { faults, compiled } = compileSchema(withRules(schema, rules), options)
        t.equal(compiled, null)
        t.strictSame(
          faults.map(({ id, message }) => `${id}: ${message.split(' ')[0]}`),
          ['Card.book', 'Pair.first', 'Pair.second', 'Taken.by', 'Many.books'].map((field) => `ruled-copy: ${field}:`),
          'and none of it compiles',
        )
      }
    })
    const open = await createEngine(database, schema, () => {})
    for (const document of WAYS) t.match((await open.ask(document, 'ann')).text, /Of bob/)
    t.match((await open.ask(FILTER, 'ann')).text, /"l2"/)

    const claim = 'mutation { claim(id: "bob-1") { ... on Taken { by { __typename ... on Book { id title } } } } }'
    const told = (title: string | null) => ({ claim: { by: { __typename: 'Book', id: 'bob-1', title } } })
    t.strictSame(JSON.parse((await open.ask(claim, 'ann')).text), told('Of bob'))
    const denying = await createEngine(database, schema, (_ctx, _operation, access) => access.deny('Book.title'))
    t.strictSame(JSON.parse((await denying.ask(claim, 'ann')).text), told(null), 'in metadata, too')
  },
  { sql: SQL },
)
