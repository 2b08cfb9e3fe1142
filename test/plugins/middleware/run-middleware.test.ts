import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Middleware } from '../../../core/doors/command.ts'
import type { AnyExchange } from '../../../core/doors/plugin.ts'
import { runMiddleware } from '../../../plugins/middleware/run-middleware.ts'

t.test('a late or unawaited failure of middleware does not end the process', async (t) => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const ctx = { transport: 'http', headers: {}, context: {}, auth: null } as unknown as AnyExchange
  const run = (outer: Middleware) => {
    const inner: Middleware = () => Promise.reject(new Error('refused inside'))
    return runMiddleware(
      [outer, inner],
      ctx,
      () => null,
      () => ({ status: 200, headers: {}, body: null }),
    )
  }
  await t.rejects(
    run(async (request, next) => {
      const answer = next(request)
      await sleep(20)
      return answer
    }),
    { message: 'refused inside' },
    'who waits for it is told all the same',
  )
  const { status } = await run(async (request, next) => {
    void next(request)
    await sleep(20)
    return { status: 202 }
  })
  t.equal(status, 202)
  t.strictSame(unhandled, [])
})
