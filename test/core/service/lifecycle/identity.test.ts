import t from 'tap'
import type { Auth, Exchange } from '../../../../core/contract/exchange.ts'
import { isAnonymousWork } from '../../../../core/service/lifecycle/anonymous-work.ts'
import { createIdentity } from '../../../../core/service/lifecycle/identity.ts'

const auth = (subject: string): Auth => ({ subject, claims: {}, scopes: [], roles: [], method: 'test' })
const exchange = (headers: Record<string, string> = {}) => ({ headers, auth: null }) as unknown as Exchange

t.test('an anonymous route does not authenticate', (t) => {
  const identity = createIdentity(() => auth('ann'), isAnonymousWork)
  const at = (route: object | null, transport = 'http') =>
    identity.identify({ transport, route, headers: {}, auth: null } as unknown as Exchange)
  t.equal(at({ method: 'GET', path: '/open', anonymous: true }), null)
  t.match(at({ method: 'POST', path: '/open' }), { subject: 'ann' })
  t.match(at({ method: 'POST', path: '/open', anonymous: false }), { subject: 'ann' })
  t.match(at(null), { subject: 'ann' })
  t.match(at({ method: 'GET', path: '/open', anonymous: true }, 'websocket'), { subject: 'ann' })
  t.end()
})

for (const isLate of [false, true]) {
  t.test(isLate ? 'verified with a promise' : 'verified at once', async (t) => {
    let verified = 0
    const verify = (ctx: Exchange) => {
      verified++
      const token = ctx.headers.authorization as string | undefined
      if (token === 'bad') throw new Error('bad')
      return token === undefined ? undefined : auth(token)
    }
    const identity = createIdentity(isLate ? async (ctx) => verify(ctx) : verify)

    const ctx = exchange({ authorization: 'ann' })
    t.match(await identity.identify(ctx), { subject: 'ann' })
    t.match(await identity.identify(ctx), { subject: 'ann' })
    t.match(await identity.authenticate?.(ctx), { subject: 'ann' })
    t.equal(verified, 1, 'once')
    t.equal(ctx.auth, null, 'who asks early changes nothing')

    Object.assign(ctx.headers, { authorization: 'bob' })
    t.match(await identity.authenticate?.(ctx), { subject: 'bob' }, 'other headers, another credential')
    Reflect.deleteProperty(ctx.headers, 'authorization')
    t.equal(await identity.identify(ctx), null)
    t.equal(await identity.authenticate?.(ctx), undefined)
    t.equal(verified, 3)

    const bad = exchange({ authorization: 'bad' })
    t.equal(await identity.identify(bad), null, 'nobody, before it is refused')
    await t.rejects(async () => identity.authenticate?.(bad), { message: 'bad' })
    t.equal(verified, 4)
    t.match(await identity.identify({ ...ctx, auth: auth('known') }), { subject: 'known' })
    t.equal(verified, 4)
  })
}

t.test('requests that wait between the two do not lose what was found', async (t) => {
  const verified: string[] = []
  const identity = createIdentity((ctx) => {
    const token = String(ctx.headers.authorization)
    verified.push(token)
    if (token.startsWith('bad')) throw new Error(token)
    return auth(token)
  })
  const all = ['a', 'bad 1', 'b', 'bad 2', 'c'].map((authorization) => exchange({ authorization }))
  for (const ctx of all) identity.identify(ctx)
  for (const ctx of [...all].reverse()) {
    const name = String(ctx.headers.authorization)
    if (name.startsWith('bad')) t.throws(() => identity.authenticate?.(ctx), { message: name })
    else t.match(identity.authenticate?.(ctx), { subject: name })
    if (name.startsWith('bad')) t.equal(identity.identify(ctx), null)
  }
  t.strictSame(verified, ['a', 'bad 1', 'b', 'bad 2', 'c'], 'each once')
  const renamed = exchange({ 'x-token': 'd' })
  identity.identify(renamed)
  Reflect.deleteProperty(renamed.headers, 'x-token')
  Object.assign(renamed.headers, { authorization: 'd' })
  t.match(identity.authenticate?.(renamed), { subject: /^d$/ }, 'the same value under another name is another header')
})

t.test('without an authenticator there is no identity', async (t) => {
  const identity = createIdentity(null)
  t.equal(identity.authenticate, null)
  t.equal(identity.identify(exchange({ authorization: 'x' })), null)
})

t.test('a verdict holds for the headers that it was found with', async (t) => {
  const identity = createIdentity((ctx) => auth(String(ctx.headers.authorization)))
  const ctx = exchange({ authorization: 'ann' })
  t.match(await identity.identify(ctx), { subject: 'ann' })
  Object.assign(ctx.headers, { authorization: 'bob' })
  t.match(await identity.authenticate?.(ctx), { subject: 'bob' }, 'a hook may change them before it is due')
})
