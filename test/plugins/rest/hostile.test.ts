import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'
import { as, testCredential } from '../../helpers/test-credential.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from './world.ts'

/** Malicious and malformed REST requests, each with its exact answer (docs/guides/rest.md#when-something-is-wrong). */
const url = await createPostgresDatabase(t, { sql: REST_SQL })
const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins: [restPlugin(), testCredential()] })
const sql = async (text: string) => Object.values((await runOnServer(new URL(url).pathname.slice(1), text))[0] ?? {})[0]

type Headers = Readonly<Record<string, string>>
/** `status`, and the code of an error or what `data` is. */
async function send(method: string, path: string, body?: string | Buffer, headers: Headers = {}) {
  const own = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
  const reply = await app.inject({
    method,
    url: `/rest/v1${path}`,
    headers: own,
    ...(body === undefined ? {} : { body }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
  const answer = (reply.text === '' ? {} : reply.json()) as any
  return { status: reply.status, headers: reply.headers, data: answer.data, ...answer.error, text: reply.text }
}
/** What a list gives: names of its rows, or status, code and the start of the message. */
async function ask(path: string): Promise<string> {
  const { status, code, message, data } = await send('GET', path)
  if (status !== 200) return `${status} ${code} ${message}`
  return `200 ${(Array.isArray(data) ? data : [data]).map((row: object) => Object.values(row)[0]).join('|')}`
}
type Case = readonly [path: string, answer: string]
async function hold(t: TestLike, cases: readonly Case[]): Promise<void> {
  for (const [path, answer] of cases) {
    const given = await ask(path)
    t.equal(given.slice(0, answer.length), answer, path.slice(0, 120))
  }
}
const nested = (levels: number) => `or=(${'or=('.repeat(levels - 1)}code=0123${')'.repeat(levels)}`
/** Each with two members, an even number of times: what is in it holds. */
const nestedNot = (levels: number) =>
  `not=(name[neq]=x,${'not=(name[neq]=x,'.repeat(levels - 1)}code=0123${')'.repeat(levels)}`
const nestedJson = (levels: number) =>
  `filter=${encodeURIComponent(`${'{"not":'.repeat(levels)}{"code":{"eq":"0123"}}${'}'.repeat(levels)}`)}`

t.test('groups', (t) =>
  hold(t, [
    [`/users?select=name&${nested(1)}`, '200 Ann'],
    [`/users?select=name&${nested(64)}`, '200 Ann'],
    [`/users?select=name&${nested(64)}&${nestedNot(64)}&name[neq]=x`, '200 Ann'],
    ...[65, 128, 5000].map(
      (n): Case => [`/users?${nested(n)}`, '400 VALIDATION_ERROR or: a filter may be nested 64 levels deep.'],
    ),
    [`/users?select=name&${nestedJson(64)}`, '200 Ann'],
    [`/users?select=name&${nestedJson(64)}&name[neq]=x`, '200 Ann'],
    ...[65, 128].map(
      (n): Case => [`/users?${nestedJson(n)}`, '400 VALIDATION_ERROR filter: a filter may be nested 64 levels deep.'],
    ),
    ['/users?select=name&or=(code=0123,or=(name=Bob))', '200 Ann|Bob'],
    ['/users?select=name&or=%28code%3D0123%2Cname%3DBob%29', '200 Ann|Bob'],
    ['/users?select=name&or=(code=0123)&or=(name=Bob)', '200 '],
    [`/users?select=name&or=(name=${encodeURIComponent('"Cy, \\"the\\" \\\\ one"')},code=x)`, '200 Cy, "the" \\ one'],
    ['/users?or=(name="Cy, "the"",code=1)', '400 BAD_REQUEST or: there has to be "," or ")" at character 13 of '],
    ['/users?or=(code=1', '400 BAD_REQUEST or: a parenthesis is not closed at character 8 of "(code=1".'],
    ['/users?or=(code=1))', '400 BAD_REQUEST or: the group has ended at character 9 of "(code=1))".'],
    ['/users?or=code=1)', '400 BAD_REQUEST or: there has to be "(" at character 1 of "code=1)".'],
    ['/users?or=()', '400 BAD_REQUEST or: a group has members at character 2 of "()".'],
    ['/users?or', '400 BAD_REQUEST or: there has to be "(" at character 1 of "".'],
  ]),
)

t.test('lists, quotes and percent-encoding', (t) =>
  hold(t, [
    ['/users?select=name&name[in]=Ann,,Bob', '200 Ann|Bob'],
    ['/users?select=name&name[in]=', '200 '],
    ['/users?select=name&name[nin]=', '200 Ann|Bob|Cy'],
    ['/users?name[in]="Ann,Bob', '422 VALIDATION_ERROR name[in]: a quote is not closed'],
    ['/users?name[in]="Ann"Bob', '422 VALIDATION_ERROR name[in]: a comma follows a quoted value'],
    ['/users?select=name&n%61me=A%6en', '200 Ann'],
    ['/users?select=name&name=%2541nn', '200 '],
    ['/users?select=name&&&name=Ann&', '200 Ann'],
    ['/users?name=%E0%A4%A', '400 BAD_REQUEST "%E0%A4%A" in the query string is no percent-encoded UTF-8.'],
    ['/users?%ff=1', '400 BAD_REQUEST "%ff" in the query string is no percent-encoded UTF-8.'],
    ['/users?name=%00', '422 VALIDATION_ERROR name: String cannot hold the character U+0000'],
    ...['name[eq', 'name]eq[', 'name[]', '[eq]', 'name[eq][eq]', ''].map(
      (name): Case => [`/users?${name}=1`, `400 UNKNOWN_PARAMETER There is no parameter "${name}".`],
    ),
  ]),
)

t.test('too much of it', (t) =>
  hold(t, [
    [`/users?name=${'x'.repeat(1_048_572)}`, '400 VALIDATION_ERROR A query string may have 1048576 bytes.'],
    [`/users?select=name&name=${'x'.repeat(1_048_550)}`, '200 '],
    [`/users?${'age[gt]=1&'.repeat(1001)}`, '400 VALIDATION_ERROR A request may have 1000 parameters.'],
    [`/users?select=${'name,'.repeat(1001)}`, '400 VALIDATION_ERROR select: at most 1000 fields may be selected.'],
    [`/users?sort=${'name,'.repeat(9)}`, '400 BAD_REQUEST sort: "name" is given twice.'],
    [
      `/users?filter=${'x'.repeat(4097)}`,
      '400 VALIDATION_ERROR filter: at most 4096 bytes may be sent (rest.max_filter_bytes).',
    ],
  ]),
)

t.test('given twice', (t) =>
  hold(t, [
    ...[
      'limit=1&limit=1',
      'select=id&select=id',
      'sort=name&sort=age',
      'filter={}&filter={}',
      'name=a&name=a',
      'isActive=true&is_active=true',
    ].map((query): Case => [`/users?${query}`, '400 BAD_REQUEST The parameter "']),
    ['/users?select=name&age[gt]=1&age[gt]=31', '200 Bob'],
    ['/users?select=name&name=Ann&name[eq]=Ann', '200 Ann'],
    ['/users?select=name&name=Ann&name[eq]=Bob', '200 '],
  ]),
)

t.test('pages that are none', (t) =>
  hold(t, [
    ...['-1', '1e1', 'NaN', '99999999999', '', '%205', '+5', '0x5', '1.0', '5;5', '%EF%BC%95', 'null'].map(
      (text): Case => [`/users?limit=${text}`, '400 BAD_USER_INPUT limit: '],
    ),
    ['/users?offset=-1', '400 BAD_USER_INPUT offset: "-1" is no number of rows, 0 to 2147483647.'],
    ['/users?offset=2147483648', '400 BAD_USER_INPUT offset: '],
    ['/users?select=name&limit=0', '200 '],
    [
      '/users?first=1',
      '400 BAD_REQUEST "first" is no parameter of users, which pages by limit and offset: use limit and offset.',
    ],
    [
      '/userPages?limit=1',
      '400 BAD_REQUEST "limit" is no parameter of userPages, which pages by cursors: use first and after.',
    ],
    ['/userPages?first=-1', '400 BAD_USER_INPUT first: '],
    ['/userPages?first=1&after=nope', '400 BAD_USER_INPUT after: this is no cursor.'],
    ['/userPages?after=%00', '400 BAD_USER_INPUT after: this is no cursor.'],
  ]),
)

t.test('values of another type', (t) =>
  hold(t, [
    ['/users?select=code&code=0123', '200 0123'],
    ['/users?select=name&code=123', '200 Bob'],
    [
      `/users?filter=${encodeURIComponent('{"code":{"eq":123}}')}`,
      '422 VALIDATION_ERROR filter.code.eq: String cannot represent a non string value: 123',
    ],
    [
      `/users?filter=${encodeURIComponent('{"age":{"eq":"31"}}')}`,
      '422 VALIDATION_ERROR filter.age.eq: Int cannot represent',
    ],
    ['/users?age=1.5', '422 VALIDATION_ERROR age: Int cannot represent non-integer value: 1.5'],
    ['/users?age=null', '422 VALIDATION_ERROR age: "null" is not a number'],
    ['/users?is_active=1', '422 VALIDATION_ERROR isActive: "1" is neither true nor false'],
    ['/users?age[is_null]=1', '422 VALIDATION_ERROR age[is_null]: "1" is neither true nor false'],
    ['/users?born=2024-02-30', '422 VALIDATION_ERROR born: '],
    ['/users?doc[contains]={', '422 VALIDATION_ERROR doc[contains]: "{" is not valid JSON'],
    ['/posts?status=NOPE', '422 VALIDATION_ERROR status: Value "NOPE" does not exist in "Status" enum.'],
    ['/posts?views=1e400', '422 VALIDATION_ERROR views: '],
    ['/posts?select=views&views=9007199254740993', '200 9007199254740993'],
  ]),
)

t.test('paths', (t) =>
  hold(t, [
    ['/users/nope', '400 BAD_USER_INPUT id: "nope" is not a UUID.'],
    [`/users/${USER(1)}%2F..%2Fposts`, `400 BAD_USER_INPUT id: "${USER(1)}/../posts" is not a UUID.`],
    ['/users/..%2f..%2fetc', '400 BAD_USER_INPUT id: "../../etc" is not a UUID.'],
    ['/users/%00', '400 BAD_USER_INPUT id: '],
    ['/users/%E0%A4%A', '404 NOT_FOUND There is nothing at '],
    [`/users%2F${USER(1)}`, '404 NOT_FOUND There is nothing at '],
    [`/users/${USER(1)}/`, '404 NOT_FOUND There is nothing at '],
    ['//users', '404 NOT_FOUND There is nothing at '],
    ['/Users', '404 NOT_FOUND There is nothing at '],
    [`/users/${USER(1).toUpperCase()}?select=name`, '200 Ann'],
    ['/posts/by-status/LIVE%2F', '400 BAD_USER_INPUT status: '],
  ]),
)

t.test('names that every object has', async (t) => {
  await hold(t, [
    ...['__proto__', 'constructor', 'toString', '__proto__[eq]', 'constructor[eq]'].map(
      (name): Case => [
        `/users?${name}=1`,
        `400 UNKNOWN_PARAMETER There is no parameter "${name.replace('[eq]', '')}".`,
      ],
    ),
    ...['__proto__', 'constructor', 'toString'].flatMap((name): readonly Case[] => [
      [`/users?name[${name}]=1`, `400 UNKNOWN_OPERATOR "name" has no operator "${name}".`],
      [`/users?select=${name}`, `400 UNKNOWN_PARAMETER There is no field of User "${name}".`],
      [`/users?sort=${name}`, `400 UNKNOWN_PARAMETER There is no sort key of User "${name}".`],
      [`/users?or=(${name}=1)`, `400 UNKNOWN_PARAMETER There is no field of User to filter by "${name}".`],
      [`/users?filter={"${name}":{"eq":1}}`, `400 UNKNOWN_PARAMETER There is no field of User to filter by "${name}".`],
      [`/users?filter={"name":{"${name}":1}}`, `400 UNKNOWN_OPERATOR "name" has no operator "${name}".`],
      [
        `/users?select=posts(id)&posts.${name}=1`,
        `400 UNKNOWN_PARAMETER There is no field of Post to filter by "posts.${name}".`,
      ],
      [`/users?select=id&${name}.limit=1`, `400 UNKNOWN_PARAMETER There is no embedded list for "${name}.limit".`],
      [`/users?select=${name}:name&limit=1`, '200 Ann'],
    ]),
  ])
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const { status, details } = await send(
      'POST',
      '/posts',
      `{"authorId":"${USER(1)}","title":"x","${name}":{"title":"y"}}`,
    )
    t.same([status, details.fields.map(({ field }: { field: string }) => field)], [422, [name]], name)
    const input = await send('POST', '/users', `{"name":"x","${name}":{"age":5}}`)
    t.same([input.status, input.details.fields.length], [422, 1], name)
  }
  t.equal(({} as Record<string, unknown>).age, undefined)
  t.equal(await sql("SELECT count(*)::int FROM tb_user WHERE name = 'x'"), 0)
})

t.test('methods', async (t) => {
  const head = await send('HEAD', '/users?nope=1')
  t.equal(head.status, 400)
  for (const [method, path, allow] of [
    ['HEAD', '/count-words', 'POST'],
    ['OPTIONS', '/users', 'GET, POST, DELETE, HEAD'],
    ['TRACE', '/users', 'GET, POST, DELETE, HEAD'],
    ['PUT', '/users', 'GET, POST, DELETE, HEAD'],
    ['POST', `/users/${USER(1)}`, 'GET, DELETE, HEAD'],
  ] as const) {
    const { status, code, headers } = await send(method, path)
    t.same([status, code, headers.allow], [405, 'METHOD_NOT_ALLOWED', allow], `${method} ${path}`)
  }
  const other = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE' }
  t.equal((await send('POST', `/posts/${POST(1)}`, '{}', other)).status, 405, 'a header is no method')
  t.same((await send('GET', `/posts/${POST(1)}?select=title`, undefined, other)).data, { title: 'Post 01' })
  t.equal((await send('GET', `/posts/${POST(1)}?_method=DELETE`)).code, 'UNKNOWN_PARAMETER')
  t.equal((await send('GET', `/posts/${POST(1)}`)).status, 200, 'it is still there')
})

t.test('bodies', async (t) => {
  const path = `/posts/${POST(1)}`
  const whole = { title: 'x', body: null, status: 'LIVE', views: '1' }
  const before = await sql(`SELECT to_jsonb(p)::text FROM tb_post p WHERE id = '${POST(1)}'`)
  const deep = '['.repeat(100_000)
  for (const [method, to, body, line, headers] of [
    ['PUT', `/posts/${USER(9)}`, JSON.stringify(whole), '404 NOT_FOUND'],
    ['PUT', path, JSON.stringify({ id: POST(2), ...whole }), '422 VALIDATION_ERROR'],
    ['PUT', path, '{}', '422 VALIDATION_ERROR'],
    ['PUT', path, '', '400 BAD_REQUEST'],
    ['PATCH', path, '', '400 BAD_REQUEST'],
    ['PATCH', path, 'null', '400 BAD_REQUEST'],
    ['PATCH', path, '[]', '400 BAD_REQUEST'],
    ['PATCH', path, '5', '400 BAD_REQUEST'],
    ['PATCH', path, '{', '400 INVALID_JSON'],
    ['PATCH', path, '\ufeff{}', '400 INVALID_JSON'],
    ['PATCH', path, Buffer.from([0x7b, 0xff, 0x7d]), '400 INVALID_JSON'],
    ['PATCH', path, deep, '400 INVALID_JSON'],
    ['PATCH', path, `{"title":${'['.repeat(599)}${']'.repeat(599)}}`, '422 VALIDATION_ERROR'],
    ['PATCH', path, `{"title":${'['.repeat(600)}${']'.repeat(600)}}`, '400 INVALID_JSON'],
    ['PATCH', path, `{"title":${'['.repeat(5000)}${']'.repeat(5000)}}`, '400 INVALID_JSON'],
    ['PATCH', path, '{"title":5}', '422 VALIDATION_ERROR'],
    ['PATCH', path, '{"title":"\\u0000"}', '422 VALIDATION_ERROR'],
    ['PATCH', path, '{"title":null}', '400 CONSTRAINT_VIOLATION'],
    ['PATCH', path, '{"status":"NOPE"}', '422 VALIDATION_ERROR'],
    ['PATCH', path, '{"views":1e400}', '422 VALIDATION_ERROR'],
    ['PATCH', path, '{}', '200'],
    ['PATCH', path, '{"title":"y"}', '400 BAD_REQUEST', { 'content-type': 'text/plain' }],
    ['PATCH', path, '{"title":"y"}', '400 BAD_REQUEST', { 'content-type': '' }],
    ['PATCH', path, '{"title":"y"}', '400 BAD_REQUEST', { 'content-type': 'application/json; charset=latin1' }],
    ['PATCH', path, '{"title":"y"}', '400 BAD_REQUEST', { 'content-type': 'application/json, text/plain' }],
    ['PUT', path, '{"title":"y"}', '400 BAD_REQUEST', { 'content-type': 'application/merge-patch+json' }],
    ['PATCH', path, '{"title":"y"}', '406 NOT_ACCEPTABLE', { accept: 'text/html' }],
    ['PATCH', '/notes/c0000000-0000-4000-8000-000000000001', '{}', '200'],
  ] as const) {
    const { status, code = '' } = await send(method, to, body as string, headers)
    t.equal(`${status} ${code}`.trim(), line, `${method} ${String(body).slice(0, 60)} ${JSON.stringify(headers ?? '')}`)
  }
  t.equal(await sql(`SELECT to_jsonb(p)::text FROM tb_post p WHERE id = '${POST(1)}'`), before, 'nothing was written')
})

t.test('all of a collection', async (t) => {
  const before = await sql('SELECT count(*)::int FROM tb_post')
  for (const query of [
    '',
    '?select=id',
    '?filter={}',
    '?title[like]=%25',
    '?title[nin]=',
    '?or=(title[like]=%25,title=x)',
    '?title[contains]=',
  ]) {
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', '{"body":"x"}'],
    ] as const) {
      const { status, message } = await send(method, `/posts${query}`, body)
      t.same(
        [status, message],
        [400, 'Without a filter that leaves rows out, every row would be meant. Say which are.'],
        `${method} ${query}`,
      )
    }
  }
  t.equal((await send('DELETE', '/users?salary[gt]=1')).status, 401, 'nor by what the caller may not see')
  t.equal(await sql('SELECT count(*)::int FROM tb_post'), before)
})

t.test('two callers of one form: what the first may see is nothing to the second', async (t) => {
  const clerk = as({ subject: 'clerk', scopes: ['read:salary'] })
  const visible = async (headers: Headers, path = `/users/${USER(1)}`) =>
    'salary' in (await send('GET', path, undefined, headers)).data
  for (let turn = 0; turn < 3; turn++) {
    t.equal(await visible(clerk), true)
    t.equal(await visible({}), false)
    t.equal(await visible(as({ subject: 'other' })), false)
  }
  const at = await Promise.all([clerk, {}, clerk, {}].map((headers) => visible(headers)))
  t.same(at, [true, false, true, false], 'at once, too')
  t.equal((await send('GET', '/users?select=salary', undefined, clerk)).status, 200)
  t.equal((await send('GET', '/users?select=salary')).status, 401)
  t.equal((await send('GET', '/users?sort=salary', undefined, clerk)).status, 200)
  t.equal((await send('GET', '/users?sort=salary')).status, 401)
  const made = async (headers: Headers) => (await send('POST', '/users', '{"name":"Both"}', headers)).data
  t.same(
    [await made(clerk), await made({}), await made(clerk)].map((row) => 'salary' in row),
    [true, false, true],
    'of writes as well',
  )
  const [one, other] = [
    await send('GET', `/users/${USER(1)}`, undefined, clerk),
    await send('GET', `/users/${USER(1)}`),
  ]
  t.not(one.headers.etag, other.headers.etag)
  t.same([one.headers['cache-control'], other.headers['cache-control']], ['private, max-age=60', 'public, max-age=60'])
})

t.test('faults of a body are reported up to a bound', async (t) => {
  const post = (body: unknown) => send('POST', '/users', JSON.stringify(body))
  const many = await post(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`value${i}`, 1])))
  t.same([many.status, many.code, many.details.fields.length], [422, 'VALIDATION_ERROR', 101])
  t.equal(many.details.fields.at(-1).reason, 'these are the first 100 that are wrong')
  t.ok(many.text.length < 20_000, `${many.text.length} characters`)
  const long = await post({ name: 'Eve', ['x'.repeat(500_000)]: 1 })
  t.same([long.status, long.details.fields[0].field], [422, `${'x'.repeat(100)}…`])
  t.ok(long.text.length < 1000)
  const rows = await post(
    Array.from({ length: 50 }, () => Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`value${i}`, 1]))),
  )
  t.ok(rows.status === 422 && rows.text.length < 20_000)
})

t.test('a deep body with a key that makes it one request is refused as it is without', async (t) => {
  const key = { 'idempotency-key': '22222222-2222-4222-8222-222222222222' }
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    for (const [levels, status] of [
      [400, 422],
      [5000, 400],
      [60_000, 400],
    ] as const) {
      const name = `${open.repeat(levels)}1${close.repeat(levels)}`
      t.equal((await send('POST', '/users', `{"name":${name}}`, key)).status, status, `${levels}`)
      t.equal((await send('POST', '/users', `[{"name":${name}}]`, key)).status, status, `${levels} in a list`)
    }
  }
})

t.test('objects in objects end before the stack does', async (t) => {
  const own = await createPostgresDatabase(t, {
    sql: 'CREATE FUNCTION fn_grow(p_input jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT p_input $$;',
  })
  const tree = await openApp(
    t,
    { kind: 'postgres', url: own },
    {
      version: '1',
      input_types: [
        {
          name: 'Tree',
          fields: [
            { name: 'child', type: 'Tree' },
            { name: 'trees', type: '[Tree!]' },
          ],
        },
      ],
      types: [],
      queries: [],
      mutations: [
        {
          name: 'grow',
          type: 'JSON',
          sql_source: 'fn_grow',
          arguments: [{ name: 'input', type: 'Tree!' }],
          rest_path: '/grow',
          rest_method: 'POST',
        },
      ],
    },
    { plugins: [restPlugin()] },
  )
  const grow = (body: string) =>
    tree.inject({ method: 'POST', url: '/rest/v1/grow', headers: { 'content-type': 'application/json' }, body })
  t.equal((await grow(`${'{"child":'.repeat(20)}{}${'}'.repeat(20)}`)).status, 200)
  for (const [open, close] of [
    ['{"child":', '}'],
    ['{"trees":[', ']}'],
  ] as const)
    for (const levels of [70, 200, 5000, 60_000]) {
      const { status, text } = await grow(`${open.repeat(levels)}{}${close.repeat(levels)}`)
      t.ok(status === 400 || status === 422, `${levels}: ${status} ${text.slice(0, 200)}`)
    }
})
