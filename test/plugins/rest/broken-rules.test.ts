import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { REST_SCHEMA, REST_SQL, restPlugin } from './world.ts'

/** Rules of the schema over REST: each row, each field, at once, and in the places of the body. */
const RULES: Readonly<Record<string, unknown>> = {
  'NewUser.name': { min_length: 2 },
  'NewUser.email': { pattern: '@example\\.org$' },
  'PostInput.title': { max_length: 5 },
  'PostInput.views': { minimum: 1 },
}
const SCHEMA = {
  ...REST_SCHEMA,
  input_types: (REST_SCHEMA.input_types ?? []).map((input) => ({
    ...input,
    ...(input.name === 'NewUser' ? { validate: { any_of: ['email', 'age'] } } : {}),
    fields: input.fields.map((field) => {
      const validate = RULES[`${input.name}.${field.name}`]
      return validate === undefined ? field : { ...field, validate }
    }),
  })),
  queries: (REST_SCHEMA.queries ?? []).map((query) => {
    const values = ({ first_post: ['Post 01'], live_posts: ['LIVE'] } as Record<string, string[]>)[query.name]
    if (values === undefined) return query
    return { ...query, arguments: query.arguments?.map((argument) => ({ ...argument, validate: { enum: values } })) }
  }),
  mutations: (REST_SCHEMA.mutations ?? []).map((mutation) =>
    mutation.name === 'create_post'
      ? {
          ...mutation,
          arguments: mutation.arguments?.map((argument) =>
            argument.name === 'title' ? { ...argument, validate: { pattern: '^[A-Z]' } } : argument,
          ),
        }
      : mutation,
  ),
} as AuthoredSchema

// proves: rules.shape
t.test('violations of rules are reported row by row, with their location in the body', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: REST_SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { plugins: [restPlugin()] })
  const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await app.inject({ method, url: `/rest/v1${path}`, headers, body })
    // biome-ignore lint/suspicious/noExplicitAny: an error of any shape, looked at by assertions
    return { status: answer.status, error: answer.json<{ error: any }>().error }
  }
  const count = async () =>
    (await runOnServer(new URL(url).pathname.slice(1), 'SELECT count(*)::int AS n FROM tb_user'))[0]?.n
  const users = await count()

  const name = { field: 'name', reason: 'Length at least 2', path: ['name'], context: { rule: 'length', min: 2 } }
  const email = {
    field: 'email',
    reason: 'Must match pattern',
    path: ['email'],
    context: { rule: 'pattern', pattern: '@example\\.org$' },
  }
  await t.test('one row', async (t) => {
    t.strictSame(await send('POST', '/users', { name: 'A', email: 'a@b.org' }), {
      status: 422,
      error: {
        code: 'VALIDATION_ERROR',
        message: 'name: Length at least 2; email: Must match pattern',
        details: { fields: [name, email] },
      },
    })
    t.match(await send('POST', '/users', { name: 'Ann' }), {
      error: {
        message: 'input: At least one of [email, age] must be provided',
        details: { fields: [{ field: 'input', path: [], context: { rule: 'any_of', fields: ['email', 'age'] } }] },
      },
    })
  })

  await t.test('a list of rows', async (t) => {
    const rows = [
      { name: 'Ann', email: 'a@example.org' },
      { name: 'B', email: 'b@example.org' },
      { name: 'Cid', age: 1 },
      { name: 'D', email: 'd@b.org' },
    ]
    const fields = [
      { index: 1, ...name, path: [1, 'name'] },
      { index: 3, ...name, path: [3, 'name'] },
      { index: 3, ...email, path: [3, 'email'] },
    ]
    const message = '[1].name: Length at least 2; [3].name: Length at least 2; [3].email: Must match pattern'
    const told = { status: 422, error: { code: 'VALIDATION_ERROR', message, details: { index: 1, fields } } }
    t.strictSame(await send('POST', '/users', rows), told)
    t.strictSame(await send('POST', '/users/bulk', rows), told)
    t.strictSame(await send('POST', '/users', rows, { prefer: 'resolution=merge-duplicates' }), told)
    t.strictSame(await send('POST', '/users', rows, { prefer: 'tx=rollback' }), told)
    t.match(await send('POST', '/users', [rows[0], { name: 'Ann' }]), {
      status: 422,
      error: { details: { index: 1, fields: [{ index: 1, field: 'input', path: [1] }] } },
    })
    const plain = await send('POST', '/posts', [
      { authorId: crypto.randomUUID(), title: 'Up' },
      { authorId: crypto.randomUUID(), title: 'down' },
    ])
    t.match(plain, { status: 422, error: { details: { index: 1, fields: [{ field: 'title', path: [1, 'title'] }] } } })
  })

  await t.test('the key of a write that breaks a rule may be used for the corrected write', async (t) => {
    const key = { 'idempotency-key': crypto.randomUUID() }
    t.match(await send('POST', '/users', { name: 'A', age: 1 }, key), {
      status: 422,
      error: { code: 'VALIDATION_ERROR' },
    })
    t.match(await send('POST', '/users', [{ name: 'A', age: 1 }], key), {
      status: 422,
      error: { code: 'VALIDATION_ERROR' },
    })
    t.equal((await send('POST', '/users', { name: 'Ann', age: 1 }, key)).status, 201)
    await runOnServer(new URL(url).pathname.slice(1), "DELETE FROM tb_user WHERE name = 'Ann' AND age = 1")
  })

  await t.test('values that are none, of all rows', async (t) => {
    const { status, error } = await send('POST', '/users', [{ name: 5 }, { name: 'Ann' }, { nme: 'x' }])
    t.equal(status, 422)
    t.match(error, {
      details: {
        index: 0,
        fields: [
          { index: 0, field: 'name' },
          { index: 2, field: 'nme' },
          { index: 2, field: 'name', reason: 'it is required' },
        ],
      },
    })
    const many = Array.from({ length: 20 }, () => Object.fromEntries(Array.from('abcdefghij', (key) => [key, 1])))
    const { error: cut } = await send('POST', '/users', many)
    t.equal(cut.details.fields.length, 100)
  })

  await t.test('rows that match, and one', async (t) => {
    const wrong = [
      { field: 'title', reason: 'Length at most 5', path: ['title'] },
      { field: 'views', reason: 'Value at least 1', path: ['views'] },
    ]
    const body = { title: 'too long', views: 0 }
    const many = await send('PATCH', '/posts?status=LIVE', body)
    t.match(many, { status: 422, error: { details: { fields: wrong } } })
    t.equal(many.error.details.fields.length, 2, 'once, however many rows there are')
    t.match(await send('PATCH', '/posts/b0000000-0000-4000-8000-000000000001', body), {
      status: 422,
      error: { details: { fields: wrong } },
    })
  })

  await t.test('arguments of queries', async (t) => {
    t.match(await send('GET', '/posts/by-status/GONE'), {
      status: 422,
      error: { details: { fields: [{ field: 'status', path: ['status'], context: { rule: 'enum' } }] } },
    })
    t.match(await send('GET', '/first-post?title=x'), {
      status: 422,
      error: { message: 'title: Must be one of: Post 01', details: { fields: [{ field: 'title' }] } },
    })
  })
  t.equal(await count(), users, 'nothing of it was written')
})
