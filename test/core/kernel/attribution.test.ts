import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { createLog, logSignals } from '../../../core/service/signals/log.ts'
import { testOperation, testPlugin } from '../../../core/testing/testing.ts'
import { plugin } from '../../helpers/kernel.ts'

t.test(
  "the log of a failed request names the plugin whose hook raised the error; the client's answer does not",
  async (t) => {
    const tested = await testPlugin(
      plugin('guilty', (scope) => {
        scope.on('onRequest', async (ctx, next) => {
          if (ctx.transport === 'http' && ctx.pathname === '/hook') throw new Error('guilty of this')
          return next()
        })
      }),
      { dependencies: [plugin('passer-by', (scope) => scope.on('onRequest', async (_ctx, next) => await next()))] },
    )
    const response = await tested.inject({ url: '/hook' })
    t.equal(response.status, 500)
    t.notMatch(response.text, 'guilty')
    const lines: string[] = []
    const signals = createSignals()
    logSignals(signals, createLog({ env: {}, write: (line) => lines.push(line), isTerminal: false }))
    for (const signal of tested.takeReported()) if (signal.type !== 'log') signals.emit(signal)
    t.match(JSON.parse(lines[0]!), { level: 'error', target: 'guilty', message: 'a request failed' })
    t.equal((await tested.inject({ url: '/elsewhere' })).status, 404)
    await tested.close()
  },
)

t.test('an exposed SvcError reaches the caller as it was thrown', async (t) => {
  const denied = new SvcError('FORBIDDEN', 'not you', { details: { need: 'admin' } })
  const tested = await testPlugin(
    plugin('guard', (scope) => {
      scope.on('authorize', async () => {
        throw denied
      })
    }),
  )
  const error = await (async () => tested.run(tested.exchange(), testOperation()))().catch((thrown: unknown) => thrown)
  t.equal(error, denied, 'the very same one')
  t.same(Object.keys(denied), Object.keys(new SvcError('FORBIDDEN', 'x')), 'and nothing was added to it')
  await tested.close()
})
