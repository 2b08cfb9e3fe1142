import t from 'tap'
import type { Scope } from '../../../core/contract/scope.ts'
import type { Signal } from '../../../core/contract/signals.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import { emptySchema, testPlugin } from '../../../core/testing/testing.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

const schema = (hash: string): SchemaModel => ({ ...emptySchema(), hash })

/** Notes what is disposed of. */
function keeper(seen: string[], name = 'keeper') {
  return plugin(name, (scope) => {
    scope.perGeneration((model) => `${name} ${model.hash}`, { dispose: (value) => void seen.push(value) })
  })
}

t.test('a value without a dispose function costs nothing', async (t) => {
  const kernel = await boot([plugin('p', (scope) => scope.perGeneration(() => 1))])
  t.equal(kernel.leases, null)
  const held = kernel.process.hold()
  t.equal(held.generation, kernel.generation)
  held.release()
  await kernel.close()
})

t.test('a generation goes when its last user leaves, the last slot first', async (t) => {
  const seen: string[] = []
  const kernel = await boot([keeper(seen, 'a'), keeper(seen, 'b')], { schema: schema('one') })
  const [first, second] = [kernel.process.hold(), kernel.process.hold()]
  await kernel.reload(async () => schema('two'))
  first.release()
  first.release()
  await turn()
  t.same(seen, [], 'somebody is left')
  second.release()
  await turn()
  t.same(seen.splice(0), ['b one', 'a one'])
  await kernel.reload(async () => schema('three'))
  await turn()
  t.same(seen.splice(0), ['b two', 'a two'], 'nobody used it: at once')
  const late = kernel.process.hold()
  await kernel.close()
  t.same(seen.splice(0), ['b three', 'a three'], 'close waits for nobody')
  late.release()
  t.same(seen, [])
})

t.test('a generation that is built and does not go live is disposed of', async (t) => {
  const seen: string[] = []
  const kernel = await boot(
    [
      keeper(seen),
      plugin('picky', (scope) => {
        scope.perGeneration(({ hash }) => {
          if (hash === 'poison') throw new Error('no')
        })
      }),
    ],
    { schema: schema('one'), loadSchema: async (path) => schema(path ?? 'one') },
  )
  await failure(() => kernel.reload(async () => schema('poison')))
  t.same(seen.splice(0), ['keeper poison'])
  t.same(await kernel.process.reload({ path: 'two', validateOnly: true }), { result: 'valid', hash: 'two' })
  t.same(seen.splice(0), ['keeper two'])
  t.equal(kernel.generation.hash, 'one')
  await kernel.close()
})

t.test('a dispose that fails is reported, and the others run', async (t) => {
  const seen: Signal[] = []
  const disposed: string[] = []
  const broken = plugin('broken', (scope) => {
    scope.perGeneration(() => 1, { dispose: () => Promise.reject(new Error('is busy')) })
  })
  const kernel = await boot([keeper(disposed), broken], { schema: schema('one'), seen })
  await kernel.close()
  t.same(disposed, ['keeper one'])
  t.match(seen.at(-1), { type: 'warning', plugin: 'broken', message: 'Plugin "broken" failed to dispose: is busy' })
})

t.test('a request keeps its generation to its end, an operation too', async (t) => {
  const seen: string[] = []
  let open = (): void => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const setup = (scope: Scope) => {
    scope.perGeneration(({ hash }) => hash, { dispose: (hash) => void seen.push(hash) })
    const wait = async () => {
      await gate
      return { status: 200, headers: {}, body: 'done' }
    }
    scope.route({ method: 'GET', path: '/slow', handler: wait })
  }
  const tested = await testPlugin(plugin('p', setup), {
    schema: schema('one'),
    loadSchema: async (path) => schema(path ?? 'one'),
  })
  const slow = tested.inject({ url: '/slow' })
  const running = tested.run(tested.exchange(), {
    template: { kind: 'query', name: null, roots: [], variables: [] },
    variables: {},
  })
  await running
  await tested.kernel.process.reload({ path: 'two' })
  await turn()
  t.same(seen, [], 'one request is in flight')
  open()
  t.equal((await slow).text, 'done')
  await turn()
  t.same(seen, ['one'])
  await tested.close()
  t.same(seen, ['one', 'two'])
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
