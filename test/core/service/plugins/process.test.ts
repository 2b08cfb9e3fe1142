import t from 'tap'
import type { Peers } from '../../../../core/contract/peers.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import type { SchemaModel } from '../../../../core/schema/model.ts'
import { createLonePeers } from '../../../../core/service/plugins/lone-peers.ts'
import { emptySchema } from '../../../../core/testing/testing.ts'
import { boot, failure } from '../../../helpers/kernel.ts'

const schema = (hash: string): SchemaModel => ({ ...emptySchema(), hash })

/** A process among others; what it tells is noted, and `told` reaches it. */
function peersOf(tells: unknown[]) {
  const listeners = new Map<string, (value: unknown) => void>()
  const peers: Peers = {
    ...createLonePeers(),
    index: 1,
    tell: (topic, value) => void tells.push([topic, value]),
    hear(topic, listener) {
      listeners.set(topic, listener)
      return () => listeners.delete(topic)
    },
  }
  return { peers, told: (topic: string, value: unknown) => listeners.get(topic)?.(value) }
}

t.test('reload: here, and then in all others', async (t) => {
  const tells: unknown[] = []
  const { peers, told } = peersOf(tells)
  const seen: Signal[] = []
  const loadSchema = async (path?: string) => {
    if (path === 'broken') throw new Error('no schema')
    return schema(path ?? 'one')
  }
  const kernel = await boot([], { schema: schema('one'), loadSchema, peers, seen })
  const { process } = kernel
  t.same(await process.reload(), { result: 'unchanged', hash: 'one' })
  t.same(await process.reload({ path: 'two' }), { result: 'swapped', hash: 'two' })
  t.same(tells.splice(0), [
    ['svc:reload', {}],
    ['svc:reload', { path: 'two' }],
  ])
  t.same(await process.reload({ path: 'three', validateOnly: true }), { result: 'valid', hash: 'three' })
  const failed = seen.length
  await failure(() => process.reload({ path: 'broken', validateOnly: true }))
  t.equal(seen.length, failed, "a check that fails is the asker's alone")
  await failure(() => process.reload({ path: 'broken' }))
  t.match(seen.at(-1), { type: 'reload-failed' })
  t.same(tells, [], 'neither is told to anybody')
  told('svc:reload', { path: 'four' })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(kernel.generation.hash, 'four')
  told('svc:reload', { path: 'broken' })
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(kernel.generation.hash, 'four')
  t.same(tells, [], 'what was told is not told on')
  await kernel.close()
})

t.test('a process that was given no schema to load says so', async (t) => {
  const kernel = await boot([])
  await t.rejects(kernel.process.reload(), { code: 'SVC_SCHEMA_NOT_FOUND' })
  await kernel.close()
})

t.test('a single process answers itself, and sends no messages', async (t) => {
  const peers = createLonePeers()
  peers.answer('size', () => 1)
  t.same(await peers.ask('size'), [1])
  const end = peers.hear('topic', () => t.fail('it told itself'))
  peers.tell('topic', 1)
  end()
  t.equal(peers.index, null)
})
