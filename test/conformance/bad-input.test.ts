import t from 'tap'
import { createPostgresDatabase, createSqlite, runOnServer } from '../helpers/databases.ts'
import { type GraphQLBody, openApp, type TestApp } from '../helpers/open-app.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { SQLITE_WORLD } from './sqlite-world.ts'
import { WORLD, WORLD_SQL } from './world.ts'

/** Invalid requests and the exact answer to each, against the real service, which keeps serving (docs/reference/errors.md). */
t.setTimeout(180_000)

const SHELF = '00000000-0000-4000-8000-000000000001'
const NEW_TYPE = 'application/graphql-response+json'
const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

interface Case {
  readonly query: string
  readonly variables?: object
  readonly code: string
  readonly status: number
  readonly message: string
  /** What stands in `extensions` beside code and status. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Path of the error; given = the operation ran, and `data` is in the answer. */
  readonly path?: readonly (string | number)[]
  readonly data?: unknown
}

const document = (query: string, message: string, code = 'GRAPHQL_VALIDATION_FAILED'): Case => ({
  query,
  code,
  status: 400,
  message,
})
const variable = (query: string, variables: object, message: string, path: readonly (string | number)[]): Case => ({
  query,
  variables,
  code: 'BAD_USER_INPUT',
  status: 400,
  message,
  facts: { path },
})
const argument = (query: string, argument: string, message: string, rest: Partial<Case> = {}): Case => ({
  query,
  code: 'BAD_USER_INPUT',
  status: 400,
  message,
  facts: { argument },
  path: ['books'],
  data: null,
  ...rest,
})
const raised = (how: string, code: string, status: number, message: string, facts = {}): Case => ({
  query: `mutation { raise(how: "${how}") }`,
  code,
  status,
  message,
  facts,
  path: ['raise'],
  data: { raise: null },
})

const IS_NULL = 'Argument "where.title._eq" of "books": null is no operand of _eq. Use _is_null to look for nulls.'
const TOO_MANY = { code: 'VALIDATION_ERROR' }

const CASES: Readonly<Record<string, Case>> = {
  'an empty document': document('', 'Syntax Error: Unexpected <EOF>.', 'PARSE_ERROR'),
  'a document that ends early': document(
    '{ books { title }',
    'Syntax Error: Expected Name, found <EOF>.',
    'PARSE_ERROR',
  ),
  'an unknown root field': document(
    '{ bookz { title } }',
    'Cannot query field "bookz" on type "Query". Did you mean "books"?',
  ),
  'an unknown field': document(
    '{ books { titel } }',
    'Cannot query field "titel" on type "Book". Did you mean "title"?',
  ),
  'an unknown argument': document(
    '{ books(limits: 1) { title } }',
    'Unknown argument "limits" on field "Query.books". Did you mean "limit"?',
  ),
  'a variable that the operation does not define': document(
    '{ books(limit: $n) { title } }',
    'Variable "$n" is not defined.',
  ),
  'an unknown variable, with one that is near': variable(
    'query ($limit: Int) { books(limit: $limit) { title } }',
    { limt: 1 },
    'Variable "$limt" is not declared by the document. Did you mean "limit"? It declares: $limit.',
    ['limt'],
  ),
  'an unknown variable': variable(
    '{ books(limit: 1) { title } }',
    { limit: 1 },
    'Variable "$limit" is not declared by the document. It declares none.',
    ['limit'],
  ),
  'a variable that is missing': variable(
    'query ($id: ID!) { book(id: $id) { title } }',
    {},
    'Variable "$id" of required type "ID!" was not provided.',
    ['id'],
  ),
  'a literal of the wrong type': document(
    '{ books(limit: "x") { title } }',
    'Int cannot represent non-integer value: "x"',
  ),
  'a variable of the wrong type': variable(
    'query ($n: Int) { books(limit: $n) { title } }',
    { n: 'x' },
    'Variable "$n" got invalid value "x"; Int cannot represent non-integer value: "x"',
    ['n'],
  ),
  'an id that cannot be one of the column': argument(
    '{ book(id: "x") { title } }',
    'id',
    'Argument "id" of "book": "x" is not a UUID.',
    { path: ['book'], data: { book: null } },
  ),
  'an unknown filter key': document(
    '{ books(where: { titel: { _eq: "x" } }) { title } }',
    'Field "titel" is not defined by type "BookWhereInput". Did you mean "title"?',
  ),
  'an unknown filter key in a variable': variable(
    'query ($w: BookWhereInput) { books(where: $w) { title } }',
    { w: { titel: { _eq: 'x' } } },
    'Variable "$w" got invalid value {"titel":{"_eq":"x"}}; Field "titel" is not defined by type "BookWhereInput". Did you mean "title"?',
    ['w'],
  ),
  'an unknown operator': document(
    '{ books(where: { title: { _equ: "x" } }) { title } }',
    'Field "_equ" is not defined by type "StringFilter". Did you mean "_eq" or "_neq"?',
  ),
  'a null operand': argument('{ books(where: { title: { _eq: null } }) { title } }', 'where.title._eq', IS_NULL),
  'a null operand in a variable': argument(
    'query ($v: String) { books(where: { title: { _eq: $v } }) { title } }',
    'where.title._eq',
    IS_NULL,
    { variables: { v: null } },
  ),
  'a character that no text of the database can hold': document(
    '{ books(where: { title: { _eq: "\\u0000" } }) { title } }',
    'String cannot hold the character U+0000',
  ),
  'a regular expression that refers back': argument(
    '{ books(where: { title: { _iregex: "^(a*)(a*)\\\\1\\\\2$" } }) { title } }',
    'where.title._iregex',
    'Argument "where.title._iregex" of "books": the regular expression refers back to a group, such as (a)\\1, which can take exponential time; write the text out.',
  ),
  'a regular expression that is large once it is written out': argument(
    '{ books(where: { title: { _nregex: "(?:x?){250}(?:x?){250}" } }) { title } }',
    'where.title._nregex',
    'Argument "where.title._nregex" of "books": the regular expression is too large once its repetitions are written out, such as (a?){250}; use smaller bounds.',
  ),
  'two keys in one element of orderBy': document(
    '{ books(orderBy: [{ title: ASC, pages: ASC }]) { title } }',
    'OneOf Input Object "BookOrderByInput" must specify exactly one key.',
  ),
  'two keys in one element of orderBy in a variable': variable(
    'query ($o: [BookOrderByInput!]) { books(orderBy: $o) { title } }',
    { o: [{ title: 'ASC', pages: 'ASC' }] },
    'Variable "$o" got invalid value {"title":"ASC","pages":"ASC"} at "o[0]"; Exactly one key must be specified for OneOf type "BookOrderByInput".',
    ['o', 0],
  ),
  'a negative limit': argument(
    '{ books(limit: -1) { title } }',
    'limit',
    'Argument "limit" of "books": -1 is negative.',
  ),
  'a negative limit in a variable': argument(
    'query ($n: Int) { books(limit: $n) { title } }',
    'limit',
    'Argument "limit" of "books": -1 is negative.',
    { variables: { n: -1 } },
  ),
  'a negative offset': argument(
    '{ books(offset: -1) { title } }',
    'offset',
    'Argument "offset" of "books": -1 is negative.',
  ),
  'a limit above max_rows': argument(
    '{ books(limit: 3) { title } }',
    'limit',
    'Argument "limit" of "books": 3 is more than the 2 rows that a list may have.',
    TOO_MANY,
  ),
  'a limit above max_rows in a variable': argument(
    'query ($n: Int) { books(limit: $n) { title } }',
    'limit',
    'Argument "limit" of "books": 3 is more than the 2 rows that a list may have.',
    { ...TOO_MANY, variables: { n: 3 } },
  ),
  'a nested limit above max_rows': argument(
    '{ shelves(limit: 1) { books(limit: 3) { title } } }',
    'limit',
    'Argument "limit" of "shelves.books": 3 is more than the 2 rows that a list may have.',
    { ...TOO_MANY, path: ['shelves'] },
  ),
  'a page above max_rows': argument(
    '{ bookPages(first: 3) { totalCount } }',
    'first',
    'Argument "first" of "bookPages": 3 is more than the 2 rows that a list may have.',
    { ...TOO_MANY, path: ['bookPages'] },
  ),
  'a list beyond max_rows': {
    ...argument('{ books { title } }', '', '"books" has more rows than a list may have. Pass a limit.', TOO_MANY),
    facts: { list: 'books' },
  },
  'a nested list beyond max_rows': {
    ...argument(
      '{ authors(limit: 1) { posts { title } } }',
      '',
      '"authors.posts" has more rows than a list may have. Pass a limit.',
      TOO_MANY,
    ),
    facts: { list: 'authors.posts' },
    path: ['authors'],
  },
  'a cursor that is none': argument(
    '{ bookPages(first: 1, after: "x") { edges { cursor } } }',
    'after',
    'Argument "after" of "bookPages": this is no cursor.',
    { path: ['bookPages'] },
  ),
  'a cursor that is none in a variable': argument(
    'query ($c: String) { bookPages(first: 1, after: $c) { edges { cursor } } }',
    'after',
    'Argument "after" of "bookPages": this is no cursor.',
    { path: ['bookPages'], variables: { c: 'x' } },
  ),
  '10,000 aliases': document(
    `{ ${repeat(10_000, (i) => `a${i}: __typename`)} }`,
    'The document has more than 10000 tokens; svc.max_document_tokens sets the bound.',
    'PARSE_ERROR',
  ),
  'a fragment cycle': document(
    '{ books(limit: 1) { ...A } } fragment A on Book { shelf { ...B } } fragment B on Shelf { books { ...A } }',
    'Cannot spread fragment "A" within itself via "B".',
  ),
  'a selection that is nested too deeply': document(
    `{ books { ${repeat(60, () => 'shelf { books {')} title ${repeat(60, () => '} }')} } }`,
    'The operation is nested deeper than 100 levels.',
    'VALIDATION_ERROR',
  ),
  'a filter that is nested too deeply': argument(
    `{ books(where: ${repeat(70, () => '{ _not:')} {} ${repeat(70, () => '}')}) { title } }`,
    `where${'._not'.repeat(67)}`,
    `Argument "where${'._not'.repeat(67)}" of "books": a filter may be nested 66 levels deep.`,
    TOO_MANY,
  ),
  'a function that raises with a code': raised('own', 'OUT_OF_STOCK', 422, 'sold out', { detail: 'shelf 4' }),
  'a function that raises with a code of ours': raised('hint', 'NOT_FOUND', 404, 'no such thing'),
  'a function that raises without a code': raised('plain', 'INVALID_INPUT', 422, 'not today'),
  'a function that raises with a hint that is no code': raised('advice', 'INVALID_INPUT', 422, 'bad', {
    hint: 'try again later',
  }),
  'a function that breaks a unique constraint': raised(
    'unique',
    'CONFLICT',
    409,
    'There is already a row with the same value of "name" (constraint "tb_author_name_key").',
    { constraint: 'tb_author_name_key', column: 'name' },
  ),
  'a non-null mutation that fails': {
    ...raised('plain', 'INVALID_INPUT', 422, 'not today'),
    query: 'mutation { mustRaise(how: "plain") }',
    path: ['mustRaise'],
    data: null,
  },
}

interface Opened extends TestApp {
  readonly url: string
}

const { 'a function that raises with a hint that is no code': _, ...SHARED } = CASES

/** A script raises a code and a message, and a constraint has no name. */
const SQLITE_CASES: typeof CASES = {
  ...SHARED,
  'a function that raises with a code': raised('own', 'OUT_OF_STOCK', 422, 'sold out'),
  'a function that breaks a unique constraint': raised(
    'unique',
    'CONFLICT',
    409,
    'There is already a row with the same value of "name".',
    { column: 'name' },
  ),
}
const SQLITE_POSTS = ['1', '2', '3']
  .map(
    (n) =>
      `INSERT INTO tb_post (fk_author, title, price) SELECT pk_author, 'post ${n}', '1.00' FROM tb_author WHERE name = 'Ann';`,
  )
  .join('')

const OPTIONS = { svc: { max_rows: 2 } }
const POSTS = `SELECT insert_post('${SHELF}', 'post ' || n) FROM generate_series(1, 3) n;`

t.test('bad input', async (t) => {
  await t.test('postgres', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t, { sql: `${WORLD_SQL}${POSTS}` })
    const name = new URL(url).pathname.slice(1)
    const app = await openApp(t, { kind: 'postgres', url }, WORLD, OPTIONS)
    await suite(t, { ...app, url: await app.listen() }, CASES, (sql) => runOnServer(name, sql))
  })
  await t.test('sqlite', async (t) => {
    const database = await createSqlite(t, { ...SQLITE_WORLD, sql: `${SQLITE_WORLD.sql}${SQLITE_POSTS}` })
    const app = await openApp(t, database, WORLD, OPTIONS)
    await suite(t, { ...app, url: await app.listen() }, SQLITE_CASES, (sql) => app.database.script(sql))
  })
})

async function suite(
  t: TestLike,
  app: Opened,
  cases: Readonly<Record<string, Case>>,
  change: (sql: string) => Promise<unknown>,
): Promise<void> {
  const serves = async (t: TestLike) =>
    t.strictSame(
      (await app.graphql(`{ shelf(id: "${SHELF}") { label } }`)).data,
      { shelf: { label: 'Shelf 1' } },
      'the process keeps serving',
    )

  for (const [name, expected] of Object.entries(cases)) {
    await t.test(name, async (t) => {
      const { query, variables, code, status, message, facts = {}, path, data } = expected
      for (const accept of ['application/json', NEW_TYPE]) {
        const { headers: _, status: answered, ...body } = await app.graphql(query, variables, { accept })
        const found = body.errors?.[0]
        t.strictSame(
          { ...body, errors: body.errors?.map(({ locations: _, ...error }) => error) },
          {
            errors: [
              { message, ...(path === undefined ? {} : { path }), extensions: { ...facts, code, statusCode: status } },
            ],
            ...(path === undefined ? {} : { data }),
          },
        )
        if (path !== undefined) t.match(found?.locations, [{ line: 1, column: Number }], 'the place in the document')
        t.equal(answered, accept === NEW_TYPE && path === undefined ? status : 200, `${accept}: status`)
      }
      await serves(t)
    })
  }
  t.strictSame(
    app.signals.filter(({ type }) => type === 'request-failed'),
    [],
    'what a client did wrong is no failure of the service',
  )

  await t.test('invalid GraphQL requests over a socket', async (t) => {
    const json = { 'content-type': 'application/json' }
    const MAX = 1_048_576
    const requests: Readonly<Record<string, [RequestInit, number, string, string, object?]>> = {
      'malformed JSON': [
        { body: '{"query": "{ __typename }" "x"}', headers: json },
        400,
        'REQUEST_ERROR',
        // What follows is V8's, and differs between its versions.
        'The body is not valid JSON: ',
      ],
      'a body that is no object': [
        { body: '"{ __typename }"', headers: json },
        400,
        'REQUEST_ERROR',
        'The body must be a JSON object with "query".',
      ],
      'a misspelt request field': [
        { body: '{"query":"{ __typename }","variable":{}}', headers: json },
        400,
        'REQUEST_ERROR',
        'Unknown field "variable" in the request. Did you mean "variables"? Fields: query, variables, operationName, extensions.',
      ],
      'a wrong content type': [
        { body: '{"query":"{ __typename }"}', headers: { 'content-type': 'text/plain' } },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        'The body must be application/json in UTF-8, not "text/plain".',
      ],
      'a huge body': [
        { body: `{"query":"${'x'.repeat(MAX)}"}`, headers: json },
        413,
        'PAYLOAD_TOO_LARGE',
        `The request body is larger than ${MAX} bytes (server.max_body_bytes).`,
        { limit: MAX },
      ],
      'a huge body of unknown length': [
        { body: chunks(2 * MAX), headers: json, duplex: 'half' } as RequestInit,
        413,
        'PAYLOAD_TOO_LARGE',
        `The request body is larger than ${MAX} bytes (server.max_body_bytes).`,
        { limit: MAX },
      ],
      'several operations and no name': [
        { body: '{"query":"query A { __typename } query B { __typename }"}', headers: json },
        400,
        'REQUEST_ERROR',
        'The document has several operations: operationName must say which. Its operations: A, B.',
      ],
    }
    for (const [name, [init, status, code, message, facts = {}]] of Object.entries(requests)) {
      const reply = await fetch(`${app.url}/graphql`, { method: 'POST', ...init })
      t.equal(reply.status, status, name)
      t.match(reply.headers.get('x-request-id'), /^[\w-]{8,}$/, `${name}: an id to ask about`)
      const { errors } = (await reply.json()) as GraphQLBody
      t.ok(errors?.[0]?.message.startsWith(message), `${name}: ${errors?.[0]?.message}`)
      t.strictSame(errors?.[0]?.extensions, { ...facts, code, statusCode: status }, name)
      t.equal(errors?.length, 1)
      await serves(t)
    }
  })

  await t.test('a view that was dropped, or lost a column, since the compile', async (t) => {
    await app.graphql('{ passing(limit: 1) { label } altered(limit: 1) { label } }')
    await change('DROP VIEW v_passing; DROP VIEW v_altered; CREATE VIEW v_altered AS SELECT id, note FROM tb_shelf')
    for (const source of ['passing', 'altered']) {
      const { status, data, errors } = await app.graphql(`{ ${source}(limit: 1) { label } }`)
      t.equal(status, 200)
      t.equal(data, null, 'the list is non-null')
      t.match(errors, [
        {
          message: `"v_${source}" has changed in the database since the schema was compiled; compile the schema again.`,
          path: [source],
          extensions: { code: 'DATABASE_ERROR', statusCode: 500, errorId: /^[0-9a-f-]{36}$/ },
        },
      ])
      t.notMatch(JSON.stringify(errors), /SELECT|relation|does not exist/i, 'no SQL, no words of the database')
      const failed = app.signals.findLast(({ type }) => type === 'request-failed')
      t.match(failed, { code: 'DATABASE_ERROR', errorId: errors?.[0]?.extensions.errorId }, 'the log has the cause')
      await serves(t)
    }
    await change(
      'DROP VIEW v_altered; CREATE VIEW v_passing AS SELECT id, label FROM tb_shelf; CREATE VIEW v_altered AS SELECT id, label FROM tb_shelf',
    )
    t.match(await app.graphql('{ passing(limit: 1) { label } altered(limit: 1) { label } }'), {
      data: { passing: [{ label: 'Shelf 1' }], altered: [{ label: 'Shelf 1' }] },
    })
  })
}

/** A body in chunks, whose length nobody declares. */
function chunks(bytes: number): ReadableStream {
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536).fill(120))
      left -= 65_536
      if (left <= 0) controller.close()
    },
  })
}
