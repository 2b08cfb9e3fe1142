import t from 'tap'
import { type BareApp, createBareDatabase } from '../../../helpers/bare-app.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'
import { openBareShop } from '../../../plugins/graphql/open-bare-shop.ts'

/** A credential that everybody has who sends it. */
const known = entry(
  plugin('token', (scope) =>
    scope.on('authenticate', ({ headers }) => {
      if (headers.authorization === undefined) return undefined
      return { subject: 'ann', claims: {}, scopes: [], roles: [], method: 'token' }
    }),
  ),
)
/** A hook of authorize that has nothing against anybody. */
const lenient = entry(plugin('lenient', (scope) => scope.on('authorize', async () => {})))

const ask = async (
  app: BareApp,
  headers: Record<string, string> = {},
  accept = 'application/graphql-response+json',
) => {
  const reply = await app.inject({
    url: '/graphql',
    headers: { accept, ...headers },
    body: { query: '{ users { id } }' },
  })
  const [error] = reply.json<{ errors?: { extensions: { code: string } }[] }>().errors ?? []
  return { status: reply.status, code: error?.extensions.code, challenge: reply.headers['www-authenticate'] }
}

for (const [name, plugins] of [
  ['nobody hooks authorize', [known]],
  ['somebody hooks authorize', [known, lenient]],
] as const) {
  t.test(`${name}: what nothing opens is for the authenticated`, async (t) => {
    const database = createBareDatabase()
    const app = await openBareShop(t, plugins, { database })
    t.strictSame(await ask(app), { status: 401, code: 'UNAUTHENTICATED', challenge: 'Bearer' })
    t.equal(database.asked.length, 0, 'the database is not asked')
    t.match(await ask(app, { authorization: 'x' }), { status: 200, code: undefined })
    t.ok(database.asked.length > 0)
  })
}

t.test('the policy "public" opens it', async (t) => {
  const database = createBareDatabase()
  const app = await openBareShop(t, [], { database, defaultPolicy: 'public' })
  t.match(await ask(app), { status: 200, code: undefined })
  t.ok(database.asked.length > 0)
})

t.test('without an authenticator the default policy refuses every caller', async (t) => {
  const database = createBareDatabase()
  const app = await openBareShop(t, [], { database })
  t.match(await ask(app, { authorization: 'x' }), { status: 401, code: 'UNAUTHENTICATED' })
  t.equal(database.asked.length, 0)
})
