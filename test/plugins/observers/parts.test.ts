import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import t from 'tap'
import { chat, field, ID, observer, String as Text, type, webhook } from '../../../core/authoring/index.ts'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { compileCondition } from '../../../core/engine/changes/condition.ts'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { observe } from '../../../core/engine/changes/observed-change.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { testCompile } from '../../../core/testing/testing.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import { createHttpSender } from '../../../plugins/observers/api.ts'
import { compileTemplate } from '../../../plugins/observers/change/template.ts'
import compilePart from '../../../plugins/observers/compile.ts'
import { Dispatcher } from '../../../plugins/observers/deliver/dispatcher.ts'
import { ParkedLanes } from '../../../plugins/observers/deliver/lanes.ts'
import { createMemoryDeliveries } from '../../../plugins/observers/deliver/memory-deliveries.ts'
import { DEFAULT_RETRY, delayBefore } from '../../../plugins/observers/deliver/retry-policy.ts'
import { TargetSlots } from '../../../plugins/observers/deliver/target-slots.ts'
import { isPublicAddress } from '../../../plugins/observers/outgoing/address-guard.ts'
import { Progress } from '../../../plugins/observers/sql/progress.ts'
import { authored } from '../../helpers/authored.ts'
import { accounts } from './accounts.ts'

const shape = shapeOfAuthored({
  name: 'Account',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'full_name', type: 'String' },
    { name: 'balance', type: 'Decimal' },
    { name: 'tags', type: 'JSON' },
    { name: 'old', type: 'Int' },
  ],
} as never)

const { event: SAMPLE } = sampleChange(shape)
const change = (
  kind: ChangeEvent['kind'],
  now: object | null,
  before: object | null,
  more: Partial<ChangeEvent> = {},
) => {
  const text = (row: object | null) => (row === null ? null : JSON.stringify(row))
  return observe({ ...SAMPLE, kind, entity: text(now), before: text(before), ...more }, shape)
}
const holds = (source: string, of: ReturnType<typeof change>) => compileCondition(source, shape)(of)

t.test('conditions', async (t) => {
  const update = change(
    'UPDATE',
    { id: 1, full_name: 'Ann', balance: '9.50' },
    { id: 1, full_name: 'Bob', balance: '9.50' },
  )
  for (const [source, wanted] of [
    ["full_name == 'Ann'", true],
    ["fullName == 'Ann' and full_name.old == 'Bob'", true],
    ["new.full_name == 'Ann' && full_name.new != 'Bob'", true],
    ['full_name.changed()', true],
    ['balance.changed()', false],
    ["field_changed('full_name') and not field_changed('balance')", true],
    ["field_changed_to('full_name', 'Ann')", true],
    ["field_changed_to('full_name', 'Bob')", false],
    ["field_changed_from('full_name', 'Bob')", true],
    ["has_field('balance') and not has_field('tags')", true],
    ['balance == 9.5 and balance > 9 and not (balance > 10)', true],
    ["balance == '9.50'", false],
    ['tags == null', true],
    ['tags > 1', false],
    ['old == null', true],
  ] as const)
    t.equal(holds(source, update), wanted, source)
  for (const kind of ['INSERT', 'DELETE'] as const) {
    const of = change(
      kind,
      kind === 'INSERT' ? { full_name: 'a' } : null,
      kind === 'DELETE' ? { full_name: 'a' } : null,
      {
        updatedFields: ['full_name'],
      },
    )
    t.equal(holds('full_name.changed()', of), false, `${kind} changes nothing`)
    t.equal(holds("full_name == 'a'", of), true)
  }
  const told = change('UPDATE', { full_name: 'a' }, null, { updatedFields: ['fullName'] })
  t.ok(holds('full_name.changed()', told), 'what the function says, where the row before is not known')
  for (const [source, message] of [
    ['ful_name == 1', /there is no "ful_name" here\. Did you mean "full_name"/],
    ["field_changed('ful_name')", /Account has no field "ful_name"/],
    ['changed()', /changed\(\) is called on a field/],
    ['new == 1', /"new" wants a field/],
    ['full_name ==', /column/],
  ] as const)
    t.throws(() => compileCondition(source, shape), { name: 'ExpressionFault', message }, source)
})

t.test('templates: whatever stands in a row, it stays where it is put', async (t) => {
  const options = (place: 'json' | 'url' | 'header' | 'text') => ({ place, shape, env: () => undefined })
  const json = compileTemplate(
    '{"a":"x{{full_name}}\\"","b":{{full_name}},"c":{{tags}},"d":"{{tags}}"}',
    options('json'),
  )
  const url = compileTemplate('https://example.com/a/{full_name}?b={full_name}', options('url'))
  const header = compileTemplate('v={full_name}', options('header'))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.json(), (name, tags) => {
      const of = change('INSERT', { full_name: name, tags: JSON.parse(tags) }, null)
      const parsed = JSON.parse(json(of))
      if (parsed.a !== `x${name}"` || parsed.b !== name) return false
      if (JSON.stringify(parsed.c) !== JSON.stringify(JSON.parse(tags))) return false
      const made = new URL(url(of))
      const isSame = made.host === 'example.com' && made.pathname.split('/').length === 3 && made.hash === ''
      return isSame && [...made.searchParams].length === 1 && !/[\r\n\0]/.test(header(of))
    }),
    { numRuns: 50 },
  )
  t.equal(json(change('INSERT', {}, null)), '{"a":"x\\"","b":null,"c":null,"d":""}', 'what is not there')
  t.throws(() => compileTemplate('{nme}', options('text')), { message: /has no field "nme"/ })
  t.throws(() => compileTemplate('{TOKEN}', options('header')), { message: 'the environment has no TOKEN' })
  const env = () => 's"e\r\ncret'
  t.equal(
    compileTemplate('Bearer ${TOKEN}', { place: 'header', shape, env })(change('INSERT', {}, null)),
    'Bearer s"e cret',
  )
})

t.test('addresses that may be called', async (t) => {
  for (const address of ['93.184.216.34', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])
    t.ok(isPublicAddress(address), address)
  for (const address of [
    ...[
      '127.0.0.1',
      '127.8.8.8',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
    ],
    ...['100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:7f00:1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      'fe80::1',
    ],
    ...['fe80::1%eth0', 'fc00::1', 'fd12::1', 'ff02::1', '2002:7f00:1::', '2001:0:1::', '2001:db8::1', 'nothing', ''],
  ])
    t.notOk(isPublicAddress(address), address)
})

t.test('outgoing calls', async (t) => {
  const answers: { url: string; status: number; headers?: object }[] = []
  const server = createServer((request, response) => {
    const found = answers.find(({ url }) => url === request.url)
    if (found === undefined) return
    response.writeHead(found.status, found.headers as never)
    response.end('x'.repeat(200_000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bounds = { connectTimeoutMs: 2000, requestTimeoutMs: 400, maxPayloadBytes: 10 }
  const open = await createHttpSender({ ...bounds, allowHosts: [`127.0.0.1:${port}`] })
  const shut = await createHttpSender({ ...bounds, allowHosts: [] })
  t.teardown(async () => {
    await Promise.all([open.close(), shut.close()])
    server.closeAllConnections()
    server.close()
  })
  const send = (sender: typeof open, url: string, body = '{}') =>
    sender.send({ url, method: 'POST', headers: {}, body: Buffer.from(body) })
  const at = (path: string) => `http://127.0.0.1:${port}${path}`
  answers.push({ url: '/ok', status: 200 }, { url: '/moved', status: 307, headers: { location: '/ok' } })
  for (const status of [400, 401, 404, 408, 410, 422, 429, 500, 503]) answers.push({ url: `/${status}`, status })
  answers.push({ url: '/later', status: 503, headers: { 'retry-after': '7' } })

  t.same(await send(open, at('/ok')), { kind: 'done' })
  for (const status of [400, 401, 404, 410, 422])
    t.match(await send(open, at(`/${status}`)), { kind: 'never' }, `${status}`)
  for (const status of [408, 429, 500, 503]) t.match(await send(open, at(`/${status}`)), { kind: 'again' }, `${status}`)
  t.match(await send(open, at('/later')), { kind: 'again', afterMs: 7000 })
  t.match(await send(open, at('/moved')), { kind: 'never', error: /redirects are not followed/ })
  t.match(await send(open, at('/silent')), { kind: 'again', error: 'it did not answer in time' })
  t.match(await send(open, at('/ok'), '"longer than ten"'), { kind: 'never', error: /max_payload_bytes/ })
  for (const url of [
    at('/ok'),
    `http://localhost:${port}/ok`,
    `http://[::ffff:127.0.0.1]:${port}/ok`,
    `http://[::1]:${port}/ok`,
    `http://0x7f.1:${port}/ok`,
    `http://2130706433:${port}/ok`,
    `http://127.0.0.1.:${port}/ok`,
  ])
    t.match(await send(shut, url), { kind: 'never', error: /private, loopback or link-local/ }, url)
  t.match(await send(open, `http://127.0.0.1:${port + 1}/`), { kind: 'never' }, 'a name with a port is that port alone')
  t.match(await send(open, 'http://u:p@example.com/'), { kind: 'never', error: /credentials/ })
  t.match(await send(open, 'ftp://example.com/'), { kind: 'never', error: /neither http nor https/ })
})

t.test('delays', async (t) => {
  const of = (strategy: 'exponential' | 'linear' | 'fixed') =>
    [1, 2, 3, 4].map((attempts) =>
      delayBefore(
        { max_attempts: 9, backoff_strategy: strategy, initial_delay_ms: 100, max_delay_ms: 500 },
        attempts,
        0,
        () => 0.5,
      ),
    )
  t.same(of('exponential'), [100, 200, 400, 500])
  t.same(of('linear'), [100, 200, 300, 400])
  t.same(of('fixed'), [100, 100, 100, 100])
  const policy = { max_attempts: 9, backoff_strategy: 'fixed', initial_delay_ms: 100, max_delay_ms: 500 } as const
  t.equal(delayBefore(policy, 1, 9000), 9000, 'what the target asks for')
  for (let n = 0; n < 100; n++) t.ok(Math.abs(delayBefore(policy, 1) - 100) <= 25)
})

t.test('slots of a target', async (t) => {
  let now = 0
  const slots = new TargetSlots(2, 1, () => now)
  const [first, second] = [await slots.take('a'), await slots.take('a')]
  const third = slots.take('a')
  now = 600
  t.equal(await slots.take('a'), null, 'more than may wait')
  t.not(await slots.take('b'), null, 'another target')
  first?.()
  first?.()
  t.not(await third, null)
  second?.()
})

t.test('a target that is busy and keeps up is waited for, one that is slow is not', async (t) => {
  let now = 0
  const slots = new TargetSlots(1, 1, () => now)
  // What lets go of them keeps no process.
  const alive = setInterval(() => {}, 1000)
  t.teardown(() => clearInterval(alive))
  /** A target whose slot becomes free every so many milliseconds, with one call that runs and one that waits. */
  async function busy(name: string, everyMs: number) {
    let own = (await slots.take(name))!
    for (let turn = 0; turn < 100; turn++) {
      const next = slots.take(name)
      now += everyMs
      own()
      own = (await next)!
    }
    return { own, next: slots.take(name) }
  }
  const isDone = (one: Promise<unknown>) =>
    Promise.race([one.then(() => true), new Promise<false>((resolve) => setImmediate(() => resolve(false)))])

  const slow = await busy('slow', 400)
  const patient = Array.from({ length: 5 }, () => slots.take('slow'))
  t.notOk(await isDone(Promise.race(patient)), 'a slot will be free in time')
  t.equal(await slots.take('slow'), null, 'for so many it will not')
  slow.own()
  ;(await slow.next)!()
  t.not(await patient[0], null)

  const quick = await busy('quick', 1)
  const all = Array.from({ length: 300 }, () => slots.take('quick'))
  t.notOk(await isDone(Promise.race(all)))
  now += 600
  t.equal(await slots.take('quick'), null, 'nothing became free for too long: it hangs')
  now += 1500
  t.ok(
    (await Promise.all(all)).every((one) => one === null),
    'and those who waited on top of the bound go',
  )
  t.notOk(await isDone(quick.next), 'within the bound they wait for any')
  quick.own()
  t.not(await quick.next, null)

  const first = (await slots.take('new'))!
  const within = slots.take('new')
  const beyond = slots.take('new')
  t.notOk(await isDone(beyond), 'nobody knows yet whether it keeps up: a burst waits')
  now += 500
  t.equal(await beyond, null, 'until it is seen that it does not')
  t.notOk(await isDone(within))
  first()
  ;(await within)!()

  now += 60_000
  const again = (await slots.take('new'))!
  const behind = [slots.take('new'), slots.take('new')]
  t.notOk(await isDone(behind[1]!), 'a pause says nothing')
  again()
  ;(await behind[0])!()
  ;(await behind[1])!()
})

t.test('a backlog is gone through as fast as its targets take it', async (t) => {
  const store = createMemoryDeliveries()
  let told = 0
  const action = {
    type: 'webhook',
    targetOf: () => 'target',
    async run() {
      told++
      return { kind: 'done' } as const
    },
  }
  const observer = { name: 'all', retry: DEFAULT_RETRY, sync: false, actions: [action] }
  const watched = { change: change('INSERT', {}, null), observer }
  const dispatcher = new Dispatcher({
    watch: () => [watched],
    find: () => watched,
    store,
    report: { attempted() {}, buried() {}, failed: (error) => t.fail(String(error)) },
    concurrency: 10,
    turn: () => new AbortController().signal,
  })
  for (let n = 0; n < 3000; n++) {
    const lane = { lane: `lane ${n}`, observer: 'all', action: 0, actionType: 'webhook' }
    await store.park({ event: SAMPLE, ...lane, attempts: 1, maxAttempts: 3, error: null }, 0)
  }
  await dispatcher.start()
  // Two hundred each time that somebody looks, every two seconds, would be half a minute.
  const alive = setInterval(() => {}, 1000)
  const deadline = Date.now() + 15_000
  while (told < 3000 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
  clearInterval(alive)
  await dispatcher.stop()
  t.equal(told, 3000)
})

t.test('an invalid observer is a compile fault', async (t) => {
  const faultsOf = (observer: object): readonly string[] => {
    const declared = {
      name: 'one',
      event: 'INSERT',
      actions: [{ type: 'webhook', url: 'https://example.com/' }],
      ...observer,
    }
    const options = { allow_hosts: [], handlers: [] }
    return testCompile(compilePart, accounts([declared as never]), {
      plugin: 'observers',
      options: options as never,
    }).faults.map(({ message }) => message)
  }
  t.same(faultsOf({}), [])
  const hook = (more: object) => ({ actions: [{ type: 'webhook', url: 'https://example.com/', ...more }] })
  for (const [observer, message] of [
    [{ condition: 'nme == 1' }, /condition, column 1: there is no "nme" here\. Did you mean "name"/],
    [{ actions: [{ type: 'webhok' }] }, /action 1: there is no action "webhok"\. Did you mean "webhook"/],
    [hook({ bodytemplate: 'x' }), /there is no "bodytemplate".*body_template/],
    [hook({ body_template: '{"a": {{nam}}}' }), /has no field "nam"/],
    [hook({ body_template: '{"a": {{name}}' }), /gives no JSON/],
    [hook({ headers: { 'X Y': '1' } }), /"headers" wants/],
    [hook({ headers: { 'content-type': 'text/xml' } }), /bodies are JSON/],
    [hook({ method: 'GET' }), /"method" wants POST/],
    [hook({ url: 'https://{name}.example.com/' }), /not for a row to say/],
    [hook({ url: 'https://example.com{name}' }), /not for a row to say/],
    [hook({ url: 'file:///etc/passwd' }), /begins with https/],
    [hook({ url_env: 'X' }), /one is enough/],
    [{ actions: [{ type: 'chat', message: 'x' }] }, /"channel" is missing/],
    [{ retry: { max_attempts: 0 } }, /"max_attempts" wants a whole number from 1/],
    [{ retry: { attempts: 3 } }, /there is no "attempts".*max_attempts/],
    [{ retry: { backoff_strategy: 'never' } }, /"backoff_strategy" wants exponential/],
    [{ event: 'createAcount' }, /is neither INSERT, UPDATE, DELETE nor a mutation/],
  ] as const)
    t.match(faultsOf(observer)[0] ?? '', message, JSON.stringify(observer))
})

t.test('in TypeScript', async (t) => {
  const { schema } = await authored(() => {
    @type({ sqlSource: 'v_order' })
    class Order {
      @field(ID) id!: string
      @field(Text) status!: string
    }
    class Watch {
      @observer({
        entity: Order,
        event: 'UPDATE',
        condition: 'status.changed()',
        actions: [
          webhook('https://example.com/{id}', {
            method: 'PUT',
            headers: { a: 'b' },
            bodyTemplate: '{}',
            secretEnv: 'S',
          }),
          webhook({ urlEnv: 'HOOK' }),
          chat('#orders', '{id} is {status}'),
        ],
        retry: { maxAttempts: 5, backoffStrategy: 'linear', initialDelayMs: 10, maxDelayMs: 20 },
        sync: true,
      })
      moved!: unknown
    }
    observer('gone', { entity: 'Order', event: 'DELETE', actions: [chat('#x', 'y', { url: { urlEnv: 'CHAT' } })] })
    return { Order, Watch }
  })
  t.match(schema as AuthoredSchema, {
    observers: [
      {
        name: 'moved',
        entity: 'Order',
        event: 'UPDATE',
        condition: 'status.changed()',
        actions: [
          {
            type: 'webhook',
            url: 'https://example.com/{id}',
            method: 'PUT',
            headers: { a: /^b$/ },
            body_template: /^\{\}$/,
            secret_env: /^S$/,
          },
          { type: 'webhook', url_env: 'HOOK' },
          { type: 'chat', channel: '#orders', message: '{id} is {status}' },
        ],
        retry: { max_attempts: 5, backoff_strategy: 'linear', initial_delay_ms: 10, max_delay_ms: 20 },
        sync: true,
      },
      { name: 'gone', entity: 'Order', event: 'DELETE', actions: [{ type: 'chat', url_env: 'CHAT' }] },
    ],
  })
})

t.test('events that finish before an earlier one are held', async (t) => {
  const progress = new Progress('0')
  const [first, ...others] = ['1', '2', '3'].map((position) => progress.begin(position))
  for (const done of others) done()
  others[0]?.()
  t.same([progress.open, progress.held, progress.position], [1, 3, '0'])
  first?.()
  t.same([progress.open, progress.held, progress.position], [0, 0, '3'])
})

t.test('lanes with parked deliveries: as many as fit are in memory, others are looked up', async (t) => {
  const stored = new Set(['a', 'b', 'c'])
  let asked = 0
  const store = {
    waitingLanes: async (limit: number) => [...stored].slice(0, limit),
    isWaiting: async (lane: string) => {
      asked++
      return stored.has(lane)
    },
  }
  const lanes = new ParkedLanes(store, 2)
  await lanes.load()
  t.same([await lanes.has('a'), await lanes.has('b'), asked], [true, true, 0])
  t.same([await lanes.has('c'), await lanes.has('d'), asked], [true, false, 2])
  stored.delete('a')
  stored.delete('b')
  t.equal(lanes.delete('a'), false)
  t.equal(lanes.delete('b'), true, 'worth loading anew')
  await lanes.load()
  t.same([await lanes.has('c'), await lanes.has('d'), asked], [true, false, 2])
  lanes.add('e')
  lanes.add('f')
  stored.add('f')
  t.same([await lanes.has('e'), await lanes.has('f')], [true, true])
})

t.test('a lane that is parked during loading is kept', async (t) => {
  const answers: ((lanes: readonly string[]) => void)[] = []
  const store = {
    waitingLanes: () => new Promise<readonly string[]>((resolve) => answers.push(resolve)),
    isWaiting: async () => false,
  }
  const lanes = new ParkedLanes(store, 10)
  const loading = lanes.load()
  lanes.add('late')
  answers[0]!(['early'])
  await loading
  t.same([await lanes.has('early'), await lanes.has('late')], [true, true])
  const again = lanes.load()
  answers[1]!([])
  await again
  t.equal(await lanes.has('late'), false, 'once')
})

t.test('dead letters in memory are bounded at any time, and counted', async (t) => {
  const store = createMemoryDeliveries(Date.now, 3)
  const letter = (id: string) => ({
    event: { ...SAMPLE, id },
    observer: 'o',
    action: 0,
    actionType: 'webhook',
    lane: id,
    maxAttempts: 1,
    attempts: 1,
    error: 'x',
  })
  for (let n = 0; n < 10; n++) await store.bury(letter(String(n)))
  t.equal((await store.counts()).dead, 3)
  t.same([await store.trim(2), await store.trim(2)], [8, 0])
})

t.test('values of a row are escaped for their target', async (t) => {
  const of = (place: 'header' | 'chat', text: string) =>
    compileTemplate('«{full_name}»', { place, shape })(change('INSERT', { full_name: text }, null))
  t.equal(Buffer.from(of('header', 'Łódź ✓'), 'latin1').toString(), '«Łódź ✓»', 'UTF-8, whatever characters there are')
  t.equal(of('chat', '<!channel> & <http://x|y>'), '«&lt;!channel&gt; &amp; &lt;http://x|y&gt;»')
})
