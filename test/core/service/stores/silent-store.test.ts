import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { listStores, openRedis } from '../../../../core/service/stores/redis.ts'
import { failure } from '../../../helpers/kernel.ts'
import { startRedis } from '../../../helpers/redis-server.ts'
import { requireService, SERVICES, type TestLike } from '../../../helpers/services.ts'
import { createTcpProxy } from '../../../helpers/tcp-proxy.ts'

function watchSignals() {
  const signals = createSignals()
  const seen: string[] = []
  signals.subscribe((signal: Signal) => {
    if (signal.type === 'store-down' || signal.type === 'store-up') seen.push(signal.type)
  })
  return { signals, seen }
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function until(
  t: TestLike,
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const started = Date.now()
  while (!(await holds())) {
    if (Date.now() - started > withinMs) return void t.fail(what)
    await sleep(20)
  }
  t.pass(what)
}

t.test('a frozen server costs one call its time, the rest nothing, and is found again in the background', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const { signals, seen } = watchSignals()
  const redis = await openRedis(server.url, { signals, timeoutMs: 400 })
  t.teardown(() => redis.close())
  await redis.call('SET', 'a', '1')
  t.strictSame(listStores(signals), [{ host: new URL(server.url).host, isUp: true }])

  server.freeze()
  const first = await elapsed(async () => {
    const errors = await Promise.all(Array.from({ length: 5 }, () => failure(() => redis.call('GET', 'a'))))
    for (const { code } of errors) t.equal(code, 'SERVICE_UNAVAILABLE')
  })
  t.ok(first >= 390 && first < 1500, `those that were under way wait for their time: ${first} ms`)
  const rest = await elapsed(async () => {
    for (let i = 0; i < 50; i++) t.match(await failure(() => redis.call('GET', 'a')), { code: 'SERVICE_UNAVAILABLE' })
  })
  t.ok(rest < 390, `fifty that come later do not: ${rest} ms`)
  // Longer than one connection is kept without an answer.
  await sleep(2500)
  t.ok((await elapsed(() => failure(() => redis.call('GET', 'a')))) < 200, 'nor while the connection is replaced')
  t.equal(listStores(signals)[0]?.isUp, false)
  t.strictSame(seen, ['store-down'], 'and it is said once')

  server.thaw()
  await until(t, 'it is found again without a request', () => seen.includes('store-up'))
  t.equal(await redis.call('GET', 'a'), '1')
  t.strictSame(seen, ['store-down', 'store-up'])
  t.equal(listStores(signals)[0]?.isUp, true)
})

t.test('the time is of the call, and not of who opened the connection first', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const { signals, seen } = watchSignals()
  const hasty = await openRedis(server.url, { signals, timeoutMs: 100 })
  const patient = await openRedis(server.url, { signals, timeoutMs: 3000 })
  t.teardown(async () => {
    await hasty.close()
    await patient.close()
  })
  await hasty.call('SET', 'a', '1')
  const work = patient.call('DEBUG', 'SLEEP', 0.6)
  const behind = patient.call('GET', 'a')
  await failure(() => hasty.call('GET', 'a'))
  t.match(await failure(() => hasty.call('GET', 'a')), { code: 'SERVICE_UNAVAILABLE' })
  t.strictSame([await work, await behind], ['OK', '1'], 'who may wait for longer does')
  await until(t, 'the hasty one comes back by itself', () => seen.includes('store-up'))
  t.equal(await hasty.call('GET', 'a'), '1')
})

t.test('a caller that leaves while the server is silent leaves no state', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const hasty = watchSignals()
  const patient = watchSignals()
  const one = await openRedis(server.url, { signals: hasty.signals, timeoutMs: 50 })
  const other = await openRedis(server.url, { signals: patient.signals, timeoutMs: 5000 })
  t.teardown(() => other.close())
  await other.call('SET', 'a', '1')
  const work = other.call('DEBUG', 'SLEEP', 0.4)
  await failure(() => one.call('GET', 'a'))
  t.strictSame([hasty.seen, patient.seen], [['store-down'], ['store-down']], 'each app that uses it hears of it')
  await one.close()
  await work
  t.equal(listStores(patient.signals)[0]?.isUp, true)
  t.strictSame(listStores(hasty.signals), [], 'an app sees its own stores')
})

t.test('the server is away as long as it is silent for one user, whatever the others hear', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const { signals, seen } = watchSignals()
  const gone = await openRedis(server.url, { signals, timeoutMs: 50 })
  const hasty = await openRedis(server.url, { signals, timeoutMs: 100 })
  const patient = await openRedis(server.url, { signals, timeoutMs: 5000 })
  t.teardown(async () => {
    await hasty.close()
    await patient.close()
  })
  await patient.call('SET', 'a', '1')
  const first = patient.call('DEBUG', 'SLEEP', 0.3)
  await failure(() => gone.call('GET', 'a'))
  await gone.close()
  await first
  await patient.call('GET', 'a')
  t.equal(listStores(signals)[0]?.isUp, true)
  // Longer than the probe takes that was under way for the one that left.
  await sleep(700)

  const second = patient.call('DEBUG', 'SLEEP', 0.4)
  await failure(() => hasty.call('GET', 'a'))
  await second
  t.equal(listStores(signals)[0]?.isUp, false, 'the hasty one still waits for a probe')
  await until(t, 'it is up when the last of them hears it', () => listStores(signals)[0]?.isUp === true)
  t.strictSame(seen, ['store-down', 'store-up', 'store-down', 'store-up'])
})

t.test('the connection ends with its last user, and not before', async (t) => {
  const server = await startRedis(t)
  if (server === null) return
  const { signals } = watchSignals()
  const watcher = await openRedis(`${server.url}/1`, { signals })
  t.teardown(() => watcher.close())
  const names = async () => String(await watcher.call('CLIENT', 'LIST')).match(/ name=shared /g)?.length ?? 0
  const one = await openRedis(server.url, { signals })
  const other = await openRedis(server.url, { signals })
  await one.call('CLIENT', 'SETNAME', 'shared')
  t.equal(await names(), 1)
  await one.close()
  t.equal(await names(), 1)
  t.equal(await other.call('PING'), 'PONG')
  await other.close()
  await until(t, 'the server has one client less', async () => (await names()) === 0)
})

t.test('a connection whose other end is gone without a word is replaced', async (t) => {
  if (!(await requireService(t, 'redis'))) return
  const proxy = await createTcpProxy(t, SERVICES.redis.host, SERVICES.redis.port)
  const { signals, seen } = watchSignals()
  const redis = await openRedis(`redis://127.0.0.1:${proxy.port}`, { signals, timeoutMs: 200 })
  t.teardown(() => redis.close())
  t.equal(await redis.call('PING'), 'PONG')
  proxy.lose()
  const key = `svc-test:${randomUUID()}`
  await failure(() => redis.call('SET', key, 'late', 'PX', 60_000))
  await until(t, 'another one is opened', () => seen.includes('store-up'))
  t.equal(await redis.call('PING'), 'PONG')
  t.equal(await redis.call('GET', key), null, 'a command that failed is not sent again')
})
