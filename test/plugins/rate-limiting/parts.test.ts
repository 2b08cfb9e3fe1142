import t from 'tap'
import type { Auth, Exchange } from '../../../core/contract/exchange.ts'
import {
  createAddressReader,
  createSchemeReader,
  type ProxyRules,
} from '../../../plugins/rate-limiting/client-address.ts'
import { canonicalAddress, subscriberOf } from '../../../plugins/rate-limiting/client-keys.ts'
import type { Lock } from '../../../plugins/rate-limiting/limits.ts'
import { createClientLocks } from '../../../plugins/rate-limiting/login-limits.ts'
import { createMemoryLimits } from '../../../plugins/rate-limiting/memory-limits.ts'
import { toRules } from '../../../plugins/rate-limiting/open-limits.ts'
import type { RateLimitingOptions } from '../../../plugins/rate-limiting/options.ts'
import { remember } from '../../../plugins/rate-limiting/remember.ts'
import { collectGarbage } from '../../helpers/collect-garbage.ts'

const PROXY = '10.0.0.1'
const TRUST = { trust_proxy_headers: true, trusted_proxies: [] as string[] }

function reader(rules: Partial<ProxyRules>) {
  let contradictions = 0
  const read = createAddressReader(
    { trust_proxy_headers: false, trusted_proxies: [], ...rules },
    () => contradictions++,
  )
  return (headers: Record<string, string>, address = PROXY) => {
    contradictions = 0
    const found = read({ address, headers } as unknown as Exchange)
    return contradictions > 0 ? `${found}!` : found
  }
}
const forwarded = (value: string) => ({ 'x-forwarded-for': value })
const real = (value: string) => ({ 'x-real-ip': value })

t.test('headers of an untrusted address', async (t) => {
  t.equal(reader({})({ ...forwarded('1.1.1.1'), ...real('1.1.1.1') }), PROXY)
  const listed = reader({ ...TRUST, trusted_proxies: ['10.0.0.0/24'] })
  t.equal(listed(forwarded('1.1.1.1'), '10.0.1.1'), '10.0.1.1', 'who comes past the proxy')
  t.equal(listed(forwarded('1.1.1.1')), '1.1.1.1')
})

t.test('X-Forwarded-For is read from the right: the rest is what the client wrote', async (t) => {
  const read = reader(TRUST)
  t.equal(read(forwarded('9.9.9.9, 8.8.8.8, 1.1.1.1')), '1.1.1.1')
  t.equal(read(forwarded('10.0.0.7, 10.0.0.8')), '10.0.0.8', 'without a list nobody behind the proxy is trusted')
  const listed = reader({ ...TRUST, trusted_proxies: ['10.0.0.0/8', '2001:db8::/32', '::1'] })
  t.equal(listed(forwarded('9.9.9.9, 1.1.1.1, 10.1.1.1, 2001:db8::5')), '1.1.1.1', 'past the proxies of ours')
  t.equal(listed(forwarded('10.9.9.9, 10.1.1.1')), '10.9.9.9', 'nobody but proxies')
  t.equal(listed(forwarded('1.1.1.1'), '::ffff:10.0.0.1'), '1.1.1.1')
  t.equal(listed(forwarded('9.9.9.9, garbage, 10.1.1.1')), PROXY, 'behind what is no address nobody is believed')
  for (const bad of [
    '',
    ' ',
    'unknown',
    '1.1.1',
    '1.1.1.256',
    '1.1.1.1 ; x',
    '_hidden',
    `${'1'.repeat(9000)}`,
    '::1::',
    '[::1',
    '1.1.1.1:999999',
  ])
    t.equal(read(forwarded(`9.9.9.9, ${bad}`)), PROXY, `"${bad.slice(0, 20)}"`)
  t.equal(read(forwarded('1.1.1.1:4711')), '1.1.1.1')
  t.equal(read(forwarded('[2001:DB8::1]:4711')), '2001:db8::1')
  const many = Array(40_000).fill('10.0.0.2').join(',')
  const started = performance.now()
  t.equal(listed(forwarded(`1.1.1.1,${many}`)), '10.0.0.2')
  t.ok(performance.now() - started < 1000, 'bounded')
})

t.test('X-Real-IP, and two headers that contradict each other', async (t) => {
  const read = reader(TRUST)
  t.equal(read(real('1.1.1.1')), '1.1.1.1')
  t.equal(read(real('1.1.1.1, 2.2.2.2')), PROXY)
  t.equal(read({ ...real('1.1.1.1'), ...forwarded('9.9.9.9, 1.1.1.1') }), '1.1.1.1', 'both say it')
  t.equal(read({ ...real('9.9.9.9'), ...forwarded('1.1.1.1') }), `${PROXY}!`, "one of them is the client's own")
  const listed = reader({ ...TRUST, trusted_proxies: ['10.0.0.0/8'] })
  t.equal(listed({ ...real('10.0.0.9'), ...forwarded('1.1.1.1, 10.0.0.9') }), '1.1.1.1', 'the proxy further out')
  t.equal(
    reader({ ...TRUST, proxy_header: 'x-forwarded-for' })({ ...real('9.9.9.9'), ...forwarded('1.1.1.1') }),
    '1.1.1.1',
  )
  t.equal(reader({ ...TRUST, proxy_header: 'x-real-ip' })({ ...real('1.1.1.1'), ...forwarded('9.9.9.9') }), '1.1.1.1')
  t.equal(reader({ ...TRUST, proxy_header: 'x-real-ip' })(forwarded('9.9.9.9')), PROXY)
})

t.test('addresses', async (t) => {
  for (const [given, wanted] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::FFFF:0:0', '0.0.0.0'],
    ['2001:0DB8:0:0::1%eth0', '2001:db8::1'],
    ['192.0.2.01', null],
    ['::ffff:999.0.2.1', null],
    ['', null],
    ['x', null],
  ] as const)
    t.equal(canonicalAddress(given), wanted, given)
  for (const [given, wanted] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
    ['1:2:3::', '1:2:3:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ] as const)
    t.equal(subscriberOf(given), wanted, given)
})

t.test('a remembered function computes each answer once, and keeps a bounded number', async (t) => {
  const computed: string[] = []
  const answer = remember((text) => {
    computed.push(text)
    return text.length
  })
  const answers = ['a', 'bb', '', 'a', 'bb', ''].map(answer)
  t.strictSame(
    [answers, computed.splice(0)],
    [
      [1, 2, 0, 1, 2, 0],
      ['a', 'bb', ''],
    ],
  )
  for (let i = 3; i < 4096; i++) answer(String(i))
  computed.length = 0
  for (const text of ['a', 'bb', '4095']) answer(text)
  t.strictSame(computed, [], '4096 answers are kept')
  answer('one more')
  for (const text of ['one more', 'a', 'one more']) answer(text)
  t.strictSame(computed, ['one more', 'a'], 'one more clears them all')
})

const RULES = toRules({
  requests_per_second: 2,
  burst_size: 10,
  failed_login_lockout_secs: 100,
} as RateLimitingOptions)
const only = (name: string) => [{ name, max: 3 }]

t.test('buckets by a clock', async (t) => {
  let now = 0
  const limits = await createMemoryLimits(RULES, { maxClients: 100, now: () => now })
  const take = (key = 'a') =>
    limits.take('ip', key, only(key)) as { allowed: boolean; tokens: number; lockedMs: number }
  for (let i = 0; i < 10; i++) t.ok(take().allowed)
  t.notOk(take().allowed)
  now += 499
  t.notOk(take().allowed)
  now += 1
  t.ok(take().allowed, 'one more after half a second; what was refused cost nothing')
  t.notOk(take().allowed)
  now += 1e9
  t.equal(take().tokens, 9, 'never more than it holds')

  for (let i = 0; i < 2; i++) limits.fail(only('a'))
  now += 100_000
  limits.fail(only('a'))
  t.equal(take().lockedMs, 0, 'what is long ago does not count')
  for (let i = 0; i < 2; i++) limits.fail(only('a'))
  t.equal(take().lockedMs, 100_000)
  t.equal(take('b').lockedMs, 0)
  now += 60_000
  for (let i = 0; i < 9; i++) limits.fail(only('a'))
  t.equal(take().lockedMs, 40_000, 'more of it makes it no longer')
  now += 40_000
  t.equal(take().lockedMs, 0)
  limits.fail(only('a'))
  t.equal(take().lockedMs, 0, 'and then it begins anew')
  await limits.close()
})

t.test('locks: whose, and for what', async (t) => {
  const locks = createClientLocks(10)
  const names = (list: readonly Lock[]) => list.map(({ name, max }) => `${name} ${max}`)
  const auth = (method: string) => ({ method }) as Auth
  t.same(names(locks.ofRefused('192.0.2.1', 'api-keys')), ['guessed:192.0.2.1 10'])
  t.same(names(locks.ofRefused('192.0.2.1', 'jwt')), ['signed:192.0.2.1 10'])
  t.same(locks.ofAuth('192.0.2.1', auth('jwt')), [], 'nobody guesses a signature')
  t.same(names(locks.ofAuth('192.0.2.1', auth('api_key'))), ['guessed:192.0.2.1 10'])
  t.same(names(locks.ofLogin('2001:db8:7:9::/64')), ['guessed:2001:db8:7:9::/64 10', 'guessed:2001:db8:7::/48 80'])
  t.same(names(locks.ofLogin('websocket')), ['guessed:websocket 10'], 'no address')
})

t.test('a flood from many networks opens no lock, and a site of IPv6 is locked as a whole', async (t) => {
  let now = 0
  const maxClients = 200
  const limits = await createMemoryLimits(RULES, { maxClients, now: () => now })
  const locks = createClientLocks(3)
  const fail = (client: string) => limits.fail(locks.ofRefused(client, 'api-keys'))
  const lockedMs = (client: string) =>
    (limits.take('ip', client, locks.ofLogin(client)) as { lockedMs: number }).lockedMs
  for (let i = 0; i < 3; i++) fail('192.0.2.1')
  t.equal(lockedMs('192.0.2.1'), 100_000)
  const network = (i: number, site = 1) => `2001:db8:${site.toString(16)}:${i.toString(16)}::/64`
  for (let i = 0; i < 65_536; i++) fail(network(i))
  t.equal(lockedMs('192.0.2.1'), 100_000, 'from all networks of a site')
  t.equal(lockedMs(network(65_535)), 100_000, 'which is locked itself, after eight times as many')
  t.equal(lockedMs(network(1, 2)), 0, 'and no other site')
  for (let i = 0; i < 20 * maxClients; i++) fail(`10.0.${i >> 8}.${i & 255}`)
  t.equal(lockedMs('192.0.2.1'), 100_000, 'from more addresses than are kept, once each')
  for (let i = 0; i < 3; i++) fail('192.0.2.2')
  t.equal(lockedMs('192.0.2.2'), 100_000, 'and a new one is locked all the same')
  // What it costs to open one: as many locks as there is room for.
  now += 1
  for (let i = 0; i < maxClients - 2; i++) for (let n = 0; n < 3; n++) fail(`10.1.${i >> 8}.${i & 255}`)
  t.equal(lockedMs('192.0.2.2'), 99_999)
  now += 100_000
  t.equal(lockedMs('192.0.2.1'), 0)
  await limits.close()
})

t.test('a million addresses: memory has a bound', async (t) => {
  let now = 0
  const limits = await createMemoryLimits(RULES, { maxClients: 10_000, now: () => now })
  const use = async (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      now += 0.01
      const client = `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`
      limits.take('ip', client, only(client))
      if (i % 3 === 0) limits.fail(only(client))
      if (i % 10 === 0) await limits.count('start', client, 60_000)
    }
    collectGarbage()
    return process.memoryUsage().heapUsed / 1_048_576
  }
  const regular = () => limits.take('ip', 'regular', []) as { tokens: number }
  await use(0, 100_000)
  const before = regular().tokens
  const early = await use(100_000, 105_000)
  t.ok(regular().tokens <= before, 'who asks in between is not forgotten')
  const late = await use(105_000, 1_000_000)
  t.ok(late - early < 40, `${Math.round(early)} MiB, then ${Math.round(late)} MiB`)
  await limits.close()
})

t.test('the scheme of the client is read only from a trusted proxy', async (t) => {
  const read = (rules: Partial<ProxyRules>, address: string, proto?: string) =>
    createSchemeReader({ trust_proxy_headers: true, trusted_proxies: [], ...rules })({
      address,
      headers: proto === undefined ? {} : { 'x-forwarded-proto': proto },
    } as Exchange)
  const inside = { trusted_proxies: ['10.0.0.0/8'] }
  t.equal(read(inside, '10.0.0.1', 'https'), 'https')
  t.equal(read(inside, '10.0.0.1', 'https, HTTP '), 'http', 'what it added itself')
  t.equal(read(inside, '192.0.2.1', 'https'), null, 'the client writes what it likes')
  t.equal(read({}, '192.0.2.1', 'https'), 'https')
  t.equal(read({ trust_proxy_headers: false }, '10.0.0.1', 'https'), null)
  for (const proto of [undefined, '', 'wss', 'https,']) t.equal(read(inside, '10.0.0.1', proto), null, String(proto))
})
