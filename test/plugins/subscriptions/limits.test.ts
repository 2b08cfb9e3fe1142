import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type Exchange, SvcError } from '../../../core/doors/plugin.ts'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { Turns } from '../../../plugins/subscriptions/hub/reader.ts'
import { ReadQuota } from '../../../plugins/subscriptions/session/read-quota.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { openStream } from '../sse/streams.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, shop, until } from './shop.ts'

/** Many different subscriptions of one client cost others nothing: they are bounded, and their reads take turns. */
t.setTimeout(120_000)

t.test('work takes turns, and other work gets in between', async (t) => {
  const turns = new Turns(3)
  let [running, most, done, immediates] = [0, 0, 0, 0]
  const count = (): void => {
    immediates++
    if (done < 100) setImmediate(count)
  }
  setImmediate(count)
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      turns
        .run(async () => {
          order.push(index)
          most = Math.max(most, ++running)
          await null
          running--
          if (index % 10 === 0) throw new Error('it fails')
        })
        .catch(() => {})
        .finally(() => done++),
    ),
  )
  t.equal(most, 3)
  t.same(
    order,
    Array.from({ length: 100 }, (_, index) => index),
    'in the order in which it came',
  )
  t.ok(immediates >= 30, `the event loop went round ${immediates} times`)
  t.equal(await turns.run(async () => 'free'), 'free')
})

t.test('different subscriptions are counted for their connection and their caller', async (t) => {
  const quota = new ReadQuota({ perConnection: 2, perCaller: 3 })
  const from = (address: string, subject: string | null = null) =>
    ({ address, auth: subject === null ? null : { subject } }) as unknown as Exchange
  const nobody = from('10.0.0.1')
  const refused = (work: () => unknown, message: RegExp): void => {
    try {
      work()
      t.fail('it is not refused')
    } catch (error) {
      t.ok(error instanceof SvcError)
      t.equal((error as SvcError).code, 'VALIDATION_ERROR')
      t.match((error as SvcError).message, message)
    }
  }
  const a = quota.take(nobody, 'one', 'a')
  const again = quota.take(nobody, 'one', 'a')
  quota.take(nobody, 'one', 'b')
  quota.take(nobody, 'one', 'b')
  refused(() => quota.take(nobody, 'one', 'c'), /^A connection has at most 2 different subscriptions at once\.$/)
  const c = quota.take(nobody, 'two', 'c')
  refused(() => quota.take(nobody, 'two', 'd'), /^A caller has at most 3 different subscriptions at once\.$/)
  refused(() => quota.take(nobody, null, 'd'), /^A caller/)
  quota.take(from('10.0.0.2'), 'three', 'd')
  quota.take(from('10.0.0.1', 'ann'), 'four', 'd')
  quota.take(from('10.0.0.1', '10.0.0.1'), 'five', 'd')
  a()
  a()
  refused(() => quota.take(nobody, 'two', 'd'), /^A caller/)
  again()
  quota.take(nobody, 'two', 'd')
  c()
  quota.take(nobody, 'two', 'e')
})

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL })

  await t.test('one more than the bound is an error of that subscription, over every way in', async (t) => {
    const app = await openShop(t, { kind: 'postgres', url }, shop([CHANGED]), {
      subscriptions: { max_different_per_connection: 3, max_different_per_caller: 5 },
      plugins: [rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })),
    })
    const follow = (client: ReturnType<typeof connect>, customer: string) =>
      listen(client, app, `subscription { orderChanged(customer: "${customer}") { customer } }`)
    const [one, two, known] = [connect(t, app), connect(t, app), connect(t, app, { authToken: 'ann' })]
    const first = await follow(one, 'a')
    const heard = [first, await follow(one, 'a'), await follow(one, 'b'), await follow(one, 'c')]
    t.same(
      heard.filter(({ error }) => error !== null),
      [],
      'equal ones count once',
    )
    const more = await follow(one, 'd')
    t.match(more.error, [{ extensions: { code: 'VALIDATION_ERROR' }, message: /A connection has at most 3/ }])
    t.equal((await follow(two, 'd')).error, null)
    t.equal((await follow(two, 'e')).error, null)
    t.match((await follow(two, 'f')).error, [{ message: /A caller has at most 5/ }])
    const field = `subscription { orderChanged(customer: "f") { customer } }`
    const stream = await openStream(t, app, `/graphql/stream?query=${encodeURIComponent(field)}`)
    await stream.over
    t.match(stream.text, /A caller has at most 5/)
    t.equal((await openStream(t, app, '/rest/v1/orders/stream')).status, 400)
    t.equal((await follow(known, 'f')).error, null, 'another caller')
    // One of two equal ones ends: the other still counts.
    first.end()
    await until(() => app.metric('svc_subscriptions_active') === 6, 'it ends')
    t.match((await follow(one, 'd')).error, [{ message: /at most/ }])
    heard[2]!.end()
    await until(() => app.metric('svc_subscriptions_active') === 5, 'it ends')
    t.equal((await follow(one, 'd')).error, null, 'what has ended is free again')
    await two.dispose()
    await until(() => app.metric('svc_subscriptions_active') === 4, 'a connection ends')
    t.equal((await openStream(t, app, '/rest/v1/orders/stream')).status, 200)
  })

  await t.test('a write for many different subscriptions does not delay requests', async (t) => {
    const app = await openShop(t, { kind: 'postgres', url }, shop([CHANGED]), {
      observers: null,
      subscriptions: { max_different_per_connection: 400, reads_at_once: 2 },
    })
    const client = connect(t, app)
    const names = Array.from({ length: 400 }, (_, n) => `c${n}`)
    const heard = await Promise.all(
      names.map((name) => listen(client, app, `subscription ${name} { ${name}: orderChanged { customer } }`)),
    )
    t.same(
      heard.filter(({ error }) => error !== null),
      [],
    )
    const before = app.metric('svc_subscriptions_reads_total')
    await app.place('all')
    const [started, read] = [Date.now(), app.metric('svc_subscriptions_reads_total')]
    await app.graphql('{ orders(limit: 1) { customer } }')
    const reads = app.metric('svc_subscriptions_reads_total') - read
    t.ok(
      reads < 200,
      `a request between the reads: ${reads} of 400 began before it was answered, ${Date.now() - started} ms`,
    )
    for (const [index, one] of heard.entries()) {
      t.same(await one.wait(1), [{ data: { [names[index]!]: { customer: 'all' } } }])
    }
    await sleep(20)
    t.equal(app.metric('svc_subscriptions_reads_total') - before, 400)
  })
}
