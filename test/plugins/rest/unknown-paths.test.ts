import t from 'tap'
import scopes from '../../../plugins/scopes/index.ts'
import { createPglite } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { as, type TestCaller, testCredential } from '../../helpers/test-credential.ts'
import { extendSchema } from '../../schemas/extend-schema.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { restPlugin } from './world.ts'

/** A path that is not there is 404 with the nearest one, of those that the caller may know of. */

const SQL = ['artists', 'secret_plans', 'secrets']
  .map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY);`)
  .join('\n')
const table = (name: string, sql_source: string, rights: object) =>
  tableSchema(
    { name, sql_source, fields: { id: 'ID!' } },
    { queries: [{ name: sql_source, type: `[${name}!]!`, sql_source, ...rights }] },
  )
const SCHEMA = extendSchema(
  table('Artist', 'artists', { public: true }),
  table('Plan', 'secret_plans', { requires_scope: 'read:plans' }),
  table('Secret', 'secrets', { requires_scope: 'read:secrets' }),
)

const database = { kind: 'pglite', url: await createPglite(t, { sql: SQL }) } as const
const OTHERS = [testCredential(), entry(scopes as never, {})]

t.test('the nearest path that the caller may know of', async (t) => {
  const app = await openApp(t, database, SCHEMA, { plugins: [restPlugin(), ...OTHERS] })
  const ask = async (path: string, caller: TestCaller | null = null, method = 'GET') => {
    const headers = caller === null ? {} : as(caller)
    const { status, text } = await app.inject({ method, url: path, headers })
    const { error } = JSON.parse(text)
    t.same([status, error.code, error.details], [404, 'NOT_FOUND', {}], `${method} ${path}`)
    return error.message.replace(`There is nothing at ${path}.`, '').trim()
  }
  const artists = 'Did you mean "/rest/v1/artists"?'
  for (const path of ['artist', 'Artists', 'artits', 'artist/7', 'artist/7/albums']) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      t.equal(await ask(`/rest/v1/${path}`, null, method), artists, `${method} ${path}`)
    }
  }
  t.equal(await ask('/rest/v1/something-else-altogether'), '', 'nothing is near')
  t.equal(await ask('/rest/v1/artists/7/albums'), '', 'the resource is spelt right')
  t.equal(await ask(`/rest/v1/${'artist'.repeat(200)}`), '', 'too long for a mistake')
  t.equal(await ask('/rest/v2/artist'), '', 'another place')
  const secret = '/rest/v1/secret'
  t.equal(await ask(secret), '', 'hidden from a caller without a credential')
  t.equal(await ask(secret, { subject: 'ann', scopes: ['read:plan'] }), '', 'and without the scope')
  t.equal(await ask(secret, { subject: 'ann', scopes: ['read:secrets'] }), 'Did you mean "/rest/v1/secrets"?')
  const plans = { subject: 'ann', scopes: ['read:plans'] }
  t.equal(await ask('/rest/v1/secret_plan', plans), 'Did you mean "/rest/v1/secretPlans"?')
  t.equal((await app.inject({ method: 'DELETE', url: '/rest/v1/artists' })).status, 405, 'another method is as it was')
})

t.test('no hint without a credential where every route wants one', async (t) => {
  const app = await openApp(t, database, SCHEMA, { plugins: [restPlugin({ require_auth: true }), ...OTHERS] })
  const ask = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/rest/v1/artist', headers })).json<{ error: { message: string } }>().error.message
  t.equal(await ask({}), 'There is nothing at /rest/v1/artist.')
  t.equal(await ask(as({ subject: 'ann' })), 'There is nothing at /rest/v1/artist. Did you mean "/rest/v1/artists"?')
})
