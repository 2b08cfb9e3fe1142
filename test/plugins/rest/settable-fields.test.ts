import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { restPlugin } from './world.ts'

const SQL = `
CREATE TABLE tb_book (pk_book int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text NOT NULL UNIQUE, title text NOT NULL, note text,
  words int GENERATED ALWAYS AS (length(title)) STORED, created_at timestamptz NOT NULL DEFAULT '2026-01-01Z');
INSERT INTO tb_book (id, title, note) VALUES ('a', 'First', 'n'), ('b', 'Second', NULL);
CREATE VIEW v_book AS SELECT * FROM tb_book;
CREATE FUNCTION fn_create_book(p_id text, p_title text, p_note text) RETURNS SETOF v_book LANGUAGE sql AS $$
  INSERT INTO tb_book (id, title, note) VALUES (p_id, p_title, p_note); SELECT * FROM v_book WHERE id = p_id $$;
CREATE FUNCTION fn_edit_book(p_id text, p_title text, p_note text) RETURNS SETOF v_book LANGUAGE sql AS $$
  UPDATE tb_book SET title = p_title, note = p_note WHERE id = p_id; SELECT * FROM v_book WHERE id = p_id $$;
CREATE FUNCTION fn_patch_book(p_id text, p_input jsonb) RETURNS SETOF v_book LANGUAGE sql AS $$
  UPDATE tb_book SET title = coalesce(p_input->>'title', title) WHERE id = p_id; SELECT * FROM v_book WHERE id = p_id $$;
`
const id = { name: 'id', type: 'ID!' }
const title = { name: 'title', type: 'String!' }
const note = { name: 'note', type: 'String' }
const book = (mutations: AuthoredSchema['mutations'], queries: AuthoredSchema['queries'] = []): AuthoredSchema =>
  tableSchema(
    {
      name: 'Book',
      sql_source: 'v_book',
      list: 'books',
      fields: [
        id,
        { name: 'pk_book', type: 'Int!' },
        title,
        note,
        { name: 'words', type: 'Int' },
        { name: 'created_at', type: 'DateTime!' },
      ],
    },
    {
      input_types: [{ name: 'Changes', fields: [{ name: 'title', type: 'String' }] }],
      queries: [{ name: 'book', type: 'Book', arguments: [id] }, ...queries],
      mutations: [
        {
          name: 'create_book',
          type: 'Book!',
          sql_source: 'fn_create_book',
          operation: 'CREATE',
          arguments: [id, title, note],
        },
        ...(mutations ?? []),
      ],
    },
  )
const edit = (name: string) =>
  ({ name, type: 'Book!', sql_source: 'fn_edit_book', operation: 'UPDATE', arguments: [id, title, note] }) as const
const patch = (name: string) =>
  ({
    name,
    type: 'Book!',
    sql_source: 'fn_patch_book',
    operation: 'UPDATE',
    arguments: [id, { name: 'input', type: 'Changes!' }],
  }) as const

const url = await createPostgresDatabase(t, { sql: SQL })
const senderTo = async (schema: AuthoredSchema) => {
  const app = await openApp(t, { kind: 'postgres', url }, schema, { plugins: [restPlugin()] })
  return async (method: string, path: string, body?: unknown) => {
    const reply = await app.inject({ method, url: `/rest/v1${path}`, ...(body === undefined ? {} : { body }) })
    // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
    return { status: reply.status, allow: reply.headers.allow, body: reply.text === '' ? null : (reply.json() as any) }
  }
}

t.test('PUT and PATCH exist where a type has columns that no input sets', async (t) => {
  const send = await senderTo(book([edit('edit_book')]))
  t.strictSame((await send('PUT', '/books/a', { title: 'Anew', note: null })).body.data, {
    id: 'a',
    pkBook: 1,
    title: 'Anew',
    note: null,
    words: 4,
    createdAt: '2026-01-01T00:00:00+00:00',
  })
  const half = await send('PUT', '/books/a', { title: 'Half' })
  t.strictSame(
    [half.status, half.body.error.details.fields.map((one: { field: string }) => one.field)],
    [422, ['note']],
  )
  const patched = await send('PATCH', '/books/a', { note: 'kept' })
  t.strictSame([patched.status, patched.body.data.title, patched.body.data.note], [200, 'Anew', 'kept'])
  t.equal((await send('PATCH', '/books/a', { words: 9 })).status, 422, 'a generated column is not settable')
})

t.test('an update of the type is its PATCH where it sets less, and no PUT', async (t) => {
  const send = await senderTo(book([patch('update_book')]))
  const one = await send('PATCH', '/books/b', { title: 'Other' })
  t.strictSame([one.status, one.body.data.title], [200, 'Other'])
  t.equal((await send('PATCH', '/books/b/update', { title: 'Other' })).status, 200)
  const many = await send('PATCH', '/books?id=b', { title: 'Many' })
  t.strictSame([many.status, (await send('GET', '/books/b')).body.data.title], [200, 'Many'])
  const put = await send('PUT', '/books/b', { title: 'No' })
  t.equal(put.status, 405)
  t.match(put.allow, /^(?!.*PUT).*PATCH/)
})

t.test('another mutation that sets less stays an action', async (t) => {
  const send = await senderTo(book([patch('retitle_book')]))
  t.equal((await send('PATCH', '/books/b', { title: 'Other' })).status, 405)
  t.equal((await send('PATCH', '/books/b/retitle', { title: 'Third' })).body.data.title, 'Third')
})

t.test('a field pk_… of the type finds a row where no argument does', async (t) => {
  const schema = book([])
  const send = await senderTo({
    ...schema,
    queries: [
      { name: 'books', type: '[Book!]!' },
      { name: 'book', type: 'Book', row_filter: "id <> 'b'" },
    ],
  })
  const one = await send('GET', '/books/1')
  t.strictSame([one.status, one.body.data.id], [200, 'a'])
  t.equal((await send('GET', '/books/2')).status, 404, 'the rules of the query hold')
  t.equal((await send('GET', '/books/77')).status, 404)
  t.equal((await send('GET', '/books/x')).status, 400)
  t.equal((await send('GET', '/book')).body.data.id, 'a')
  const byId = await senderTo(book([], [{ name: 'first_book', type: 'Book' }]))
  t.equal((await byId('GET', '/books/b')).body.data.id, 'b', 'a query with an id comes first')
  t.equal((await byId('GET', '/books/2')).status, 404)
})
