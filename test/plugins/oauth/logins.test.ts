import { createHash } from 'node:crypto'
import t from 'tap'
import type { Exchange } from '../../../core/contract/exchange.ts'
import { MemoryStore } from '../../../core/service/stores/memory-store.ts'
import type { Tokens } from '../../../plugins/jwt/api.ts'
import { Logins } from '../../../plugins/oauth/logins.ts'
import type { Made } from '../../../plugins/oauth/make-tokens.ts'
import { OAuthFault } from '../../../plugins/oauth/oauth-fault.ts'
import type { OAuthOptions } from '../../../plugins/oauth/options.ts'
import { createPendingLogins } from '../../../plugins/oauth/pending-logins.ts'
import type { ProviderClient } from '../../../plugins/oauth/provider-client.ts'
import { Sessions } from '../../../plugins/oauth/sessions.ts'
import { createSeal } from '../../../plugins/state-encryption/index.ts'
import { failure } from '../../helpers/kernel.ts'

/** The session is refreshed without a look at it. */
const CTX = {} as Exchange
const seal = createSeal('aes-256-gcm', createHash('sha256').update('x').digest())

t.test('a state ends with its time, also where the store still has the login', async (t) => {
  let now = 1_000_000
  // The clock of the store stands still: nothing but the state tells the time.
  const store = new MemoryStore({ maxEntries: 10, whenFull: 'refuse', now: () => 0 })
  const pending = createPendingLogins(store, seal, 1000, () => now)
  const login = { provider: 'p', verifier: 'v', nonce: 'n', redirectUri: null }
  const [early, late] = [await pending.begin(login, 'browser'), await pending.begin(login, 'browser')]
  now += 999
  t.strictSame(await pending.end(early, 'browser'), login)
  now += 1
  t.equal(await pending.end(late, 'browser'), null)
  t.equal(store.size, 1, 'a late state costs the store no look-up')
})

t.test('a provider that is away leaves the session as it was, one that refuses ends it', async (t) => {
  const answers: (OAuthFault | 'fresh')[] = []
  const provider = {
    name: 'p',
    issuer: 'https://p',
    async refresh() {
      const answer = answers.shift()
      if (answer instanceof OAuthFault) throw answer
      return { accessToken: 'a', refreshToken: 'r2', idToken: null, expiresIn: 60, profile: null }
    },
  } as unknown as ProviderClient
  const last = { issuer: null, subject: 's', jti: 'j', issuedAt: 1, ownClock: true, expiresAt: 2 }
  const made: Made = { accessToken: 'token', expiresIn: 60, idToken: null, last }
  const store = new MemoryStore({ maxEntries: 100, whenFull: 'evict' })
  const ended: unknown[] = []
  const sessions = new Sessions({ store, names: store, seal, ended: async ({ jti }) => void ended.push(jti) })
  const logins = new Logins({
    options: { redirect_uris: [] } as unknown as OAuthOptions,
    providers: new Map([['p', provider]]),
    pending: createPendingLogins(store, seal, 1000),
    sessions,
    maker: { own: false, make: async () => made },
    tokens: { check: () => {} } as unknown as Tokens,
  })
  const session = { provider: 'p', profile: null, refreshToken: 'r1', last, endsAt: Date.now() + 60_000 }
  const token = await sessions.begin(session)

  answers.push(new OAuthFault('login_failed', 'away'), new OAuthFault('login_failed', 'away'), 'fresh')
  for (let i = 0; i < 2; i++) {
    t.match(await failure(() => logins.refresh(CTX, token)), { code: 'OAUTH_EXCHANGE_FAILED', status: 502 })
  }
  t.strictSame(ended, [], 'an outage ends nothing')
  const next = await logins.refresh(CTX, token)
  t.equal(next.made.accessToken, 'token', 'the same refresh token is good for the next attempt')

  answers.push(new OAuthFault('invalid_grant', 'over'), 'fresh')
  const refused = await failure(() => logins.refresh(CTX, next.refreshToken as string))
  t.match(refused, { code: 'UNAUTHENTICATED' })
  t.strictSame(ended, ['j'])
  const again = await failure(() => logins.refresh(CTX, next.refreshToken as string))
  t.match(again, { code: 'UNAUTHENTICATED' }, 'that session is over')
})
