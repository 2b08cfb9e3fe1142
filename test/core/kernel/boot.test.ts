import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import type { Signal } from '../../../core/contract/signals.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { emptySchema } from '../../../core/testing/testing.ts'
import { configWith } from '../../helpers/config.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

const later = () => new Promise((resolve) => setImmediate(resolve))

t.test('set-ups run one after the other in order, closings backwards', async (t) => {
  const events: string[] = []
  const tell = (scope: Scope) => async () => {
    await later()
    events.push(`close ${scope.plugin}`)
  }
  const setup = async (scope: Scope) => {
    events.push(`start ${scope.plugin}`)
    scope.onClose(tell(scope))
    await later()
    events.push(`ready ${scope.plugin}`)
  }
  const kernel = await boot([plugin('b', setup, { dependencies: ['a'] }), plugin('a', setup), plugin('c', setup)])
  await kernel.close()
  const all = ['start a', 'ready a', 'start b', 'ready b', 'start c', 'ready c', 'close c', 'close b', 'close a']
  t.same(events, all)
  await kernel.close()
  t.same(events, all, 'a second close joins the first')
})

t.test('a set-up that fails stops the boot and closes what was there', async (t) => {
  for (const [thrown, code, text] of [
    [new Error('no disk'), 'SVC_PLUGIN_SETUP_FAILED', 'Plugin "bad" failed to set up: no disk'],
    [
      new SvcError('SVC_DATABASE_MISSING', 'no driver'),
      'SVC_DATABASE_MISSING',
      'Plugin "bad" failed to set up: no driver',
    ],
    ['text', 'SVC_PLUGIN_SETUP_FAILED', 'Plugin "bad" failed to set up: text'],
    [undefined, 'SVC_PLUGIN_SETUP_FAILED', 'Plugin "bad" failed to set up: undefined'],
  ] as const) {
    const events: string[] = []
    const error = await failure(() =>
      boot([
        plugin('one', (scope) => scope.onClose(() => void events.push('close one'))),
        plugin('bad', (scope) => {
          scope.onClose(() => void events.push('close bad'))
          throw thrown
        }),
        plugin('never', () => events.push('never')),
      ]),
    )
    t.same(events, ['close bad', 'close one'])
    t.equal(error.code, 'SVC_BOOT_FAILED')
    t.match(faultsOf(error), [{ code, plugin: 'bad', message: text }])
    t.equal(error.cause, thrown)
  }
})

t.test('failing close functions are collected, at boot and at close, and stop no others', async (t) => {
  const events: string[] = []
  const broken = (scope: Scope) => {
    scope.onClose(() => {
      throw new Error(`${scope.plugin} is stuck`)
    })
  }
  const fine = (scope: Scope) => scope.onClose(() => void events.push(scope.plugin))
  const bad = () => Promise.reject(new Error('bad'))
  const bootError = await failure(() => boot([plugin('a', fine), plugin('b', broken), plugin('c', bad)]))
  t.same(
    faultsOf(bootError).map(({ message }) => message),
    ['Plugin "c" failed to set up: bad', 'Plugin "b" failed to close: b is stuck'],
  )
  t.ok(bootError.cause instanceof AggregateError)
  const kernel = await boot([plugin('a', fine), plugin('b', broken), plugin('c', broken)])
  const closeError = await failure(() => kernel.close())
  t.equal(closeError.code, 'SVC_CLOSE_FAILED')
  t.match(closeError.message, 'c is stuck')
  t.match(closeError.message, 'b is stuck')
  t.equal(await failure(() => kernel.close()), closeError, 'a second close has the outcome of the first')
  t.same(events, ['a', 'a'])
})

t.test('a set-up that never ends is named', async (t) => {
  const hung: { scope?: Scope } = {}
  const error = await failure(() =>
    boot(
      [
        plugin('quick'),
        plugin('hangs', (scope) => {
          hung.scope = scope
          return new Promise(() => {})
        }),
      ],
      { timeouts: { setUp: 30 } },
    ),
  )
  t.match(faultsOf(error), [
    {
      code: 'SVC_PLUGIN_SETUP_FAILED',
      plugin: 'hangs',
      message: 'Plugin "hangs" did not finish its set-up within 30 ms.',
    },
  ])
})

t.test('a slot that cannot be built fails the boot and names the plugin', async (t) => {
  const error = await failure(() =>
    boot([
      plugin('index', (scope) => {
        scope.perGeneration(() => {
          throw new Error('too many types')
        })
      }),
    ]),
  )
  t.match(faultsOf(error), [
    { plugin: 'index', message: 'Plugin "index" failed to build its part of the generation: too many types' },
  ])
})

t.test('describe: order, source, hooks, timings', async (t) => {
  const kernel = await boot([
    { plugin: plugin('b', (s) => s.on('authorize', () => {}), { dependencies: ['a'] }), options: {}, source: 'enable' },
    {
      plugin: plugin('a', async (s) => {
        s.on('authorize', () => {})
        await new Promise((resolve) => setTimeout(resolve, 5))
      }),
      options: {},
      source: 'preset standard',
      why: 'the driver of this URL',
    },
  ])
  const { plugins, hooks } = kernel.describe()
  t.match(plugins, [
    { name: /^a$/, version: '1.2.3', source: 'preset standard', why: 'the driver of this URL', stages: ['authorize'] },
    { name: /^b$/, source: 'enable', why: null, dependencies: [/^a$/], stages: ['authorize'] },
  ])
  t.ok(plugins[0]!.durationMs >= 4)
  t.ok(plugins[1]!.startMs >= plugins[0]!.startMs + plugins[0]!.durationMs)
  t.match(
    hooks.find(({ stage }) => stage === 'authorize'),
    { kind: 'every', owner: null, plugins: [/^a$/, /^b$/] },
  )
  await kernel.close()
})

t.test('close waits for afterCommit hooks, up to the deadline', async (t) => {
  for (const [wait, timeout] of [
    [20, 2000],
    [500, 20],
  ] as const) {
    const seen: Signal[] = []
    let done = false
    const kernel = await boot(
      [
        plugin('events', (scope) => {
          scope.on('afterCommit', async () => {
            await new Promise((resolve) => setTimeout(resolve, wait).unref())
            done = true
          })
          scope.on('afterCommit', () => Promise.reject(new Error('lost')))
        }),
      ],
      { seen, timeouts: { settle: timeout } },
    )
    kernel.hooks.afterCommit?.({} as never)
    await kernel.close()
    t.equal(done, wait < timeout)
    t.match(
      seen.find(({ type }) => type === 'after-commit-failed'),
      { plugin: 'events', error: { message: 'lost' } },
    )
    t.equal(
      seen.some((signal) => signal.type === 'warning' && /1 afterCommit hook/.test(signal.message)),
      wait > timeout,
    )
  }
})

t.test('drivers, config, log, version and state reach the plugins', async (t) => {
  const lines: unknown[] = []
  const log = {
    debug: (...line: unknown[]) => lines.push(line),
    info: (...line: unknown[]) => lines.push(line),
    warn: (...line: unknown[]) => lines.push(line),
    error: (...line: unknown[]) => lines.push(line),
  }
  const box: { scope?: Scope } = {}
  const driver = { name: 'd', accepts: () => true, open: () => Promise.reject(new Error('unused')) }
  const database = {} as never
  const config = configWith({ server: { port: 1 } })
  const kernel = await boot(
    [
      plugin(
        'p',
        (scope) => {
          box.scope = scope
          scope.driver(driver)
          // Drivers are set up before the database is open.
          t.throws(() => scope.database(), { code: 'SVC_SCOPE_PHASE' })
          t.throws(() => scope.process.databases(), { code: 'SVC_SCOPE_PHASE' })
          t.throws(() => scope.engine.run({} as never, {} as never), { code: 'SVC_SCOPE_PHASE' })
          t.throws(() => scope.pipeline.enter({ transport: 'stdio' }, () => ({}) as never), { code: 'SVC_SCOPE_PHASE' })
          t.throws(() => scope.pipeline.identify({} as never), { code: 'SVC_SCOPE_PHASE' })
          t.throws(() => scope.pipeline.toPublicError(null, {} as never), { code: 'SVC_SCOPE_PHASE' })
          for (const level of ['debug', 'info', 'warn', 'error'] as const) scope.log[level]({ n: 1 }, level)
        },
        { databaseSchemes: ['p'] },
      ),
    ],
    { log, config, openDatabase: async () => database },
  )
  const scope = box.scope!
  t.same(kernel.drivers, [driver])
  t.equal(scope.config, config)
  t.same(
    lines,
    ['debug', 'info', 'warn', 'error'].map((level) => [{ plugin: 'p', n: 1 }, level]),
  )
  t.equal(scope.process.version, '9.9.9')
  t.ok(scope.process.startedAt instanceof Date)
  t.equal(scope.process.generation, kernel.generation)
  t.equal(scope.process.draining, false)
  kernel.drain()
  t.equal(scope.process.draining, true)
  t.equal(scope.database(), database)
  t.same([...scope.process.databases()], [['default', database]])
  t.same(scope.engine.run({} as never, {} as never), { data: '{}', errors: null })
  await kernel.close()
})

t.test('during set-up there is no generation, no database and no run yet', async (t) => {
  const kernel = await boot([
    plugin('p', (scope) => {
      t.throws(() => scope.process.generation, { code: 'SVC_SCOPE_PHASE' })
      t.throws(() => scope.database(), { code: 'SVC_SCOPE_PHASE' })
      t.throws(() => scope.engine.run({} as never, {} as never), { code: 'SVC_SCOPE_PHASE' })
    }),
  ])
  t.equal(kernel.generation.schema.hash, emptySchema().hash)
  await kernel.close()
})
