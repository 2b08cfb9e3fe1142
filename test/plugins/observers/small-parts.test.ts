import fc from 'fast-check'
import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { blockOf } from '../../../core/doors/plugin.ts'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { InProcessBus } from '../../../core/engine/changes/in-process-bus.ts'
import { observe } from '../../../core/engine/changes/observed-change.ts'
import { makeTable } from '../../../core/service/tables/make-table.ts'
import { testCompile } from '../../../core/testing/testing.ts'
import { ACTIONS, keyProblems, type ObserversBlock, RETRY_KEYS } from '../../../plugins/observers/actions/declared.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import { compileTemplate } from '../../../plugins/observers/change/template.ts'
import compilePart from '../../../plugins/observers/compile.ts'
import { TargetSlots } from '../../../plugins/observers/deliver/target-slots.ts'
import { EventFeed } from '../../../plugins/observers/feed/event-feed.ts'
import { EventRing } from '../../../plugins/observers/feed/event-ring.ts'
import type { EventSource } from '../../../plugins/observers/feed/event-source.ts'
import { checkUrl, publicLookup } from '../../../plugins/observers/outgoing/address-guard.ts'
import { DELIVERIES, OUTBOX, RELAY } from '../../../plugins/observers/sql/tables.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { failure } from '../../helpers/kernel.ts'
import { openTestDatabase } from '../../helpers/open-database.ts'
import { requireService } from '../../helpers/services.ts'
import { accounts } from './accounts.ts'

t.test('a table that svc makes for events is one that it can use', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql: '' }) })
  for (const table of [OUTBOX, RELAY, DELIVERIES]) {
    t.equal(await makeTable(database, table), true, table.name)
    t.equal(await makeTable(database, table), false, `${table.name}, found again`)
  }
})

t.test('a key of an action or of a retry has the form that is documented', async (t) => {
  const problems = (rules: Parameters<typeof keyProblems>[1], given: object) =>
    keyProblems(given as never, rules, (key) => `unknown ${key}`)
  const wrong = (
    rules: Parameters<typeof keyProblems>[1],
    key: string,
    values: readonly unknown[],
    base: object = {},
  ) => {
    for (const value of values) {
      const found = problems(rules, { ...base, [key]: value })
      t.equal(found.length, 1, `${key} ${JSON.stringify(value)}`)
      t.ok(found[0]?.startsWith(`"${key}" wants `), String(found[0]))
    }
  }
  const right = (
    rules: Parameters<typeof keyProblems>[1],
    key: string,
    values: readonly unknown[],
    base: object = {},
  ) => {
    for (const value of values) {
      t.strictSame(problems(rules, { ...base, [key]: value }), [], `${key} ${JSON.stringify(value)}`)
    }
  }
  const { webhook, email, chat } = ACTIONS
  const message = { channel: '#a', message: 'm' }
  for (const [rules, key, base] of [
    [webhook, 'url_env', {}],
    [webhook, 'secret_env', {}],
    [chat, 'url_env', message],
  ] as const) {
    right(rules, key, ['X', 'HOOK', 'A_1', 'A__B'], base)
    wrong(rules, key, ['', 'x', 'Hook', '1A', '_A', 'A-B', 'A B', ' A', 'A\n', 5], base)
  }
  for (const key of ['url', 'body_template']) {
    right(webhook, key, ['x'])
    wrong(webhook, key, ['', 5, null, {}])
  }
  right(webhook, 'method', ['POST', 'PUT', 'PATCH', 'DELETE'])
  wrong(webhook, 'method', ['GET', 'post', '', 5])
  right(webhook, 'headers', [{}, { 'X-A': '1' }, { "!#$%&'*+.^_`|~09azAZ-": '' }])
  wrong(webhook, 'headers', [
    null,
    'x',
    5,
    { 'X Y': '1' },
    { 'X:': '1' },
    { '': '1' },
    { 'X-A': 5 },
    { ok: '1', 'a b': '1' },
  ])
  const mail = { to: 'a', subject: 'b', body: 'c' }
  right(email, 'from', ['x'], mail)
  wrong(email, 'from', ['', 5], mail)
  for (const key of Object.keys(mail)) {
    wrong(email, key, ['', 5], mail)
    t.strictSame(problems(email, { ...mail, [key]: undefined }), [`"${key}" is missing: a text`])
  }
  for (const key of Object.keys(message)) {
    wrong(chat, key, ['', 5], message)
    t.strictSame(problems(chat, { ...message, [key]: undefined }), [`"${key}" is missing: a text`])
  }
  right(RETRY_KEYS, 'max_attempts', [1, 100])
  wrong(RETRY_KEYS, 'max_attempts', [0, 101, 1.5, '3', null])
  right(RETRY_KEYS, 'initial_delay_ms', [1, 3_600_000])
  wrong(RETRY_KEYS, 'initial_delay_ms', [0, 3_600_001])
  right(RETRY_KEYS, 'max_delay_ms', [1, 86_400_000])
  wrong(RETRY_KEYS, 'max_delay_ms', [0, 86_400_001])
  right(RETRY_KEYS, 'backoff_strategy', ['exponential', 'linear', 'fixed'])
  wrong(RETRY_KEYS, 'backoff_strategy', ['', 'none', 1])
  t.strictSame(problems(webhook, { type: 'webhook', toString: 1 }), ['unknown toString'])
})

t.test('an observer is stored with its change, by wire names', async (t) => {
  const of = (event: string, more: object = {}) => {
    const actions = [{ type: 'webhook', url: 'https://example.com/' }]
    return testCompile(compilePart, accounts([{ name: 'one', event, actions, ...more } as never]), {
      plugin: 'observers',
      options: { allow_hosts: [], handlers: [] } as never,
    })
  }
  for (const [event, wire] of Object.entries({
    INSERT: 'INSERT',
    UPDATE: 'UPDATE',
    DELETE: 'DELETE',
    createAccount: 'createAccount',
  })) {
    const { faults, schema } = of(event)
    t.strictSame(faults, [], event)
    const { observers } = blockOf(schema!, 'observers') as ObserversBlock
    t.strictSame(
      observers.map((one) => one.event),
      [wire],
    )
  }
  const delays = (initial: number, most?: number) =>
    of('INSERT', { retry: { initial_delay_ms: initial, max_delay_ms: most } }).faults.length
  t.strictSame([delays(10, 9), delays(10, 10), delays(10, 11), delays(3_600_000)], [1, 0, 0, 0])
})

const shape = shapeOfAuthored({ name: 'Account', fields: [{ name: 'full_name', type: 'String' }] } as never)
const { event: SAMPLE } = sampleChange(shape)

t.test('a field within a text of JSON is escaped, whatever stands before it', async () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\\', 'n', ' ', ':') }), fc.string(), (before, name) => {
      const body = `{"a":${JSON.stringify(before).slice(0, -1)}{{full_name}}"}`
      const change = observe({ ...SAMPLE, kind: 'INSERT', entity: JSON.stringify({ full_name: name }) }, shape)
      return JSON.parse(compileTemplate(body, { place: 'json', shape })(change)).a === before + name
    }),
    {
      examples: [
        ['\\', '"'],
        ['"', '"'],
        ['\\"', '\\'],
        ['n', '"'],
      ],
    },
  )
})

t.test('a URL may have no credentials, and nothing but http and https', async (t) => {
  const may = (url: string, ...allowed: readonly string[]) => {
    try {
      checkUrl(new URL(url), new Set(allowed))
      return true
    } catch (error) {
      t.equal((error as Error).name, 'TargetRefused')
      return false
    }
  }
  for (const url of ['https://example.com/', 'http://example.com:8080/a?b', 'https://93.184.216.34/'])
    t.equal(may(url), true, url)
  for (const url of [
    'https://user@example.com/',
    'https://:secret@example.com/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://127.0.0.1/',
    'https://[::1]/',
  ])
    t.equal(may(url), false, url)
  t.strictSame([may('http://127.0.0.1:81/', '127.0.0.1'), may('http://127.0.0.1:81/', '127.0.0.1:81')], [true, true])
  t.strictSame([may('http://127.0.0.1:82/', '127.0.0.1:81'), may('http://[::1]:81/', '[::1]:81')], [false, true])
})

t.test('a name that leads nowhere, or home, is an error of the look-up', async (t) => {
  const look = (host: string) =>
    new Promise<readonly [Error | null, readonly object[]]>((resolve) =>
      publicLookup(host, {}, (error, addresses) => resolve([error, addresses])),
    )
  const [missing, none] = await look('nothing-has-this-name.invalid')
  t.match(missing, { syscall: 'getaddrinfo', hostname: 'nothing-has-this-name.invalid' })
  t.strictSame(none, [])
  const [refused, kept] = await look('localhost')
  t.equal(refused?.name, 'TargetRefused')
  t.strictSame(kept, [])
})

t.test('a slot that is given back twice is given back once', async (t) => {
  const slots = new TargetSlots(1, 5, () => 0)
  const giveBack = await slots.take('a')
  const second = slots.take('a')
  const third = slots.take('a')
  giveBack!()
  giveBack!()
  const passed = await second
  let isThird = false
  void third.then(() => {
    isThird = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(isThird, false, 'the second has the slot')
  passed!()
  t.type(await third, 'function')
})

const eventAt = (position: number): ChangeEvent => ({ ...SAMPLE, id: `id ${position}`, position: String(position) })

t.test('the ring finds an event by its own id', async (t) => {
  const ring = new EventRing('0')
  for (const position of [3, 5, 9]) ring.add(eventAt(position))
  t.strictSame(
    ['id 3', 'id 5', 'id 9', 'id 4'].map((id) => ring.find(id)),
    ['3', '5', '9', null],
  )
  t.strictSame(
    [0n, 3n, 4n, 9n].map((after) => ring.behind(after, 2).map(({ position }) => position)),
    [['3', '5'], ['5', '9'], ['5', '9'], []],
  )
})

t.test('a page of the feed says where it ends, and whether there are more', async (t) => {
  const source: EventSource = {
    isDurable: false,
    async follow(_after, sink, signal) {
      sink.begin('0')
      sink.take([3, 5, 9].map(eventAt), '12')
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  } as Partial<EventSource> as EventSource
  const feed = new EventFeed({ source, failed() {}, Bus: InProcessBus })
  await feed.start()
  t.teardown(() => feed.stop())
  const page = async (after: string, limit?: number) => {
    const { events, position, isEnd, isTooOld } = await feed.read(after, limit)
    return [events.map((one) => one.position), position, isEnd, isTooOld]
  }
  t.strictSame(await page('0', 2), [['3', '5'], '5', false, false])
  t.strictSame(await page('0', 3), [['3', '5', '9'], '9', false, false], 'as many as fit: there may be more')
  t.strictSame(await page('0', 4), [['3', '5', '9'], '12', true, false])
  t.strictSame(await page('0'), [['3', '5', '9'], '12', true, false])
  t.strictSame(await page('9', 2), [[], '12', true, false])
  t.strictSame(await page('12', 2), [[], '12', true, false])
})

t.test('a feed that cannot read says so, and when to try again', async (t) => {
  const failures: unknown[] = []
  const source = {
    isDurable: true,
    follow: () => Promise.reject(new Error('away')),
  } as Partial<EventSource> as EventSource
  const feed = new EventFeed({ source, failed: (error) => void failures.push(error), Bus: InProcessBus })
  t.teardown(() => feed.stop())
  await feed.start()
  t.match(await failure(() => feed.read('0')), { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
  t.match(failures, [{ message: 'away' }], 'said once')
})
