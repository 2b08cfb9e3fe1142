import fastifyPlugin from 'fastify-plugin'
import t from 'tap'
import { toPlugin } from '../../../core/config/to-plugin.ts'
import { definePlugin } from '../../../core/kernel/plugin.ts'
import { boot, entry, failure, plugin } from '../../helpers/kernel.ts'

const fp = fastifyPlugin as unknown as (fn: unknown, meta?: object) => unknown

t.test('a plugin is a plugin', async (t) => {
  const own = plugin('own')
  t.equal(toPlugin(own, 'x'), own)
  t.ok(Object.isFrozen(definePlugin(own.manifest, () => {})))
})

t.test('a plain fastify-plugin function: name and dependencies are honoured, async or with a callback', async (t) => {
  const ran: string[] = []
  const asynchronous = fp(
    async (scope: { plugin: string }) => {
      ran.push(scope.plugin)
    },
    { name: 'asynchronous', dependencies: ['callback'] },
  )
  const callback = fp(
    (scope: { plugin: string }, _options: unknown, done: () => void) => {
      ran.push(scope.plugin)
      setImmediate(done)
    },
    { name: 'callback' },
  )
  const kernel = await boot([entry(toPlugin(asynchronous, 'x')), entry(toPlugin(callback, 'x'))])
  t.same(ran, ['callback', 'asynchronous'])
  t.same(
    kernel.describe().plugins.map(({ name }) => name),
    ran,
  )
  await kernel.close()

  const failing = fp((_s: unknown, _o: unknown, done: (error: Error) => void) => done(new Error('no')), {
    name: 'failing',
  })
  const error = await failure(() => boot([entry(toPlugin(failing, 'x'))]))
  t.match(error.message, 'Plugin "failing" failed to set up: no')
})

t.test('the error says what the value looks like, and what to do', async (t) => {
  const { manifest } = plugin('named')
  for (const [value, text] of [
    [undefined, 'the module has no default export'],
    [null, 'it is a null'],
    ['name', 'it is a string'],
    [() => {}, 'it is a plain function. Wrap it'],
    [{ default: plugin('x') }, 'looks like a module namespace'],
    [{ default: () => {} }, 'looks like a module namespace'],
    [{ manifest }, 'it has a manifest but no `setup` function'],
    [manifest, 'looks like a manifest'],
    [{ name: 'standard', plugins: [] }, 'looks like a preset'],
    [Promise.resolve(), 'it is a promise'],
    [{}, 'an object without `manifest` and `setup`'],
    [{ manifest: { ...manifest, name: 'Not Kebab' }, setup() {} }, 'kebab-case text, not "Not Kebab"'],
    [{ manifest: { ...manifest, name: undefined }, setup() {} }, 'kebab-case text, not undefined'],
    [{ manifest: { ...manifest, version: 1 }, setup() {} }, 'the manifest of "named" lacks `version`'],
    [{ manifest: { ...manifest, kernelApi: '1' }, setup() {} }, 'lacks `kernelApi`'],
    [{ manifest: { ...manifest, description: undefined }, setup() {} }, 'lacks `description`'],
    [{ manifest: { ...manifest, after: 'graphql' }, setup() {} }, '`after` in the manifest of "named" must be a list'],
    [{ manifest: { ...manifest, dependencies: [1] }, setup() {} }, '`dependencies` in the manifest'],
  ] as const) {
    const error = await failure(() => toPlugin(value, 'use ./x.ts'))
    t.equal(error.code, 'SVC_PLUGIN_INVALID')
    t.match(error.message, text)
    t.match(error.message, 'use ./x.ts')
  }
})
