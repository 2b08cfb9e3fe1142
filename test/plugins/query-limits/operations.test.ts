import t from 'tap'
import queryLimits from '../../../plugins/query-limits/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService } from '../../helpers/services.ts'
import { POST, REST_SCHEMA, REST_SQL, restPlugin, USER } from '../rest/world.ts'

/** Operations that are no documents: REST is held to the same limits, before the database is asked. */
if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: REST_SQL })
  const limits = {
    max_query_depth: 3,
    max_query_complexity: 15,
    max_query_aliases: 30,
    max_query_root_fields: 2,
    max_query_directives: 50,
    scalar_weight: 1,
    object_weight: 1,
    list_weight: 5,
  }
  const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, {
    plugins: [
      restPlugin({ max_embedding_depth: 9 }),
      { plugin: queryLimits as never, options: limits as never, source: 'test' },
    ],
  })
  const get = async (path: string) => {
    const reply = await app.inject({ url: `/rest/v1${path}` })
    // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
    return { status: reply.status, body: reply.json() as any }
  }

  // proves: validation.max_query_depth
  t.test('depth of what is embedded', async (t) => {
    t.equal((await get('/posts?select=title,author(name)&limit=1')).status, 200)
    const { status, body } = await get('/posts?select=title,author(posts(title))&limit=1')
    t.equal(status, 400)
    t.match(body.error, {
      code: 'VALIDATION_ERROR',
      message: 'What is selected of "posts" is nested deeper than 3 levels (validation.max_query_depth).',
      details: { limit: 3, setting: 'validation.max_query_depth' },
    })
    t.equal((await get(`/users/${USER(1)}?select=posts(author(name))`)).status, 400, 'of one row, too')
  })

  // proves: validation.max_query_complexity
  t.test('complexity of the selection; implicit fields are free', async (t) => {
    t.equal((await get('/posts?select=id,title,author(id,name)&limit=1')).status, 200, '5 + 2 + 1 + 2')
    const many = await get('/users?select=id,name,code,posts(id,title)&limit=1')
    t.equal(many.status, 200, '5 + 3 + 5 + 2')
    const { status, body } = await get('/users?select=id,name,code,email,posts(id,title)&limit=1')
    t.equal(status, 400, 'one more')
    t.match(body.error, {
      code: 'VALIDATION_ERROR',
      details: { limit: 15, setting: 'validation.max_query_complexity' },
    })
    const whole = await get('/users?limit=1')
    t.equal(whole.status, 200)
    t.ok(Object.keys(whole.body.data[0]).length > 9)
  })

  t.test('many rows in one request are many roots, each of which is measured by itself', async (t) => {
    const reply = await app.inject({
      method: 'PATCH',
      url: `/rest/v1/posts/${POST(1)}?select=title,author(posts(title))`,
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: { title: 'changed' },
    })
    t.equal(reply.status, 400)
    t.match(reply.json(), { error: { details: { setting: 'validation.max_query_depth' } } })
    t.not((await get(`/posts/${POST(1)}?select=title`)).body.data.title, 'changed', 'nothing is written')
  })

  t.test('a document is not measured twice to another end', async (t) => {
    const { data, errors } = await app.graphql('{ posts(limit: 1) { id title author { id name } } }')
    t.equal(errors, undefined)
    t.ok(data.posts[0].author)
    t.match((await app.graphql('{ posts { author { posts { title } } } }')).errors, [
      { extensions: { code: 'VALIDATION_ERROR', setting: 'validation.max_query_depth' } },
    ])
  })
}
