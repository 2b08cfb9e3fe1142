import t from 'tap'
import { pluginOf } from '../../../core/base/errors/blame.ts'
import type { GenerationSlot } from '../../../core/contract/generation.ts'
import type { Signal } from '../../../core/contract/signals.ts'
import type { SchemaModel } from '../../../core/schema/model.ts'
import { emptySchema } from '../../../core/testing/testing.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

const schema = (hash: string, requires: readonly string[] = []): SchemaModel => ({ ...emptySchema(), hash, requires })

async function bootWithSlots(seen: Signal[] = []) {
  const slots: { hash?: GenerationSlot<string>; slow?: GenerationSlot<{ n: number }> } = {}
  const kernel = await boot(
    [
      plugin('slots', (scope) => {
        slots.hash = scope.perGeneration((model) => {
          if (model.hash === 'poison') throw new Error('cannot derive')
          return `derived from ${model.hash}`
        })
        slots.slow = scope.perGeneration(async (model) => {
          await new Promise((resolve) => setImmediate(resolve))
          return { n: model.hash.length }
        })
      }),
    ],
    { schema: schema('one'), seen },
  )
  return { kernel, hash: slots.hash!, slow: slots.slow! }
}

t.test('the first generation has its slots before it is visible', async (t) => {
  const seen: Signal[] = []
  const { kernel, hash, slow } = await bootWithSlots(seen)
  t.match(kernel.generation, { id: 1, hash: 'one' })
  t.ok(kernel.generation.loadedAt instanceof Date)
  t.ok(Object.isFrozen(kernel.generation) && Object.isFrozen(kernel.generation.slots))
  t.equal(hash.of(kernel.generation), 'derived from one')
  t.same(slow.of(kernel.generation), { n: 3 })
  t.same(seen, [{ type: 'generation-loaded', hash: 'one', reason: 'boot' }])
  await kernel.close()
})

t.test('reload swaps to a whole new generation; who holds the old one keeps it', async (t) => {
  const seen: Signal[] = []
  const { kernel, hash } = await bootWithSlots(seen)
  const old = kernel.generation
  t.match(await kernel.reload(async () => schema('two')), { result: 'swapped' })
  t.match(kernel.generation, { id: 2, hash: 'two' })
  t.equal(hash.of(kernel.generation), 'derived from two')
  t.equal(hash.of(old), 'derived from one')
  t.match(seen.at(-1), { type: 'generation-loaded', hash: 'two', reason: 'reload' })
  await kernel.close()
})

t.test('an equal hash is no swap', async (t) => {
  const seen: Signal[] = []
  const { kernel } = await bootWithSlots(seen)
  const old = kernel.generation
  t.match(await kernel.reload(async () => schema('one')), { result: 'unchanged' })
  t.equal(kernel.generation, old)
  t.match(seen.at(-1), { type: 'reload-unchanged', hash: 'one' })
  await kernel.close()
})

t.test('the old generation keeps serving after a failed reload', async (t) => {
  const seen: Signal[] = []
  const { kernel } = await bootWithSlots(seen)
  const old = kernel.generation
  const load = await failure(() => kernel.reload(() => Promise.reject(new Error('unreadable'))))
  t.equal(load.message, 'unreadable')
  const slot = await failure(() => kernel.reload(async () => schema('poison')))
  t.equal(slot.message, 'cannot derive')
  t.equal(pluginOf(slot), 'slots')
  const requires = await failure(() => kernel.reload(async () => schema('three', ['scopes'])))
  t.equal(requires.code, 'SVC_SCHEMA_REQUIRES')
  t.match(requires.message, '"scopes", which is not running')
  t.equal(kernel.generation, old)
  t.same(
    seen.filter(({ type }) => type === 'reload-failed').map((signal) => 'error' in signal && signal.error),
    [load, slot, requires],
  )
  t.match(await kernel.reload(async () => schema('two', ['slots'])), { result: 'swapped' }, 'and the next reload works')
  t.equal(kernel.generation.id, 2)
  await kernel.close()
})

t.test('one reload at a time', async (t) => {
  const { kernel } = await bootWithSlots()
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const first = kernel.reload(async () => {
    await gate
    return schema('two')
  })
  const second = await failure(() => kernel.reload(async () => schema('three')))
  t.equal(second.code, 'SVC_RELOAD_BUSY')
  release()
  t.match(await first, { result: 'swapped', hash: 'two' })
  t.equal(kernel.generation.hash, 'two')
  await kernel.close()
})

t.test('a generation can be built without going live (validate only)', async (t) => {
  const { kernel, hash } = await bootWithSlots()
  const built = await kernel.buildGeneration(schema('two'))
  t.equal(hash.of(built), 'derived from two')
  t.equal(kernel.generation.hash, 'one')
  kernel.swap(built)
  t.equal(kernel.generation, built)
  await kernel.close()
})
