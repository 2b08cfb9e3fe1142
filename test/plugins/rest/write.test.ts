import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { entry, plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { answerChecker } from './check-answers.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

/** Effects and answers of POST, PUT, PATCH and DELETE (docs/guides/rest.md#writing). */
const SQL = `${REST_SQL}
CREATE TABLE tb_stamp (code text NOT NULL, maker jsonb, sales jsonb);
CREATE VIEW v_stamp AS SELECT * FROM tb_stamp;
CREATE FUNCTION fn_create_stamp(p_code text, p_maker jsonb, p_sales jsonb) RETURNS jsonb LANGUAGE sql AS $$
  INSERT INTO tb_stamp VALUES (p_code, p_maker, p_sales) RETURNING to_jsonb(tb_stamp) $$;
CREATE FUNCTION fn_thank_user(p_id uuid) RETURNS jsonb LANGUAGE sql AS $$ SELECT fn_create_post(p_id, 'Thanks') $$;`
const fields = (list: Readonly<Record<string, string>>) => Object.entries(list).map(([name, type]) => ({ name, type }))
/** Adds a type without `id`, nested inputs, and a mutation of users that returns a post. */
const SCHEMA = extendSchema(
  REST_SCHEMA,
  tableSchema(
    {
      name: 'Stamp',
      sql_source: 'v_stamp',
      list: 'stamps',
      fields: { code: 'String!', maker: 'JSON', sales: 'JSON' },
    },
    {
      input_types: [
        { name: 'Town', fields: fields({ town_name: 'String!' }) },
        { name: 'Maker', fields: fields({ full_name: 'String!', home_town: 'Town' }) },
        { name: 'Sale', fields: fields({ sold_for: 'Int!' }) },
      ],
      mutations: [
        {
          name: 'create_stamp',
          type: 'Stamp!',
          sql_source: 'fn_create_stamp',
          operation: 'CREATE',
          arguments: fields({ code: 'String!', maker: 'Maker', sales: '[Sale!]' }),
        },
        {
          name: 'thank_user',
          type: 'Post!',
          sql_source: 'fn_thank_user',
          operation: 'CUSTOM',
          arguments: fields({ id: 'ID!' }),
        },
      ],
    },
  ),
)
const url = await createPostgresDatabase(t, { sql: SQL })
const told: string[] = []
const listener = entry(
  plugin('listener', (scope) => {
    scope.on('afterCommit', ({ writes }) => void told.push(...writes.map(({ mutation }) => mutation)))
  }),
)
const masker = entry(
  plugin('masker', (scope) => {
    scope.on('authorize', ({ headers }, _, access) => {
      if (headers['x-masked'] !== undefined) access.deny('Note.stars', undefined, { unless: { text: { _eq: 'x' } } })
    })
  }),
)
const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, {
  plugins: [restPlugin({ max_bulk_affected: 20 }), listener, masker],
})
const sql = async (text: string) => Object.values((await runOnServer(new URL(url).pathname.slice(1), text))[0] ?? {})[0]
const posts = () => sql('SELECT count(*)::int FROM tb_post')

const check = answerChecker(t, app)
const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const reply = await app.inject({ method, url: `/rest/v1${path}`, headers, ...(body === undefined ? {} : { body }) })
  check(method, path, reply)
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
  return { ...reply, body: reply.text === '' ? null : (reply.json() as any) }
}
const line = async (...args: Parameters<typeof send>) => {
  const { status, body } = await send(...args)
  return `${status} ${body?.error?.code ?? ''}`.trim()
}

t.test('POST creates a row, and says where it is', async (t) => {
  const made = await send('POST', '/posts', { author_id: USER(1), title: 'Fresh' }, { host: 'api.example.org:81' })
  t.equal(made.status, 201)
  t.match(made.body, { data: { title: 'Fresh', body: null, status: 'DRAFT' } })
  t.same(Object.keys(made.body.data), ['id', 'title', 'body', 'status', 'views'])
  t.equal(made.headers.location, `http://api.example.org:81/rest/v1/posts/${made.body.data.id}`)
  t.equal(made.headers['cache-control'], 'no-store')
  const minimal = await send(
    'POST',
    '/posts?select=title',
    { authorId: USER(1), title: 'Small' },
    { prefer: 'return=minimal' },
  )
  t.same([minimal.status, minimal.text, minimal.headers['preference-applied']], [201, '', 'return=minimal'])
  t.match(minimal.headers.location, /^\/rest\/v1\/posts\/[0-9a-f-]{36}$/)
  t.same((await send('POST', '/posts?select=title,author(name)', { authorId: USER(1), title: 'Shown' })).body, {
    data: { title: 'Shown', author: { name: 'Ann' } },
  })
  t.match((await send('POST', '/users', { name: 'Dee', email: 'dee@example.org' })).body, {
    data: { name: 'Dee', age: null },
  })
  const before = await posts()
  for (const host of ['evil"host', 'user@evil.example', 'a.example, evil.example']) {
    const refused = await app.inject({
      method: 'POST',
      url: '/rest/v1/posts',
      headers: { host },
      body: { authorId: USER(1), title: 'x' },
    })
    t.equal(refused.status, 400, `${host} stands in no Location`)
  }
  t.equal(await posts(), before)
})

t.test('keys of nested inputs are accepted in both spellings', async (t) => {
  const written = { code: 'A', maker: { full_name: 'Ann', home_town: { town_name: 'Bern' } }, sales: [{ sold_for: 3 }] }
  t.match(await send('POST', '/stamps', written), { status: 201, body: { data: written } })
  const inWireNames = {
    code: 'A',
    maker: { fullName: 'Ann', homeTown: { townName: 'Bern' } },
    sales: [{ soldFor: 3 }],
  }
  t.match(await send('POST', '/stamps', inWireNames), { status: 201, body: { data: written } })
  t.equal(await sql("SELECT count(*)::int FROM tb_stamp WHERE maker->'home_town'->>'town_name' = 'Bern'"), 2)
  const refused = await send('POST', '/stamps', { code: 'A', maker: { full_name: 'Ann', home_town: { nam: 'Bern' } } })
  t.match(refused, { status: 422, body: { error: { details: { fields: [{ field: 'maker.home_town.nam' }] } } } })
})

t.test('a write of a type without id answers without Location', async (t) => {
  const made = await send('POST', '/stamps', { code: 'B' })
  t.strictSame([made.status, made.body], [201, { data: { code: 'B', maker: null, sales: null } }])
  t.notOk('location' in made.headers)
})

t.test('a write that returns another type than that of its resource answers with it', async (t) => {
  const thanked = await send('POST', `/users/${USER(1)}/thank?select=title,author(name)`)
  t.strictSame([thanked.status, thanked.body], [200, { data: { title: 'Thanks', author: { name: 'Ann' } } }])
})

t.test('a body that is none', async (t) => {
  const before = await posts()
  for (const [body, wanted, fields] of [
    [{ authorId: USER(1) }, '422 VALIDATION_ERROR', ['title']],
    [{}, '422 VALIDATION_ERROR', ['authorId', 'title']],
    [{ authorId: USER(1), title: 5 }, '422 VALIDATION_ERROR', ['title']],
    [{ authorId: USER(1), title: null }, '422 VALIDATION_ERROR', ['title']],
    [{ authorId: USER(1), author_id: USER(1), title: 'x' }, '422 VALIDATION_ERROR', ['author_id']],
    [{ authorId: USER(1), title: 'x', nope: 1 }, '422 VALIDATION_ERROR', ['nope']],
    ['text', '400 BAD_REQUEST', undefined],
    [null, '400 BAD_REQUEST', undefined],
  ] as const) {
    const { status, body: answer } = await send(
      'POST',
      '/posts',
      typeof body === 'string' || body === null ? JSON.stringify(body) : body,
      {
        'content-type': 'application/json; charset=UTF-8',
      },
    )
    t.equal(`${status} ${answer.error.code}`, wanted, JSON.stringify(body))
    t.same(
      answer.error.details.fields?.map(({ field }: { field: string }) => field),
      fields,
    )
  }
  t.match((await send('POST', '/users', { name: 'x', email: 'no address' })).body.error, {
    code: 'VALIDATION_ERROR',
    details: { fields: [{ field: 'email' }] },
  })
  const raw = (text: string | Uint8Array, type?: string) =>
    line('POST', '/posts', text, type === undefined ? {} : { 'content-type': type })
  t.equal(await raw('{}'), '400 BAD_REQUEST')
  t.equal(await raw('{}', 'text/plain'), '400 BAD_REQUEST')
  t.equal(await raw('{}', 'application/merge-patch+json'), '400 BAD_REQUEST', 'which is for PATCH')
  t.equal(await raw('{}', 'application/json; charset=latin1'), '400 BAD_REQUEST')
  t.equal(await raw('{', 'application/json'), '400 INVALID_JSON')
  t.equal(await raw(Uint8Array.of(0x22, 0xff, 0x22), 'application/json'), '400 INVALID_JSON')
  t.equal(await raw('', 'application/json'), '400 BAD_REQUEST')
  t.equal(await raw(`"${'x'.repeat(1_048_576)}"`, 'application/json'), '413 PAYLOAD_TOO_LARGE')
  t.equal(await line('POST', '/posts?nope=1', { authorId: USER(1), title: 'x' }), '400 UNKNOWN_PARAMETER')
  t.equal(await line('POST', '/posts?select=nope', { authorId: USER(1), title: 'x' }), '400 UNKNOWN_PARAMETER')
  t.equal(await posts(), before, 'nothing was written')
})

t.test('PUT wants all of a row, PATCH what changes', async (t) => {
  const path = `/posts/${POST(1)}`
  const whole = { title: 'New', body: null, status: 'LIVE', views: '9007199254740993' }
  t.match(await send('PUT', path, whole), { status: 200, body: { data: { id: POST(1), ...whole } } })
  const partial = await send('PUT', path, { title: 'x' })
  t.equal(partial.status, 422)
  t.same(
    partial.body.error.details.fields.map(({ field }: { field: string }) => field),
    ['body', 'status', 'views'],
  )
  t.match(partial.body.error.details.fields[0].reason, /required.*missing writable field/)
  t.match((await send('PATCH', path, { title: 'Newer' })).body.data, {
    title: 'Newer',
    status: 'LIVE',
    views: '9007199254740993',
  })
  t.match(
    (await send('PATCH', path, { body: null, title: 'N' }, { 'content-type': 'application/merge-patch+json' })).body
      .data,
    { title: /^N$/ },
  )
  t.match((await send('PATCH', path, '{"views":9007199254740995}', { 'content-type': 'application/json' })).body.data, {
    views: '9007199254740995',
  })
  t.same((await send('PATCH', path, { title: 'M' }, { prefer: 'return=minimal' })).status, 204)
  t.equal(await line('PATCH', `/posts/${USER(9)}`, { title: 'x' }), '404 NOT_FOUND')
  t.equal(await line('PATCH', '/posts/nope', { title: 'x' }), '400 BAD_USER_INPUT')
  t.equal(await line('PATCH', path, { titel: 'x' }), '422 VALIDATION_ERROR')
  const note = '/notes/c0000000-0000-4000-8000-000000000001'
  t.match(
    (await send('PATCH', note, { stars: 5 })).body,
    { data: { text: 'old', stars: 5 } },
    'plain arguments keep what the row has',
  )
  t.match((await send('PATCH', note, { text: null })).body, { data: { text: null, stars: 5 } })
  t.equal(await line('PATCH', '/notes/c0000000-0000-4000-8000-000000000009', { stars: 5 }), '404 NOT_FOUND')
  // Of a value that is masked in this row nothing is known, so it cannot be kept.
  const masked = { 'x-masked': 'yes' }
  t.equal(await line('PATCH', note, { text: 'new' }, masked), '403 FORBIDDEN')
  t.equal(await sql('SELECT stars FROM tb_note'), 5)
  t.equal((await send('PATCH', note, { text: 'new', stars: 4 }, masked)).status, 200)
})

// proves: mutation.rest_path mutation.rest_method
t.test('actions, and routes that the author wrote', async (t) => {
  t.match(await send('POST', `/posts/${POST(2)}/publish`), {
    status: 200,
    body: { data: { id: POST(2), status: 'LIVE' } },
  })
  t.match((await send('PATCH', `/posts/${POST(2)}/rename`, { title: 'Renamed' })).body, { data: { title: 'Renamed' } })
  t.match(await send('PUT', `/titles/${POST(2)}`, { title: 'By hand' }), {
    status: 200,
    body: { data: { title: 'By hand' } },
  })
  t.equal(await line('PATCH', `/titles/${POST(2)}`, { title: 'x' }), '405 METHOD_NOT_ALLOWED')
  t.same((await send('POST', '/count-words', { text: 'a b c' })).body, { data: 3 })
  t.equal(await line('POST', '/count-words', { text: 3 }), '422 VALIDATION_ERROR')
})

t.test('DELETE answers nothing, or the row', async (t) => {
  t.same(await line('DELETE', `/posts/${POST(3)}`), '204')
  t.equal(await line('GET', `/posts/${POST(3)}`), '404 NOT_FOUND')
  const shown = await send('DELETE', `/posts/${POST(4)}?select=id,title`, undefined, {
    prefer: 'return=representation',
  })
  t.match(shown, {
    status: 200,
    body: { data: { id: POST(4), title: 'Post 04' } },
    headers: { 'preference-applied': 'return=representation' },
  })
  t.equal(await line('DELETE', `/posts/${POST(4)}`), '404 NOT_FOUND')
  await sql(`INSERT INTO tb_user (id, name) VALUES ('${USER(8)}', 'Gone')`)
  const hidden = await send('DELETE', `/users/${USER(8)}`, undefined, { prefer: 'return=representation' })
  t.same(
    [hidden.status, hidden.headers['x-preference-fallback'], 'preference-applied' in hidden.headers],
    [204, 'entity-unavailable', false],
  )
  t.equal(await line('DELETE', `/users/${USER(8)}`), '404 NOT_FOUND', 'a function that says false has deleted nothing')
})

t.test('a refusal of a function or a constraint is an error with its status', async (t) => {
  t.equal(await line('POST', '/posts', { authorId: USER(1), title: 'refused' }), '422 TITLE_TAKEN')
  t.equal(await line('POST', '/users', { name: 'x', email: 'ann@example.org' }), '409 CONFLICT')
  t.equal(await line('DELETE', `/users/${USER(1)}`), '400 CONSTRAINT_VIOLATION')
  const { body } = await send('POST', '/users', { name: 'x', email: 'ann@example.org' })
  t.notMatch(JSON.stringify(body), /ann@example/, 'without the value')
})

t.test('tx=rollback answers as if it were done, and does nothing', async (t) => {
  const before = await posts()
  told.length = 0
  const tried = await send(
    'POST',
    '/posts',
    { authorId: USER(1), title: 'Tried' },
    { prefer: 'tx=rollback, return=representation' },
  )
  t.match(tried, {
    status: 201,
    body: { data: { title: 'Tried' } },
    headers: { 'preference-applied': 'return=representation, tx=rollback' },
  })
  t.equal((await send('DELETE', `/posts/${POST(5)}`, undefined, { prefer: 'tx=rollback' })).status, 204)
  t.match(
    await send(
      'POST',
      '/posts',
      [
        { authorId: USER(1), title: 'a' },
        { authorId: USER(1), title: 'b' },
      ],
      { prefer: 'tx=rollback' },
    ),
    { status: 201, headers: { 'x-rows-affected': /^2$/ } },
  )
  t.match(await send('DELETE', '/posts?title[startswith]=Post 2', undefined, { prefer: 'tx=rollback' }), {
    status: 204,
    headers: { 'x-rows-affected': /^6$/ },
  })
  t.equal(await posts(), before)
  t.same(told, [], 'nobody was told')
  await send('POST', '/posts', { authorId: USER(1), title: 'Done' })
  t.same(told, ['createPost'])
})

t.test('a list of rows: all, or none', async (t) => {
  const rows = (...titles: readonly string[]) => titles.map((title) => ({ authorId: USER(2), title }))
  for (const path of ['/posts', '/posts/bulk']) {
    const made = await send('POST', `${path}?select=title`, rows('A', 'B'))
    t.match(made, {
      status: 201,
      body: { data: [{ title: /^A$/ }, { title: /^B$/ }] },
      headers: { 'x-rows-affected': /^2$/ },
    })
  }
  const before = await posts()
  t.match(await send('POST', '/posts', rows('C', 'refused', 'D')), {
    status: 422,
    body: { error: { code: 'TITLE_TAKEN', details: { index: 1 } } },
  })
  t.match(await send('POST', '/posts', [...rows('C'), { title: 'x' }]), {
    status: 422,
    body: { error: { details: { index: 1, fields: [{ field: 'authorId' }] } } },
  })
  t.equal(await line('POST', '/posts', rows(...'x'.repeat(21))), '400 VALIDATION_ERROR')
  t.equal(await line('POST', '/posts/bulk', rows('x')[0]), '400 BAD_REQUEST')
  t.equal(await line('POST', '/posts', [1]), '400 BAD_REQUEST')
  t.equal(await line('POST', '/posts', rows('x'), { prefer: 'resolution=merge-duplicates' }), '400 BAD_REQUEST')
  t.equal(await line('POST', '/posts', rows('x')[0], { prefer: 'resolution=merge-duplicates' }), '400 BAD_REQUEST')
  t.equal(await posts(), before, 'nothing of it was written')
  t.match(await send('POST', '/posts', []), { status: 201, body: { data: [] }, headers: { 'x-rows-affected': /^0$/ } })
  t.match(await send('POST', '/posts', rows('E'), { prefer: 'return=minimal' }), {
    status: 201,
    text: '',
    headers: { 'x-rows-affected': /^1$/ },
  })
})

t.test('the rows that match', async (t) => {
  const before = await posts()
  for (const query of [
    '',
    '?filter={}',
    '?filter={"and":[]}',
    '?filter={"or":[{},{"title":{"eq":"x"}}]}',
    '?title[nin]=',
    '?filter={"author":{}}',
    '?filter={"author":{"posts":{"every":{}}}}',
  ]) {
    t.equal(await line('DELETE', `/posts${query}`), '400 BAD_REQUEST', query)
    t.equal(await line('PATCH', `/posts${query}`, { body: 'x' }), '400 BAD_REQUEST', query)
  }
  for (const word of ['search=cats', 'limit=5', 'title=x&sort=title', 'offset=1'])
    t.equal(await line('DELETE', `/posts?${word}`), '400 BAD_REQUEST', word)
  t.equal(await line('DELETE', '/posts?nope=1'), '400 UNKNOWN_PARAMETER')
  const over = await send('DELETE', '/posts?title[startswith]=Post', undefined, { prefer: 'max-affected=3' })
  t.match(over, { status: 400, body: { error: { code: 'VALIDATION_ERROR', details: { limit: 3, matched: 4 } } } })
  t.equal(
    await line('DELETE', '/posts?views[gte]=0', undefined, { prefer: 'max-affected=100000' }),
    '400 VALIDATION_ERROR',
    'it cannot raise the bound',
  )
  t.equal(await line('DELETE', '/posts?title=x', undefined, { prefer: 'max-affected=x' }), '400 BAD_USER_INPUT')
  t.equal(await posts(), before, 'nothing was deleted')
  const changed = await send('PATCH', '/posts?title[in]=Post 10,Post 11&select=title,body,status', { body: 'both' })
  t.match(changed, {
    status: 200,
    headers: { 'x-rows-affected': /^2$/ },
    body: {
      data: [
        { title: 'Post 10', body: 'both' },
        { title: 'Post 11', body: 'both', status: 'GONE' },
      ],
    },
  })
  t.match(await send('PATCH', '/posts?title=nobody', { body: 'x' }), {
    status: 200,
    body: { data: [] },
    headers: { 'x-rows-affected': /^0$/ },
  })
  t.equal(await line('PATCH', '/posts?title=Post 10', { nope: 1 }), '422 VALIDATION_ERROR')
  const gone = await send('DELETE', '/posts?title[in]=Post 10,Post 11&select=title', undefined, {
    prefer: 'return=representation',
  })
  t.match(gone, {
    status: 200,
    body: { data: [{ title: 'Post 10' }, { title: 'Post 11' }] },
    headers: { 'x-rows-affected': /^2$/ },
  })
  const bounded = await send('DELETE', '/posts?title=Post 12', undefined, { prefer: 'max-affected=2, return=minimal' })
  t.same(
    [bounded.status, bounded.headers['x-rows-affected'], bounded.headers['preference-applied']],
    [204, '1', 'return=minimal, max-affected=2'],
  )
  t.equal(await posts(), Number(before) - 3)
})
