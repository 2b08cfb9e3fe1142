import t from 'tap'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import { Dispatcher } from '../../../plugins/observers/deliver/dispatcher.ts'
import { createMemoryDeliveries } from '../../../plugins/observers/deliver/memory-deliveries.ts'

t.test('behind an event that was not taken care of nothing of its row goes out', async (t) => {
  const shape = shapeOfAuthored({ name: 'Account', fields: [{ name: 'id', type: 'ID!' }] } as never)
  const { event } = sampleChange(shape)
  const store = createMemoryDeliveries()
  let isAway = true
  const told: string[] = []
  const turn = new AbortController().signal
  const dispatcher = new Dispatcher({
    watch: (event) => [
      {
        change: { ...sampleChange(shape), event },
        observer: {
          name: 'hook',
          sync: false,
          retry: { max_attempts: 3, backoff_strategy: 'fixed', initial_delay_ms: 1, max_delay_ms: 1 },
          actions: [
            {
              type: 'webhook',
              targetOf: () => 'a',
              run: async ({ event: { id } }) => {
                if (isAway && id === '4') return { kind: 'again', error: 'refused' }
                told.push(id)
                return { kind: 'done' }
              },
            },
          ],
        },
      },
    ],
    find: () => null,
    store: {
      ...store,
      park: async (...given) => {
        if (isAway) throw new Error('the database is away')
        return store.park(...given)
      },
    },
    report: { attempted() {}, buried() {}, failed: (error) => t.fail(String(error)) },
    concurrency: 10,
    turn: () => turn,
  })
  const deliver = (id: string, entityId: string) => dispatcher.deliver({ ...event, id, entityId })
  await dispatcher.start()
  await t.rejects(deliver('4', 'row'), /the database is away/)
  // Whoever reads has not heard of it yet.
  await t.rejects(deliver('5', 'row'), { name: 'NotActive' })
  await deliver('1', 'another')
  t.same(told, ['1'])
  await dispatcher.stop()
  isAway = false
  await dispatcher.start()
  await deliver('4', 'row')
  await deliver('5', 'row')
  t.same(told, ['1', '4', '5'], 'in the next turn it comes again, and what was behind it')
  await dispatcher.stop()
})
