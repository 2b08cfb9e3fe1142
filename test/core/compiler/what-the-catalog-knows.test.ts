import t from 'tap'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const SQL = `
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE DOMAIN feeling AS mood;
CREATE TABLE tb_note (pk_note int PRIMARY KEY, id uuid NOT NULL UNIQUE, body text, mood mood, feeling feeling, moods mood[], "firstName" text, number oid);
CREATE TABLE tb_tag (pk_tag int PRIMARY KEY, label text NOT NULL);
CREATE VIEW v_note AS SELECT * FROM tb_note;
CREATE VIEW v_full AS SELECT * FROM tb_note WHERE body IS NOT NULL;
CREATE VIEW v_shown AS SELECT id, coalesce(body, '') AS body FROM v_note;
CREATE VIEW v_outer AS SELECT n.id, n.body, t.label FROM tb_note n LEFT JOIN tb_tag t ON t.pk_tag = n.pk_note;
CREATE SCHEMA store; CREATE VIEW store.v_box AS SELECT 1 AS id;
CREATE FUNCTION fn_camel("firstName" text, "p_lastName" text) RETURNS text LANGUAGE sql AS 'SELECT $1 || $2';
CREATE FUNCTION fn_feel(p_body text, p_mood mood, p_feeling feeling DEFAULT 'good', p_moods mood[] DEFAULT '{}') RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION fn_order(text, mood) RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION fn_word(p_mood text) RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION fn_record() RETURNS SETOF record LANGUAGE sql AS 'SELECT 1, 2';
CREATE FUNCTION fn_table() RETURNS TABLE (id uuid) LANGUAGE sql AS 'SELECT id FROM tb_note';
`
const database = await openDatabase(t, await createPostgresDatabase(t, { sql: SQL }))
const id = { name: 'id', type: 'ID!' }
type Field = { readonly name: string; readonly type: string; readonly column?: string }
const said = async (schema: Omit<AuthoredSchema, 'version'>) => {
  const whole: AuthoredSchema = { version: '1', ...schema }
  const { faults, warnings } = compileSchema(whole, {
    owned: OWNED_KEYS,
    catalog: await readCatalogFor(whole, database),
  })
  return [...faults, ...warnings].map(({ id: rule, message }) => `${rule}: ${message}`)
}
const typed = (source: string, ...fields: Field[]) =>
  said(
    tableSchema(
      { name: 'Note', sql_source: source, list: 'notes', fields: [id, ...fields] },
      { enums: [{ name: 'Mood', values: [{ name: 'GOOD', value: 'good' }, { name: 'WORSE' }] }] },
    ),
  )

// proves: warning.nullable-column
t.test('a non-null field over a column that may be NULL is warned of, and only where that is known', async (t) => {
  t.strictSame(await typed('v_note', { name: 'body', type: 'String!' }), [
    'nullable-column: Note.body is String!, and the column body of v_note may be NULL: a row without a value is an error in the place of its Note. ' +
      'Declare String, make the column NOT NULL, or coalesce it in the view.',
  ])
  t.strictSame(await typed('v_note', { name: 'body', type: 'String' }), [])
  t.strictSame(await typed('v_full', { name: 'body', type: 'String!' }), [], 'a condition of the view may leave it out')
  t.strictSame(await typed('v_shown', { name: 'body', type: 'String!' }), [], 'an expression is not known')
  const [outer, ...more] = await typed('v_outer', { name: 'label', type: 'String!' })
  t.match(outer, /^nullable-column: Note\.label is String!, and the column label of v_outer may be NULL/)
  t.strictSame(more, [], 'the id is of the side that is always there')
})

// proves: warning.enum-label
t.test('a value that the enum of the database lacks is warned of', async (t) => {
  for (const name of ['mood', 'feeling'])
    t.strictSame(await typed('v_note', { name, type: 'Mood' }), [
      `enum-label: Mood.WORSE is "WORSE" in the database, and the enum of Note.${name} (column ${name} of v_note) has no such label.` +
        ' It has: good, bad. Say what it stores with "value", add the label, or take the value out.',
    ])
  t.match(await typed('v_note', { name: 'moods', type: '[Mood!]' }), [/^enum-label: .* the enum of Note\.moods \(/])
})

t.test('so is one that the enum of a parameter of a function lacks', async (t) => {
  const called = async (name: string, args: readonly Field[], more: object = {}) =>
    said(
      tableSchema(
        { name: 'Note', sql_source: 'v_note', list: 'notes', fields: [id] },
        {
          enums: [{ name: 'Mood', values: [{ name: 'GOOD', value: 'good' }, { name: 'WORSE' }] }],
          input_types: [{ name: 'Feel', fields: [{ name: 'body', type: 'String' }, ...args] }],
          mutations: [
            {
              name,
              type: 'String',
              sql_source: `fn_${name}`,
              arguments: [{ name: 'body', type: 'String' }, ...args],
              ...more,
            },
          ],
        },
      ),
    )
  const mood = { name: 'mood', type: 'Mood!' }
  const message = (place: string) =>
    `enum-label: Mood.WORSE is "WORSE" in the database, and the enum of ${place} has no such label.` +
    ' It has: good, bad. Say what it stores with "value", add the label, or take the value out.'
  t.strictSame(await called('feel', [mood]), [message('"mood" of mutation "feel" (parameter p_mood of fn_feel)')])
  const more = [
    { name: 'feeling', type: 'Mood' },
    { name: 'moods', type: '[Mood!]' },
  ]
  t.strictSame(await called('feel', [mood, ...more]), [
    message('"mood" of mutation "feel" (parameter p_mood of fn_feel)'),
    message('"feeling" of mutation "feel" (parameter p_feeling of fn_feel)'),
    message('"moods" of mutation "feel" (parameter p_moods of fn_feel)'),
  ])
  t.strictSame(await called('feel', [mood], { arguments: [{ name: 'input', type: 'Feel!' }] }), [
    message('"input.mood" of mutation "feel" (parameter p_mood of fn_feel)'),
  ])
  t.strictSame(await called('order', [mood]), [message('"mood" of mutation "order" (parameter 2 of fn_order)')])
  t.strictSame(await called('word', [], { arguments: [mood] }), [], 'a text takes any value')
  t.strictSame(await called('feel', [{ name: 'mood', type: 'String' }]), [], 'a text is seen where it is given')
})

t.test('a column that is spelled in another case is named, with the schema where it is another', async (t) => {
  const [first] = await typed('v_note', { name: 'first_name', type: 'String' })
  t.match(first, 'v_note has no column "first_name". Write column: "firstName", add it to the view')
  t.strictSame(await typed('v_note', { name: 'first_name', type: 'String', column: 'firstName' }), [])
  t.strictSame(await typed('v_note', { name: 'firstName', type: 'String' }), [])
  const [box] = await typed('store.v_box', { name: 'size', type: 'Int' })
  t.match(box, 'store.v_box has no column "size"')
  const asked = await said(
    tableSchema(
      { name: 'Note', sql_source: 'v_note', fields: [id] },
      { queries: [{ name: 'notes', type: '[Note!]!', arguments: [{ name: 'first_name', type: 'String' }] }] },
    ),
  )
  t.strictSame(asked, [], 'an argument finds it')
})

t.test('an oid is no Int, which is too small', async (t) => {
  t.match(await typed('v_note', { name: 'number', type: 'Int' }), [/column in v_note is oid\. Declare BigInt/])
  t.strictSame(await typed('v_note', { name: 'number', type: 'BigInt' }), [])
  t.strictSame(await typed('v_note', { name: 'number', type: 'String' }), [])
})

t.test('parameters in camelCase are found, and a record without columns is refused', async (t) => {
  const mutation = (name: string, type: string, ...args: string[]) =>
    said(
      tableSchema(
        { name: 'Note', sql_source: 'v_note', list: 'notes', fields: [id] },
        {
          mutations: [
            { name, type, sql_source: `fn_${name}`, arguments: args.map((arg) => ({ name: arg, type: 'String' })) },
          ],
        },
      ),
    )
  t.strictSame(await mutation('camel', 'String', 'firstName', 'lastName'), [])
  t.strictSame(await mutation('camel', 'String', 'first_name', 'last_name'), [])
  t.match(await mutation('record', '[Note!]!'), [/^function-result: .*SETOF record, and nothing says which columns/])
  t.strictSame(await mutation('table', '[Note!]!'), [])
})

// proves: warning.bypassed-policies
t.test('a view whose owner the policies do not hold is warned of', async (t) => {
  await database.script(`
    CREATE TABLE tb_secret (id int PRIMARY KEY, tenant text); ALTER TABLE tb_secret ENABLE ROW LEVEL SECURITY;
    CREATE VIEW v_definer AS SELECT * FROM tb_secret;
    CREATE VIEW v_over AS SELECT * FROM v_definer;`)
  const over = (source: string) =>
    said(tableSchema({ name: 'Secret', sql_source: source, list: 'secrets', fields: { id: 'Int!' } }))
  for (const view of ['v_definer', 'v_over'])
    t.match(await over(view), [
      new RegExp(`^bypassed-policies: The view ${view} runs .* policies of tb_secret do not hold: .*security_invoker`),
    ])
  t.strictSame(await over('tb_secret'), [], 'of a table they hold')
  const [version] = (await database.query({ name: null, text: 'SHOW server_version_num' }, [], null)).rows[0]!
  if (Number(version) < 150000) return
  await database.script('CREATE VIEW v_invoker WITH (security_invoker = true) AS SELECT * FROM tb_secret')
  t.strictSame(await over('v_invoker'), [])
})

// proves: warning.stub-column
t.test('a JSON column that hides the rows of an entity is warned of, and one that is named is meant', async (t) => {
  await database.script('CREATE TABLE tb_review (id int PRIMARY KEY, fk_note int, note jsonb)')
  const review = (more: object, keys?: readonly string[]) =>
    said({
      types: [
        { name: 'Note', sql_source: 'v_note', ...(keys === undefined ? {} : { key_fields: keys }), fields: [id] },
        {
          name: 'Review',
          sql_source: 'tb_review',
          fields: [
            { name: 'id', type: 'Int!' },
            { name: 'note', type: 'Note', ...more },
          ],
        },
      ],
      queries: [{ name: 'reviews', type: '[Review!]!' }],
    })
  t.match(await review({}, ['id']), [/^stub-column: Review\.note is read from the JSON column note of tb_review/])
  t.strictSame(await review({ column: 'note' }, ['id']), [])
  t.strictSame(await review({ relation: { from: 'fk_note', to: 'pk_note' } }, ['id']), [])
  t.strictSame(await review({}), [], 'a type without a key is part of its parent')
})
