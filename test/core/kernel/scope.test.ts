import t from 'tap'
import type { Scope } from '../../../core/contract/scope.ts'
import type { MaybePromise, StageHandle } from '../../../core/contract/stages.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

declare module '../../../core/doors/plugin.ts' {
  interface Stages {
    'front:document': { kind: 'waterfall'; handler: (text: string) => MaybePromise<string | undefined> }
    'front:idle': { kind: 'series'; handler: () => MaybePromise<void> }
  }
}
declare module '../../../core/doors/plugin.ts' {
  interface Provided {
    clock: { now(): number }
  }
}

/** Boots one plugin whose set-up is expected to fail; its fault. */
async function fault(setup: (scope: Scope) => unknown, ...others: ReturnType<typeof plugin>[]) {
  const error = await failure(() => boot([...others, plugin('p', setup)]))
  return faultsOf(error)[0]!
}

t.test('on: refuses what is no hook', async (t) => {
  const unknown = await fault((scope) => scope.on('onRequests' as never, (() => {}) as never))
  t.equal(unknown.code, 'SVC_HOOK_INVALID')
  t.match(unknown.message, 'Plugin "p" hooks the unknown stage "onRequests". Did you mean "onRequest"?')
  const text = await fault((scope) => scope.on('onRequest', 'handler' as never))
  t.equal(text.code, 'SVC_HOOK_INVALID')
  t.match(text.message, 'no function (string)')
})

t.test('everything is sealed after set-up', async (t) => {
  const box: { scope?: Scope } = {}
  const early = await fault(
    () => box.scope!.route({ method: 'GET', path: '/', handler: () => null as never }),
    plugin('a', (scope) => {
      box.scope = scope
    }),
  )
  t.equal(early.code, 'SVC_SCOPE_PHASE')
  t.match(early.message, 'Plugin "a" called scope.route after its set-up')
  const kernel = await boot([
    plugin('a', (scope) => {
      box.scope = scope
    }),
  ])
  const scope = box.scope!
  t.throws(() => scope.on('authorize', () => {}), { code: 'SVC_HOOK_INVALID', message: /"a" called scope.on after/ })
  t.throws(() => scope.stage('front:idle', 'series'), { code: 'SVC_HOOK_INVALID' })
  t.throws(() => scope.provide('clock', { now: () => 1 }), { code: 'SVC_SCOPE_PHASE' })
  t.throws(() => scope.use('clock'), { code: 'SVC_SCOPE_PHASE' })
  t.throws(() => scope.use('clock', { optional: true }), { code: 'SVC_SCOPE_PHASE' })
  t.throws(() => scope.perGeneration(() => 1), { code: 'SVC_SCOPE_PHASE' })
  t.throws(() => scope.driver({} as never), { code: 'SVC_SCOPE_PHASE' })
  t.throws(() => scope.onClose(() => {}), { code: 'SVC_SCOPE_PHASE' })
  await kernel.close()
})

t.test('provide and use: only between declared neighbours', async (t) => {
  const clock = { now: () => 42 }
  const owner = plugin('time', (scope) => scope.provide('clock', clock))
  let taken: unknown
  const take = (scope: Scope) => {
    taken = scope.use('clock')
  }
  const kernel = await boot([plugin('p', take, { dependencies: ['time'] }), owner])
  t.equal(taken, clock)
  await kernel.close()

  const undeclared = await fault(take, owner)
  t.equal(undeclared.code, 'SVC_USE_UNDECLARED')
  t.match(undeclared.message, 'add "time" to the `dependencies`')
  const soft = await failure(() => boot([owner, plugin('p', take, { after: ['time'] })]))
  t.equal(faultsOf(soft)[0]!.code, 'SVC_USE_UNDECLARED', 'a soft dependency may be absent: useOptional')
  const absent = await fault(take)
  t.equal(absent.code, 'SVC_USE_UNDECLARED')
  t.match(absent.message, 'no plugin set up before it provides')
  const twice = await fault((scope) => scope.provide('clock', clock), owner)
  t.equal(twice.code, 'SVC_PROVIDE_DUPLICATE')
  t.match(twice.message, 'plugin "time" provides already')
})

t.test('useOptional: what a soft dependency provides, or undefined', async (t) => {
  const clock = { now: () => 42 }
  const owner = plugin('time', (scope) => {
    scope.provide('clock', clock)
    t.equal(scope.use('clock'), clock, 'its own, too')
  })
  const taken: unknown[] = []
  const user = plugin('p', (scope) => taken.push(scope.use('clock', { optional: true })), { after: ['time'] })
  await (await boot([user])).close()
  await (await boot([user, owner])).close()
  t.same(taken, [undefined, clock])
  const undeclared = await fault((scope) => scope.use('clock', { optional: true }), owner)
  t.equal(undeclared.code, 'SVC_USE_UNDECLARED')
})

t.test('route: one owner per method and path', async (t) => {
  const mount = (scope: Scope) => {
    scope.route({ method: 'GET', path: '/x', handler: () => null as never })
    scope.route({ method: 'POST', path: '/x', handler: () => null as never })
  }
  const kernel = await boot([plugin('a', mount)])
  t.match(kernel.routes, [
    { method: 'GET', path: /^\/x$/, plugin: /^a$/ },
    { method: 'POST', path: /^\/x$/, plugin: /^a$/ },
  ])
  await kernel.close()
  const twice = await fault(mount, plugin('a', mount))
  t.equal(twice.code, 'SVC_ROUTE_DUPLICATE')
  t.match(twice.message, 'Plugin "p" mounts GET /x, which plugin "a" has mounted already.')
})

t.test('stage: a plugin adds its own, and those that depend on it hook it', async (t) => {
  const box: { document?: StageHandle<'front:document'>; idle?: StageHandle<'front:idle'> } = {}
  const front = plugin('front', (scope) => {
    box.document = scope.stage('front:document', 'waterfall')
    box.idle = scope.stage('front:idle', 'series')
    scope.on('front:document', (text) => `${text}1`)
    t.throws(() => box.document!.run, { code: 'SVC_SCOPE_PHASE' })
  })
  const add = (n: number) => (scope: Scope) => scope.on('front:document', (text) => `${text}${n}`)
  const kernel = await boot([
    plugin('three', add(3), { after: ['front', 'two'] }),
    plugin('two', add(2), { dependencies: ['front'] }),
    front,
  ])
  t.equal(box.document!.run?.('doc'), 'doc123')
  t.equal(box.idle!.run, null, 'an empty stage costs nothing')
  t.match(kernel.describe().hooks.at(-2), {
    stage: 'front:document',
    kind: 'waterfall',
    owner: 'front',
    plugins: ['front', 'two', 'three'],
  })
  await kernel.close()

  const undeclared = await fault(add(1), front)
  t.equal(undeclared.code, 'SVC_HOOK_INVALID')
  t.match(undeclared.message, 'hooks "front:document" of plugin "front" without declaring it')
  const mistyped = await failure(() =>
    boot([
      front,
      plugin('p', (s) => s.on('front:documents' as never, (() => {}) as never), { dependencies: ['front'] }),
    ]),
  )
  t.match(faultsOf(mistyped)[0]!.message, 'Did you mean "front:document"?')
  const absent = await boot([plugin('p', add(1), { after: ['front'] })])
  t.pass('a soft dependency that is absent takes its stages with it')
  await absent.close()
})

t.test('stage: refuses names and kinds that cannot be', async (t) => {
  const declare = (name: string, kind = 'series') => fault((scope) => scope.stage(name as never, kind as never))
  for (const name of ['moment', 'q:moment', 'p:', 'p:Moment!']) {
    t.match(await declare(name), { code: 'SVC_HOOK_INVALID', message: /its name must be "p:<name>"/ }, name)
  }
  t.match(await declare('p:x', 'parallel'), {
    code: 'SVC_HOOK_INVALID',
    message: /unknown kind "parallel"; kinds: around/,
  })
  const twice = await fault((scope) => {
    scope.stage('p:x' as never, 'series' as never)
    scope.stage('p:x' as never, 'series' as never)
  })
  t.match(twice, { code: 'SVC_HOOK_INVALID', message: /adds the stage "p:x" twice/ })
})
