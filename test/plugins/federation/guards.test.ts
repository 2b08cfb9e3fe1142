import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { eachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { entities, openSubgraph } from './products.ts'

/** Representations are answered under all that guards the rows elsewhere, in one statement. */
const SQL = `
CREATE TABLE tb_note (id int PRIMARY KEY, owner text, body text, secret text, fk_folder int);
CREATE TABLE tb_folder (id int PRIMARY KEY, name text NOT NULL, owner text);
INSERT INTO tb_folder VALUES (1, 'red', 'ann'), (2, 'blue', 'bob');
INSERT INTO tb_note VALUES (1, 'ann', 'one', 's1', 1), (2, 'bob', 'two', 's2', 2), (3, 'ann', 'three', 's3', 2);
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE VIEW v_folder AS SELECT id, id AS pk_folder, name, owner FROM tb_folder;
CREATE VIEW v_audit AS SELECT id, body FROM tb_note;
CREATE VIEW v_loose AS SELECT id, body FROM tb_note;
CREATE VIEW v_item AS SELECT id, body, owner FROM tb_note;
CREATE VIEW v_member AS SELECT id, owner AS email, body FROM tb_note;
CREATE VIEW v_beast AS SELECT id, body, 'Dog' AS __typename FROM tb_note;
CREATE VIEW v_dog AS SELECT id, body FROM tb_note;
CREATE VIEW v_cat AS SELECT id, body FROM tb_note;
`
const fields = (...names: string[]) => [{ name: 'id', type: 'ID!' }, ...names.map((name) => ({ name, type: 'String' }))]
const byId = { arguments: [{ name: 'id', type: 'ID!' }] }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Note',
      keys: ['id', 'folder { name } body'],
      inject: { owner: 'jwt:sub' },
      fields: [
        ...fields('body'),
        { name: 'secret', type: 'String', requires_scope: 'read:secret' },
        { name: 'folder', type: 'Folder' },
      ],
    },
    { name: 'Folder', key_fields: ['name'], inject: { owner: 'jwt:sub' }, fields: fields('name') },
    { name: 'Audit', key_fields: ['id'], fields: fields('body') },
    { name: 'Keeper', key_fields: ['id'], requires_role: 'keeper', sql_source: 'v_item', fields: fields('body') },
    { name: 'Loose', key_fields: ['id'], fields: fields('body') },
    { name: 'Member', keys: ['id', 'email', 'body'], fields: fields('email', 'body') },
    { name: 'Dog', key_fields: ['id'], implements: ['Beast'], fields: fields('body') },
    { name: 'Cat', key_fields: ['id'], fields: fields('body') },
    { name: 'Item', key_fields: ['id'], sql_source: 'v_item', fields: fields('body'), open: true },
  ],
  interfaces: [{ name: 'Beast', fields: fields('body') }],
  unions: [{ name: 'Pet', members: ['Cat'] }],
  queries: [
    { name: 'beasts', type: '[Beast!]!', requires_role: 'vet' },
    { name: 'pets', type: '[Pet!]!', requires_scope: 'pets', sql_source: 'v_beast' },
    { name: 'member', type: 'Member', ...byId },
    {
      name: 'member_of',
      type: 'Member',
      requires_role: 'keeper',
      arguments: [{ name: 'email', type: 'String!' }],
    },
    { name: 'notes', type: '[Note!]!' },
    { name: 'audits', type: '[Audit!]!', requires_scope: 'audit' },
    { name: 'items', type: '[Item!]!', requires_scope: 'items' },
    { name: 'item', type: 'Item', inject: { owner: 'jwt:sub' }, ...byId },
  ],
}

const suite = async (t: TestLike, database: TestDatabase): Promise<void> => {
  const statements: string[] = []
  const watcher = plugin('watcher', (scope) =>
    scope.observe({
      async statement({ statement }, next) {
        statements.push(statement?.text ?? 'transaction')
        await next()
      },
    }),
  )
  const more = { defaultPolicy: 'authenticated' as const, plugins: [entry(watcher)] }
  const app = await openSubgraph(t, database, SCHEMA, { max_representations: 20 }, more)
  const ann = as({ subject: 'ann' })
  const note = (id: unknown) => ({ __typename: 'Note', id })
  const bodies =
    '... on Note { body } ... on Audit { body } ... on Loose { body } ... on Item { body } ... on Keeper { body }'

  await t.test('row rules of the type, and of what its key leads through', async (t) => {
    const { rows, errors } = await entities(app, [note(1), note(2), note(3), note('x')], '... on Note { body }', ann)
    t.strictSame(
      [rows, errors],
      [[{ __typename: 'Note', body: 'one' }, null, { __typename: 'Note', body: 'three' }, null], undefined],
    )
    const through = (name: string, body: string) => ({ __typename: 'Note', folder: { name }, body })
    const asked = [through('red', 'one'), through('blue', 'three'), through('blue', 'one'), through('blue', 'two')]
    const found = await entities(app, asked, '... on Note { id }', ann)
    t.strictSame(found.rows, [{ __typename: 'Note', id: '1' }, null, null, null], 'the folder of the third is not hers')
    const bob = await entities(app, asked, '... on Note { id }', as({ subject: 'bob' }))
    t.strictSame(bob.rows, [null, null, null, { __typename: 'Note', id: '2' }])
  })

  await t.test('a mask says so at its place, and closes keys that tell what it hides', async (t) => {
    const { rows, errors } = await entities(app, [note(1), note(3)], '... on Note { body secret }', ann)
    t.strictSame(rows, [
      { __typename: 'Note', body: 'one', secret: null },
      { __typename: 'Note', body: 'three', secret: null },
    ])
    t.match(errors, [{ path: ['_entities', 0, 'secret'], extensions: { code: 'FORBIDDEN' } }])
    const keeper = as({ subject: 'ann', scopes: ['read:secret'] })
    t.match((await entities(app, [note(1)], '... on Note { secret }', keeper)).rows, [{ secret: /^s1$/ }])
  })

  await t.test('a caller who may not see one type gets the others', async (t) => {
    const all = [
      note(1),
      { __typename: 'Audit', id: 2 },
      { __typename: 'Keeper', id: 3 },
      note(3),
      { __typename: 'Loose', id: 2 },
    ]
    const { rows, errors } = await entities(app, all, bodies, ann)
    t.strictSame(
      rows.map((row: { body: string } | null) => row?.body ?? null),
      ['one', null, null, 'three', 'two'],
    )
    t.match(errors?.map(({ path, extensions }) => [path, extensions.code]).sort(), [
      [['_entities', 1], 'FORBIDDEN'],
      [['_entities', 2], 'FORBIDDEN'],
    ])
    const both = await entities(app, all, bodies, as({ subject: 'ann', scopes: ['audit'], roles: ['keeper'] }))
    t.strictSame(
      [both.rows.map(({ body }: { body: string }) => body), both.errors],
      [['one', 'two', 'three', 'three', 'two'], undefined],
    )
  })

  await t.test('an anonymous caller is refused where the policy says so', async (t) => {
    for (const one of [note(1), { __typename: 'Loose', id: 2 }]) {
      const { rows, errors } = await entities(app, [one], bodies)
      t.strictSame(rows, [null])
      t.match(errors, [{ path: ['_entities', 0], extensions: { code: 'UNAUTHENTICATED' } }])
    }
    const service = await app.graphql('{ _service { sdl } }')
    t.match(service.errors, [{ extensions: { code: 'UNAUTHENTICATED' } }])
    t.match((await app.graphql('{ _service { sdl } }', {}, ann)).data._service.sdl, /type Note @key\(fields: "id"\)/)
  })

  await t.test('the query that gives a row by its key is what guards it', async (t) => {
    const items = [1, 2].map((id) => ({ __typename: 'Item', id }))
    const { rows, errors } = await entities(app, items, bodies, ann)
    t.strictSame(
      [rows, errors],
      [[{ __typename: 'Item', body: 'one' }, null], undefined],
      'its inject, and not the scope of the list',
    )
  })

  await t.test('a query by one key says nothing of another', async (t) => {
    const by = (key: object) => entities(app, [{ __typename: 'Member', ...key }], '... on Member { body }', ann)
    const one = [{ __typename: 'Member', body: 'two' }]
    t.strictSame((await by({ id: 2 })).rows, one)
    for (const key of [{ email: 'bob' }, { body: 'two' }]) {
      const refused = await by(key)
      t.strictSame(refused.rows, [null], JSON.stringify(key))
      t.match(refused.errors, [{ path: ['_entities', 0], extensions: { code: 'FORBIDDEN' } }])
    }
    const keeper = as({ subject: 'ann', roles: ['keeper'] })
    const all = [{ __typename: 'Member', email: 'bob' }]
    t.strictSame((await entities(app, all, '... on Member { body }', keeper)).rows, one)
  })

  await t.test('a type that only an interface or union returns is guarded by its queries', async (t) => {
    for (const [name, needed] of [
      ['Dog', as({ subject: 'ann', roles: ['vet'] })],
      ['Cat', as({ subject: 'ann', scopes: ['pets'] })],
    ] as const) {
      const asked = [{ __typename: name, id: 1 }]
      const refused = await entities(app, asked, `... on ${name} { body }`, ann)
      t.strictSame(refused.rows, [null], name)
      t.match(refused.errors, [{ path: ['_entities', 0], extensions: { code: 'FORBIDDEN' } }])
      t.match((await entities(app, asked, `... on ${name} { body }`, needed)).rows, [{ body: 'one' }])
    }
  })

  await t.test('a caller who may not read the schema learns no names of it', async (t) => {
    const wrong = [{ __typename: 'Nobody', id: 1 }, { __typename: 'Note' }]
    const told = async (headers?: Readonly<Record<string, string>>) =>
      (await entities(app, wrong, bodies, headers)).errors?.map(({ message }) => message)
    t.strictSame(await told(), ['Representation 0: "Nobody" is no entity here.', 'Representation 1: it has no key.'])
    t.match(await told(ann), [/ Entities: Note, Folder/, / Its keys are id; or/])
  })

  await t.test('one statement for any selection, bounded', async (t) => {
    statements.length = 0
    const all = [
      note(1),
      { __typename: 'Folder', name: 'red' },
      { __typename: 'Loose', id: 1 },
      note(3),
      { __typename: 'Item', id: 1 },
    ]
    const { rows } = await entities(app, all, `${bodies} ... on Folder { id }`, ann)
    t.equal(rows.filter((row: unknown) => row !== null).length, 5)
    t.equal(statements.length, 1, statements.join('\n'))
    t.strictSame((await entities(app, [], bodies, ann)).rows, [])
    t.strictSame((await entities(app, [{ __typename: 'Nobody' }], bodies, ann)).rows, [null])
    t.equal(statements.length, 1, 'nothing to ask for')
    const many = Array.from({ length: 21 }, (_, id) => note(id))
    const { rows: none, errors } = await entities(app, many, bodies, ann)
    t.equal(none, undefined)
    t.match(errors, [
      {
        path: ['_entities'],
        message: /^21 representations are more than the 20/,
        extensions: { code: 'VALIDATION_ERROR' },
      },
    ])
    t.equal((await entities(app, many.slice(1), bodies, ann)).rows.length, 20)
  })
}

await eachDatabase(t, suite, { sql: SQL, sqlite: { sql: SQL } })
