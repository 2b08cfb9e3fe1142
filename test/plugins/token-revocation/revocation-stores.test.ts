import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { openRedis } from '../../../core/service/stores/redis.ts'
import { makeTable } from '../../../core/service/tables/make-table.ts'
import tokenRevocation from '../../../plugins/token-revocation/index.ts'
import { createRedisRevocations } from '../../../plugins/token-revocation/redis-revocations.ts'
import type { RevocationStore, TokenRef } from '../../../plugins/token-revocation/revocation-store.ts'
import { createSqlRevocations } from '../../../plugins/token-revocation/sql-revocations.ts'
import { REVOKED_SUBJECTS, REVOKED_TOKENS } from '../../../plugins/token-revocation/tables.ts'
import { createBareDatabase } from '../../helpers/bare-app.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { createLinkedPeers } from '../../helpers/linked-peers.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { startRedis } from '../../helpers/redis-server.ts'
import type { TestLike } from '../../helpers/services.ts'
import { checkTableTypes } from '../../helpers/table-types.ts'
import { claims, hs256, nowSecs, openWho, plugin, SECRET, type WhoApp } from '../jwt/who.ts'

type NamedRef = TokenRef & { readonly jti: string }

/** What each store does, whatever it is made of. */
async function suite(t: TestLike, store: RevocationStore): Promise<void> {
  const unique = randomUUID()
  const ref = (more: Partial<NamedRef> = {}): NamedRef => ({
    issuer: 'https://one',
    jti: randomUUID(),
    subject: `${unique}-ann`,
    issuedAt: nowSecs() - 10,
    aheadSecs: 0,
    endsAt: Date.now() + 60_000,
    ...more,
  })
  const [first, second] = [ref(), ref()]
  t.strictSame([await store.isRevoked(first), await store.isRevoked(second)], [false, false])
  await store.revoke(first)
  await store.revoke(first)
  t.strictSame([await store.isRevoked(first), await store.isRevoked(second)], [true, false], 'of two the one')
  t.strictSame([await store.isRevoked(first), await store.isRevoked(first)], [true, true], 'each time it comes')

  for (const issuer of ['https://two', 'https://On', '', 'zzz']) {
    t.equal(
      await store.isRevoked({ ...first, issuer }),
      false,
      `the same jti of the issuer "${issuer}" is another token`,
    )
  }
  const unseen = ref()
  await store.revoke(unseen)
  t.equal(await store.isRevoked(unseen), true, 'one that never came here')
  await store.revoke(ref({ jti: unseen.jti, issuer: 'https://two' }))
  t.equal(await store.isRevoked(ref({ jti: unseen.jti, issuer: 'https://three' })), false)

  const subject = `${unique}-bob`
  const many = [ref({ subject }), ref({ subject }), ref({ subject }), ref({ subject, issuer: 'https://two' })] as const
  for (const one of many) await store.isRevoked(one)
  await store.revoke(many[0])
  const stranger = ref({ subject: `${unique}-carl` })
  await store.isRevoked(stranger)
  t.equal(await store.revokeAll(subject, Date.now()), 3, 'those that are known and were not revoked before')
  t.equal(await store.revokeAll(subject, Date.now()), 0)
  for (const one of many) t.equal(await store.isRevoked(one), true)
  t.equal(await store.isRevoked(stranger), false, 'another subject is not concerned')

  const long = `${unique}-dora`
  const [short, lasting] = [ref({ subject: long, endsAt: Date.now() + 250 }), ref({ subject: long })]
  for (const one of [lasting, short]) await store.isRevoked(one)
  await new Promise((resolve) => setTimeout(resolve, 400))
  t.equal(await store.revokeAll(long, Date.now()), 1, 'one that has ended is not counted, and hides none that lives')
  t.equal(await store.isRevoked(lasting), true)
}

t.test('Redis', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const redis = await openRedis(server.url, { signals: createSignals() })
  const store = createRedisRevocations(redis, 'svc:test:')
  t.teardown(() => store.close())
  await suite(t, store)
})

eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    for (const table of [REVOKED_TOKENS, REVOKED_SUBJECTS]) await makeTable(database, table)
    const open = () =>
      createSqlRevocations(
        () => database,
        async () => {},
      )
    await suite(t, open())

    const { now } = Date
    t.teardown(() => {
      Date.now = now
    })
    const store = open()
    const lasting = {
      issuer: 'i',
      jti: 'lasting',
      subject: null,
      issuedAt: null,
      aheadSecs: 0,
      endsAt: now() + 7_200_000,
    }
    await store.revoke(lasting)
    await store.revoke({ ...lasting, jti: 'short', endsAt: now() + 1000 })
    Date.now = () => now() + 700_000
    await store.revoke({ ...lasting, jti: 'other' })
    const rows = async () => {
      const text = "SELECT jti FROM svc_revoked_tokens WHERE issuer = 'i' ORDER BY jti"
      return (await database.query({ name: null, text, readOnly: true }, [], null)).rows.map(([jti]) => jti)
    }
    for (let i = 0; i < 100 && (await rows()).length > 2; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    t.strictSame(await rows(), ['lasting', 'other'], 'what has ended is swept, and nothing else')
    t.equal(await store.isRevoked(lasting), true)
  },
  { sqlite: { sql: 'SELECT 1' }, mysql: { sql: 'DO 1' } },
)

t.test('each statement has its own name, and only the check is read-only', async (t) => {
  const seen = new Map<string, Set<string>>()
  const database = createBareDatabase({
    async query({ name, text, readOnly }) {
      const [word] = text.split(' ')
      seen.set(String(name), (seen.get(String(name)) ?? new Set()).add(`${word} ${readOnly}`))
      return { rows: [], columns: [] }
    },
  })
  const store = createSqlRevocations(
    () => database,
    async () => {},
  )
  const ref = { issuer: 'i', jti: 'j', subject: 's', issuedAt: null, aheadSecs: 0, endsAt: Date.now() + 60_000 }
  await store.isRevoked(ref)
  await store.isRevoked({ ...ref, jti: null })
  await store.revoke(ref)
  await store.revokeAll('s', Date.now())
  t.strictSame(
    [...seen].map(([name, kinds]) => [name, ...kinds]),
    [
      ['svc_revocation_check', 'SELECT true'],
      ['svc_revocation_note', 'INSERT false'],
      ['svc_revocation_revoke', 'INSERT false'],
      ['svc_revocation_cut', 'INSERT false'],
      ['svc_revocation_revokeKnown', 'UPDATE false'],
    ],
  )
})

t.test('the tables accept the listed types of columns and no others', async (t) => {
  const texts = ['text', 'varchar']
  await checkTableTypes(t, REVOKED_TOKENS, {
    issuer: texts,
    jti: texts,
    sub: texts,
    expires_at: ['int8'],
    revoked_at: ['int8'],
  })
  await checkTableTypes(t, REVOKED_SUBJECTS, { sub: texts, not_before: ['int8'] })
})

const token = (more: object = {}): string =>
  hs256(claims({ sub: randomUUID(), jti: randomUUID(), iat: nowSecs() - 100, ...more }))

async function revoke(app: WhoApp, by: string, body: string, path = '/auth/revoke') {
  const key = path === '/auth/revoke' ? 'token' : 'sub'
  const headers = { authorization: `Bearer ${by}` }
  return (await app.inject({ method: 'POST', url: path, headers, body: { [key]: body } })).status
}

t.test('a token that expired within the clock skew stays revoked while it is accepted', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const revocation = plugin(tokenRevocation, { enabled: true, backend: 'kvstore', kvstore_url: server.url })
  const app = await openWho(t, { jwt_secret: SECRET, jwt_clock_skew_secs: 60 }, [revocation])
  const ended = token({ exp: nowSecs() - 20 })
  t.equal((await app.ask(ended)).status, 200, 'the skew lets it in')
  t.equal(await revoke(app, ended, ended), 200)
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal((await app.ask(ended)).status, 401, 'revoked')
  const twin = token({ exp: nowSecs() - 20 })
  t.equal((await app.ask(twin)).status, 200, 'and no other')
})

t.test('workers: what one revokes all refuse at once, although each believes what it has heard', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const options = { enabled: true, backend: 'kvstore', kvstore_url: server.url, recheck_secs: 300 }
  const workers = await Promise.all(
    createLinkedPeers(3).map((peers) =>
      openWho(t, { jwt_secret: SECRET }, [plugin(tokenRevocation, options)], { peers }),
    ),
  )
  const [one, two, three] = workers as [WhoApp, WhoApp, WhoApp]
  const statuses = async (text: string) =>
    Promise.all([one, two, three].map(async (app) => (await app.ask(text)).status))
  const [mine, other] = [token(), token()]
  t.strictSame(await statuses(mine), [200, 200, 200])
  t.strictSame(await statuses(other), [200, 200, 200])
  t.equal(await revoke(two, mine, mine), 200)
  t.strictSame(await statuses(mine), [401, 401, 401])
  t.strictSame(await statuses(other), [200, 200, 200], 'the one, and not what else they believe')
  const subject = randomUUID()
  const pair = [token({ sub: subject }), token({ sub: subject })] as const
  for (const text of pair) t.strictSame(await statuses(text), [200, 200, 200])
  t.equal(await revoke(three, token({ scope: 'admin:revoke' }), subject, '/auth/revoke-all'), 200)
  for (const text of pair) t.strictSame(await statuses(text), [401, 401, 401])
})
