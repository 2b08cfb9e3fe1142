import t from 'tap'
import type { Database } from '../../../core/contract/database.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import type { Signal } from '../../../core/contract/signals.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

const database = { kind: 'test' } as unknown as Database

t.test('drivers first, then the database, then the others, then ready', async (t) => {
  const seen: string[] = []
  const note = (name: string) => (scope: Scope) => {
    seen.push(`${name} ${isOpen(scope) ? 'open' : 'closed'}`)
    scope.onReady(() => void seen.push(`${name} ready`))
    scope.onDrain(() => void seen.push(`${name} drains`))
    scope.onClose(() => void seen.push(`${name} closes`))
  }
  const kernel = await boot(
    [
      plugin('front', note('front')),
      plugin('driver', note('driver'), { databaseSchemes: ['x'], dependencies: ['base'] }),
      plugin('early', note('early'), { before: ['base'] }),
      plugin('base', note('base')),
    ],
    {
      openDatabase: async () => {
        seen.push('database')
        return database
      },
    },
  )
  t.same(
    kernel.describe().plugins.map(({ name, durationMs }) => [name, durationMs >= 0]),
    [
      ['early', true],
      ['base', true],
      ['driver', true],
      ['front', true],
    ],
  )
  await kernel.ready()
  t.same(seen.splice(0), [
    'early closed',
    'base closed',
    'driver closed',
    'database',
    'front open',
    'early ready',
    'base ready',
    'driver ready',
    'front ready',
  ])
  const [first, second] = [kernel.drain(), kernel.drain()]
  t.ok(kernel.process.draining)
  await Promise.all([first, second])
  await kernel.close()
  t.same(seen.slice(0, 4).sort(), ['base drains', 'driver drains', 'early drains', 'front drains'])
  t.same(seen.slice(4), ['front closes', 'driver closes', 'base closes', 'early closes'])
})

t.test('a database that cannot be opened keeps its error, and the drivers are closed', async (t) => {
  const seen: string[] = []
  const driver = plugin('driver', (scope) => scope.onClose(() => void seen.push('closed')), { databaseSchemes: ['x'] })
  const away = new Error('nobody there')
  const error = await failure(() =>
    boot([driver, plugin('front', () => seen.push('set up'))], { openDatabase: () => Promise.reject(away) }),
  )
  t.equal(error, away)
  t.same(seen, ['closed'])
})

t.test('a failing driver ends the boot before the database; a failing onReady names its plugin', async (t) => {
  let asked = false
  const broken = plugin(
    'driver',
    () => {
      throw new Error('no such library')
    },
    { databaseSchemes: ['x'] },
  )
  const first = await failure(() =>
    boot([broken], {
      openDatabase: async () => {
        asked = true
        return database
      },
    }),
  )
  t.match(faultsOf(first), [{ plugin: 'driver', message: /no such library/ }])
  t.notOk(asked)

  const kernel = await boot([
    plugin('listener', (scope) => scope.onReady(() => Promise.reject(new Error('port 1 is taken')))),
    plugin('later', (scope) => scope.onReady(() => void t.fail('is not reached'))),
  ])
  const second = await failure(() => kernel.ready())
  t.match(faultsOf(second), [{ plugin: 'listener', message: 'Plugin "listener" failed to get ready: port 1 is taken' }])
  await kernel.close()
})

t.test('drain stops waiting at its deadline, and reports failing plugins', async (t) => {
  const seen: Signal[] = []
  const kernel = await boot(
    [
      plugin('hangs', (scope) => scope.onDrain(() => new Promise(() => {}))),
      plugin('fails', (scope) =>
        scope.onDrain(() => {
          throw new Error('was not open')
        }),
      ),
    ],
    { seen, timeouts: { drain: 20 } },
  )
  await kernel.drain()
  const warnings = seen.filter(({ type }) => type === 'warning')
  t.match(warnings, [
    { plugin: 'fails', message: 'Plugin "fails" failed to drain: was not open' },
    { plugin: 'hangs', message: /not done after 20 ms/ },
  ])
  await kernel.close()
})

function isOpen(scope: Scope): boolean {
  try {
    return scope.database() === database
  } catch {
    return false
  }
}
