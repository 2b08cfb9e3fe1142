import { hash as argon2 } from '@node-rs/argon2'
import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { emptySchema } from '../../../core/testing/testing.ts'
import { createKeyCheck } from '../../../plugins/api-keys/create-key-check.ts'
import apiKeys from '../../../plugins/api-keys/index.ts'
import { digestOf, makeKey, sha256Hash } from '../../../plugins/api-keys/key-format.ts'
import { insertKey, revokeKey } from '../../../plugins/api-keys/key-table.ts'
import { SlowHashes } from '../../../plugins/api-keys/slow-hashes.ts'
import { createBareDatabase } from '../../helpers/bare-app.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { failure } from '../../helpers/kernel.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { hs256, openWho, plugin, SECRET } from '../jwt/who.ts'

const sha = (key: string) => sha256Hash(digestOf(key))
const OWN = 'a-key-of-another-maker-0123456789'
const CI = { name: 'ci', key_hash: sha(OWN), scopes: ['read:*'] }
const STATIC = { enabled: true, storage: 'env', static: [CI] }

t.test('a key says who asks, before any token does', async (t) => {
  const app = await openWho(t, { jwt_secret: SECRET }, [plugin(apiKeys, STATIC)])
  const { auth } = await app.ask({ 'x-api-key': OWN })
  t.same(auth, { subject: 'apikey:ci', claims: {}, scopes: ['read:*'], roles: [], method: 'api-keys' })
  const both = await app.ask({ 'x-api-key': OWN, authorization: `Bearer ${hs256()}` })
  t.equal(both.auth?.subject, 'apikey:ci', 'the key comes first')
  const bad = await app.ask({ 'x-api-key': `${OWN}x`, authorization: `Bearer ${hs256()}` })
  t.match(bad, { status: 401, error: { code: 'UNAUTHENTICATED', message: 'The API key is not valid.' } })
  t.equal((await app.ask(hs256())).auth?.subject, 'ann', 'without a key the token is asked')
  t.equal((await app.ask()).auth, null)
  t.match(
    app.signals.filter(({ type }) => type === 'credential-refused'),
    [{ method: 'api-keys', reason: 'key' }],
  )
})

t.test('keys that are none', async (t) => {
  const app = await openWho(t, null, [plugin(apiKeys, STATIC)])
  const cases: Record<string, string> = {
    empty: '',
    'cut off': OWN.slice(0, -1),
    'in other case': OWN.toUpperCase(),
    'its hash': CI.key_hash,
    'the hex of it': CI.key_hash.slice(7),
    'too long': 'x'.repeat(5000),
    'with a space': `${OWN} ${OWN}`,
    SQL: "svc_x' OR '1'='1.aaaaaaaaaaaaaaaa",
    'a pattern': 'svc_%.aaaaaaaaaaaaaaaaaaaaaa',
    'not ASCII': `${OWN}\u00e9`,
    'with a line break of a log': `${OWN}\\n{"level":"info"}`,
  }
  for (const [name, key] of Object.entries(cases)) {
    t.match(await app.ask({ 'x-api-key': key }), { status: 401, error: { code: 'UNAUTHENTICATED' } }, name)
  }
  t.equal((await app.ask({ 'x-api-key': [OWN, OWN] })).status, 401, 'two at once')
  const told = JSON.stringify(app.signals)
  t.notMatch(told, /another-maker|OR '1'/, 'nothing of a key is told')
})

t.test('a header of another name; the names that belong to tokens', async (t) => {
  const app = await openWho(t, null, [plugin(apiKeys, { ...STATIC, header: 'X-Service-Key' })])
  t.equal((await app.ask({ 'x-service-key': OWN })).auth?.subject, 'apikey:ci')
  t.equal((await app.ask({ 'x-api-key': OWN })).auth, null)
  const credentials = app.kernel.credentials.map(({ description: _, ...rest }) => rest)
  t.strictSame(
    credentials,
    [{ in: 'header', name: 'X-Service-Key', scheme: 'key', id: 'apiKey', plugin: 'api-keys' }],
    'the credential has a fixed id for clients',
  )
  for (const header of ['Authorization', 'cookie', 'X Key', '']) {
    t.ok(await failure(() => openWho(t, null, [plugin(apiKeys, { ...STATIC, header })])), header)
  }
})

t.test('static keys: faults, and slow hashes', async (t) => {
  const slow = { name: 'slow', key_hash: await argon2(OWN), scopes: [] }
  const app = await openWho(t, null, [plugin(apiKeys, { ...STATIC, static: [slow] })])
  t.equal((await app.ask({ 'x-api-key': OWN })).auth?.subject, 'apikey:slow')
  t.equal((await app.ask({ 'x-api-key': `${OWN}x` })).status, 401)
  for (const [options, message] of [
    [{ ...STATIC, static: [{ ...CI, key_hash: OWN }] }, /"ci" .* key_hash that is none/],
    [{ ...STATIC, static: Array(11).fill(slow) }, /more than 10 keys of the kind argon2/],
    [{ enabled: true, static: [CI] }, /counts with storage = "env" only/],
  ] as const) {
    const error = await failure(() => openWho(t, null, [plugin(apiKeys, options)]))
    t.match(error.message, message)
    t.notMatch(error.message, /another-maker/)
  }
})

t.test('without the package of argon2 a service that makes such keys does not boot', async (t) => {
  const { load } = SlowHashes.prototype
  t.teardown(() => {
    SlowHashes.prototype.load = load
  })
  SlowHashes.prototype.load = async () => {
    throw new SvcError('SVC_CONFIG_INVALID', 'The package is not there.')
  }
  const boot = (hash_algorithm: string) => openWho(t, null, [plugin(apiKeys, { ...STATIC, hash_algorithm })])
  t.match(await failure(() => boot('argon2')), { message: /The package is not there\./ })
  t.equal(
    (await (await boot('sha256')).ask({ 'x-api-key': OWN })).auth?.subject,
    'apikey:ci',
    'sha256 needs no package',
  )
})

t.test('the table', async (t) => {
  await eachDatabase(
    t,
    async (t, test) => {
      const database = await openTestDatabase(t, test)
      const app = await openWho(t, null, [plugin(apiKeys, { enabled: true })], {
        database,
        schema: { ...emptySchema(), dialect: database.dialect.name },
      })
      const status = async (key: string) => (await app.ask({ 'x-api-key': key })).status
      const fast = makeKey()
      const slow = makeKey()
      const ended = makeKey()
      const soon = makeKey()
      await insertKey(database, fast.id, { name: 'fast', hash: sha(fast.key), scopes: ['read:a', 'write:b'] }, null)
      await insertKey(database, slow.id, { name: 'slow', hash: await argon2(slow.key), scopes: [] }, null)
      await insertKey(database, ended.id, { name: 'x', hash: sha(ended.key), scopes: [] }, new Date(Date.now() - 2000))
      await insertKey(database, soon.id, { name: 'x', hash: sha(soon.key), scopes: [] }, new Date(Date.now() + 60_000))
      await insertKey(database, makeKey().id, { name: 'other', hash: sha(OWN), scopes: ['x'] }, null)
      await insertKey(database, makeKey().id, { name: 'plain', hash: 'plain-text-in-the-table', scopes: [] }, null)
      const { auth } = await app.ask({ 'x-api-key': fast.key })
      t.match(auth, { subject: 'apikey:fast', scopes: ['read:a', 'write:b'] })
      t.match((await app.ask({ 'x-api-key': slow.key })).auth, { subject: 'apikey:slow', scopes: [] })
      t.equal((await app.ask({ 'x-api-key': OWN })).auth?.subject, 'apikey:other', 'keys that others made')
      t.same([await status(ended.key), await status(soon.key)], [401, 200])
      t.equal(await status('plain-text-in-the-table'), 401, 'what is no hash lets nobody in')
      const [head] = fast.key.split('.')
      t.equal(await status(`${head}.${slow.key.split('.')[1]}`), 401, "one's id with another's secret")
      t.equal(await status(`svc_${slow.id}.${'A'.repeat(43)}`), 401)

      t.equal(await revokeKey(database, fast.id), 'fast')
      t.equal(await revokeKey(database, fast.id), null, 'once')
      t.equal(await status(fast.key), 401, 'at once')
      await database.script('DROP TABLE svc_api_keys')
      t.equal(await status(slow.key), 503, 'where nobody can look nobody comes in')
      t.equal((await app.ask()).status, 200)
    },
    { sqlite: { sql: 'SELECT 1' }, mysql: { sql: 'DO 1' } },
  )
})

t.test('a database that is away', async (t) => {
  const database = createBareDatabase({
    catalog: async () => {
      throw new SvcError('SERVICE_UNAVAILABLE', 'away')
    },
  })
  const app = await openWho(t, null, [plugin(apiKeys, { enabled: true })], { database })
  const answer = await app.ask({ 'x-api-key': OWN })
  t.match(answer, { status: 503, error: { code: 'SERVICE_UNAVAILABLE' } })
})

t.test('recheck_secs: how long a key is believed', async (t) => {
  let now = 0
  let asked = 0
  let scopes = ['a']
  let isThere = true
  const store = {
    find() {
      asked++
      return isThere ? [{ name: 'n', hash: sha(OWN), scopes }] : []
    },
  }
  const check = createKeyCheck(store, new SlowHashes(), { method: 'api-keys', recheckMs: 5000, now: () => now })
  const first = await check(OWN)
  t.equal(await check(OWN), first)
  t.equal(asked, 1)
  now = 5000
  t.equal(await check(OWN), first, 'the same object for the same key')
  t.equal(asked, 2)
  scopes = ['b']
  now = 10_000
  t.same((await check(OWN))?.scopes, ['b'])
  isThere = false
  now = 15_000
  t.equal(await check(OWN), null)
  isThere = true
  t.ok(await check(OWN), 'that there was none is not kept')
  t.ok(Object.isFrozen(first?.scopes))
})

t.test('comparing says nothing about where keys differ', async (t) => {
  // A digest is compared, so that what is alike in two keys is not alike in what is compared, and by timingSafeEqual.
  const source = (await import('node:fs')).readFileSync('plugins/api-keys/key-format.ts', 'utf8')
  t.match(source, /timingSafeEqual\(one, other\)/)
  const seen: string[] = []
  const store = {
    find: (_id: string | null, hash: string) => {
      seen.push(hash)
      return [CI, { ...CI, name: 'second' }, { ...CI, key_hash: sha('x') }].map(({ name, key_hash, scopes }) => ({
        name,
        hash: key_hash,
        scopes,
      }))
    },
  }
  const check = createKeyCheck(store, new SlowHashes(), { method: 'm', recheckMs: 0 })
  t.equal((await check(OWN))?.subject, 'apikey:ci', 'the first of equal ones')
  await check(`${OWN.slice(0, -1)}0`)
  const [one = '', other = ''] = seen.map((hash) => hash.slice(7))
  const alike = [...one].filter((character, i) => other[i] === character).length
  t.ok(alike < 20, `keys that differ in a character share nothing: ${alike} of 64`)
})

t.test('slow hashes are bounded', async (t) => {
  const slow = new SlowHashes()
  const hash = await slow.hash(OWN)
  t.match(hash, /^\$argon2id\$/)
  const wrong = Array.from({ length: 110 }, (_, i) => slow.verify(hash, `wrong key number ${i}`, digestOf(String(i))))
  const answers = await Promise.all(wrong.map((one) => one.catch((error: SvcError) => error.code)))
  t.ok(answers.includes('SERVICE_UNAVAILABLE'), 'a flood is told to come again')
  t.notOk(answers.includes(true))
  const timed = async (times: number) => {
    const started = performance.now()
    for (let i = 0; i < times; i++) t.equal(await slow.verify(hash, OWN, digestOf(OWN)), true)
    return performance.now() - started
  }
  const first = await timed(1)
  t.ok((await timed(20)) < first * 10, 'once')
  t.equal(await slow.verify('$argon2id$nonsense', OWN, digestOf('z')), false)
})
