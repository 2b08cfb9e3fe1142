import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPglite } from '../../helpers/databases.ts'
import { as } from '../../helpers/test-credential.ts'
import { entities, openSubgraph } from './products.ts'

const SQL = `
CREATE TABLE tb_book (id int PRIMARY KEY, title text);
CREATE TABLE tb_film (id int PRIMARY KEY, title text, minutes int);
INSERT INTO tb_book VALUES (1, 'One'), (2, 'Two');
INSERT INTO tb_film VALUES (10, 'Ten', 100);
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE VIEW v_film AS SELECT * FROM tb_film;
CREATE VIEW v_tape AS SELECT id + 100 AS id, title FROM tb_film;
`
const shared = [
  { name: 'id', type: 'ID!' },
  { name: 'title', type: 'String' },
]
const media = { implements: ['Media'], key_fields: ['id'] }
const SCHEMA: AuthoredSchema = {
  version: '1',
  interfaces: [{ name: 'Media', key_fields: ['id'], tags: ['media'], inaccessible: true, fields: shared }],
  types: [
    { name: 'Book', ...media, fields: shared },
    { name: 'Film', ...media, fields: [...shared, { name: 'minutes', type: 'Int' }] },
    { name: 'Tape', ...media, requires_role: 'keeper', fields: shared },
  ],
  queries: [{ name: 'books', type: '[Book!]!' }],
}

// proves: interface.key_fields interface.tags interface.inaccessible
t.test('a representation of an interface is the row of whichever type has it', async (t) => {
  const app = await openSubgraph(t, { kind: 'pglite', url: await createPglite(t, { sql: SQL }) }, SCHEMA)
  const of = (id: number, __typename = 'Media') => ({ __typename, id })
  const asked = [of(10), of(2), of(110), of(99), of(1, 'Book'), of(10, 'Book')]
  const { rows, errors } = await entities(
    app,
    asked,
    '... on Media { id title } ... on Film { minutes }',
    as({ roles: ['keeper'] }),
  )
  t.strictSame(
    [rows, errors],
    [
      [
        { __typename: 'Film', id: '10', title: 'Ten', minutes: 100 },
        { __typename: 'Book', id: '2', title: 'Two' },
        { __typename: 'Tape', id: '110', title: 'Ten' },
        null,
        { __typename: 'Book', id: '1', title: 'One' },
        null,
      ],
      undefined,
    ],
  )
  const others = await entities(app, [of(10), of(110)], '... on Media { title }', as({}))
  t.strictSame(
    others.rows,
    [{ __typename: 'Film', title: 'Ten' }, null],
    'who may not see one type is given the others',
  )
  t.match(others.errors, [{ path: ['_entities', 1], extensions: { code: 'FORBIDDEN' } }])
  t.equal(others.errors?.length, 1)
  t.match(
    (await app.graphql('{ _service { sdl } }')).data._service.sdl,
    /interface Media @key\(fields: "id"\) @inaccessible @tag\(name: "media"\)/,
  )
})

// proves: interface.keys interface.resolvable
t.test('an interface may have several keys, or lead elsewhere', async (t) => {
  const schema: AuthoredSchema = {
    ...SCHEMA,
    interfaces: [{ name: 'Media', keys: ['id', 'title'], resolvable: false, fields: shared }],
    types: SCHEMA.types?.map((type) => ({ ...type, key_fields: ['id'], keys: ['title'] })) ?? [],
  }
  const app = await openSubgraph(t, { kind: 'pglite', url: await createPglite(t, { sql: SQL }) }, schema)
  const { rows, errors } = await entities(
    app,
    [
      { __typename: 'Book', title: 'Two' },
      { __typename: 'Media', id: 2 },
    ],
    '... on Book { id }',
  )
  t.strictSame(rows, [{ __typename: 'Book', id: '2' }, null])
  t.match(errors, [{ path: ['_entities', 1], message: /"Media" is no entity here/ }])
  t.match(
    (await app.graphql('{ _service { sdl } }')).data._service.sdl,
    'interface Media @key(fields: "id", resolvable: false) @key(fields: "title", resolvable: false)',
  )
})
