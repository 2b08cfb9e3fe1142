import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Reply, Scope } from '../../../../core/doors/plugin.ts'
import { SvcError } from '../../../../core/doors/plugin.ts'
import { createEntrance } from '../../../../core/service/lifecycle/enter.ts'
import type { PlainExchange } from '../../../../core/service/lifecycle/plain-exchange.ts'
import { testPlugin } from '../../../../core/testing/testing.ts'
import { createBareApp } from '../../../helpers/bare-app.ts'
import { entry, failure, plugin } from '../../../helpers/kernel.ts'

const say = (body: Reply['body']): Reply => ({ status: 200, headers: {}, body })
const never = (): Promise<Reply> => new Promise(() => {})

t.test('an exchange that is not an HTTP request passes the same hooks in the same order', async (t) => {
  const seen: string[] = []
  const tested = await testPlugin(
    plugin('guard', (scope) => {
      scope.on('onRequest', async (ctx, next) => {
        seen.push(`around ${ctx.transport} ${ctx.address}`)
        if (ctx.headers['x-banned'] !== undefined) throw new SvcError('FORBIDDEN', 'Not you.')
        ctx.replyHeaders = { 'x-stamp': 'yes' }
        return next()
      })
      scope.on('authenticate', (ctx) => {
        seen.push('authenticate')
        if (ctx.headers.authorization === 'bad') throw new SvcError('UNAUTHENTICATED', 'A bad one.')
        return { subject: 'ada', claims: {}, scopes: [], roles: [], method: 'guard' }
      })
    }),
  )
  const reply = await tested.enter({ transport: 'stdio', address: 'here' }, (ctx) =>
    say(`${ctx.auth?.subject} ${ctx.replyHeaders?.['x-stamp']} ${ctx.generation === tested.kernel.generation}`),
  )
  t.equal(reply.body, 'ada yes true')
  t.strictSame(seen, ['around stdio here', 'authenticate'])

  const refused = await tested.enter({ transport: 'websocket', headers: { authorization: 'bad' } }, () => {
    throw new Error('the handler is not reached')
  })
  t.match(refused, { status: 401, body: /A bad one/ })
  const banned = await tested.enter(
    {
      transport: 'websocket',
      headers: { 'x-banned': '1' },
      renderError: (ctx, error) => say(`${ctx.transport}: ${(error as Error).message}`),
    },
    () => say('not reached'),
  )
  t.equal(banned.body, 'websocket: Not you.')

  seen.length = 0
  const known = await tested.enter({ transport: 'internal', auth: null, id: 'mine' }, async (ctx) =>
    say(`${ctx.auth} ${ctx.id}`),
  )
  t.equal(known.body, 'null mine')
  t.strictSame(seen, ['around internal '], 'who is known is not asked again')
  await tested.close()
})

t.test('a handler that throws, or gives no reply, is answered and reported', async (t) => {
  const tested = await testPlugin(plugin('plain'))
  t.match(await tested.enter({ transport: 'internal' }, () => undefined as never), { status: 500 })
  t.match(await tested.enter({ transport: 'internal' }, () => Promise.reject(new Error('secret'))), {
    status: 500,
    body: /^(?!.*secret)/,
  })
  const [first, second] = tested.takeReported()
  t.match(first, { type: 'request-failed', error: /The handler of scope.pipeline.enter gave no reply/ })
  t.match(second, { type: 'request-failed', error: /secret/ })
  await tested.close()
})

t.test('the deadline, the signal and the end of the stream', async (t) => {
  const tested = await testPlugin(plugin('plain'))
  const untilAborted = (deadlineMs: number, signal?: AbortSignal): Promise<Reply> =>
    Promise.resolve(
      tested.enter(
        { transport: 'websocket', deadlineMs, ...(signal && { signal }) },
        (ctx) => new Promise((resolve) => ctx.onAbort(() => resolve(say(ctx.abortReason)))),
      ),
    )
  t.equal((await untilAborted(20)).body, 'timeout')
  const control = new AbortController()
  const left = untilAborted(0, control.signal)
  control.abort()
  t.equal((await left).body, 'client')
  t.equal((await untilAborted(0, control.signal)).body, 'client', 'gone before it came')

  const source = new PassThrough()
  const reply = await tested.enter({ transport: 'websocket', deadlineMs: 30 }, () => say(source))
  t.equal(reply.body, source)
  while (!source.destroyed) await sleep(5)
  await tested.close()
})

t.test('a handler that hangs is answered when its time is up, and what it gives later is dropped', async (t) => {
  const tested = await testPlugin(plugin('plain'))
  const late = new PassThrough()
  let give: (reply: Reply) => void = () => {}
  let seen: unknown = null
  const started = performance.now()
  const reply = await tested.enter(
    {
      transport: 'websocket',
      deadlineMs: 30,
      renderError: (_ctx, error) => {
        seen = error
        return say(`mine: ${(error as SvcError).code}`)
      },
    },
    () =>
      new Promise((resolve) => {
        give = resolve
      }),
  )
  t.equal(reply.body, 'mine: TIMEOUT', 'in the shape of the front')
  t.strictSame((seen as SvcError).details, { outcome: 'unknown' }, 'it may have been done')
  t.ok(performance.now() - started < 3000)
  give(say(late))
  while (!late.destroyed) await sleep(5)
  await tested.close()
})

t.test('a late reply that is no stream is dropped too', async (t) => {
  const tested = await testPlugin(plugin('plain'))
  for (const body of ['text', null]) {
    let give: (reply: Reply) => void = () => {}
    const hanging = () =>
      new Promise<Reply>((resolve) => {
        give = resolve
      })
    const reply = await tested.enter(
      { transport: 'websocket', deadlineMs: 20, renderError: () => say('late') },
      hanging,
    )
    t.equal(reply.body, 'late')
    give(say(body))
    await sleep(20)
  }
  await tested.close()
})

t.test('a stream that comes in time is read to its end, with and without a deadline', async (t) => {
  const tested = await testPlugin(plugin('plain'))
  for (const deadlineMs of [0, 5000]) {
    const source = new PassThrough()
    const reply = await tested.enter({ transport: 'websocket', deadlineMs }, async () => {
      await sleep(5)
      return say(source)
    })
    t.equal(reply.body, source)
    t.equal(source.destroyed, false)
    const read = text(source)
    source.end('all of it')
    t.equal(await read, 'all of it', `${deadlineMs} ms`)
  }
  await tested.close()
})

t.test('an exchange that has ended ignores its deadline, its signal and the end of the process', async (t) => {
  const generation = { id: 1, hash: '', schema: null, loadedAt: new Date(0), slots: [] } as never
  const entered: PlainExchange[] = []
  const { enter, drain } = createEntrance({
    generation: () => generation,
    pipeline: (ctx) => {
      entered.push(ctx)
      return ctx.work.handler(ctx)
    },
    failOverdue: () => say('overdue'),
    deadlineMs: 20,
  })
  const control = new AbortController()
  const { signal } = control
  const listeners = () => getEventListeners(signal, 'abort').length
  const source = new PassThrough()
  t.equal((await enter({ transport: 'internal', signal }, () => say('at once'))).body, 'at once')
  t.equal((await enter({ transport: 'internal', signal }, async () => say('soon'))).body, 'soon')
  t.equal((await enter({ transport: 'internal', signal, deadlineMs: 0 }, async () => say('free'))).body, 'free')
  t.equal(listeners(), 0)
  await enter({ transport: 'internal', signal }, () => say(source))
  t.equal(listeners(), 1, 'in flight to the last byte')
  const read = text(source)
  source.end('x')
  t.equal(await read, 'x')
  await sleep(60)
  t.equal(listeners(), 0)
  control.abort()
  t.strictSame(
    entered.map(({ abortReason }) => abortReason),
    [null, null, null, null],
  )
  const started = performance.now()
  await drain(10_000)
  t.ok(performance.now() - started < 1000, 'nothing is in flight')

  let give: (reply: Reply) => void = () => {}
  const last = enter({ transport: 'internal', deadlineMs: 0 }, () => new Promise<Reply>((resolve) => (give = resolve)))
  const draining = drain(10_000)
  give(say('last'))
  t.equal((await last).body, 'last')
  await draining
  t.ok(performance.now() - started < 1000, 'the process ends with the last one')
  t.equal(entered.at(-1)?.abortReason, null)
})

t.test('the process waits for what is in flight, and ends what does not end', async (t) => {
  let scope: Scope | null = null
  const app = await createBareApp(t, {
    plugins: [
      entry(
        plugin('front', (given) => {
          scope = given
        }),
      ),
    ],
    server: { shutdown_timeout_ms: 300, request_timeout_ms: 0 },
  })
  const { enter } = (scope as unknown as Scope).pipeline
  const source = new PassThrough()
  await enter({ transport: 'internal' }, () => say(source))
  let reason: string | null = null
  void enter({ transport: 'internal' }, (ctx) => {
    ctx.onAbort(() => {
      reason = ctx.abortReason
    })
    return never()
  })
  const read = text(source)
  const closing = app.close()
  source.end('to the end')
  t.equal(await read, 'to the end')
  await closing
  t.equal(reason, 'client')
})

t.test('an exchange that enters before boot is over is refused', async (t) => {
  let fault: Error | null = null
  const tested = await testPlugin(
    plugin('early', async (scope) => {
      fault = await failure(() => scope.pipeline.enter({ transport: 'internal' }, never))
    }),
  )
  t.match(fault, { code: 'SVC_SCOPE_PHASE' })
  await tested.close()
})
