import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { InProcessBus } from '../../../core/engine/changes/in-process-bus.ts'
import { createLocalEvents } from '../../../plugins/subscriptions/events/local-events.ts'

t.test('events that are remembered are bounded by their size, too', async (t) => {
  let tell: (event: unknown) => void = () => {}
  const scope = {
    perGeneration: () => ({ of: () => new Set() }),
    writes() {},
    on() {},
    onClose() {},
    process: {
      peers: {
        tell() {},
        hear(_topic: string, heard: typeof tell) {
          tell = heard
          return () => {}
        },
      },
    },
  }
  const events = createLocalEvents(scope as never, InProcessBus)
  const event = { id: 'a', entity: 'x'.repeat(1_000_000), before: null } as unknown as ChangeEvent
  for (let n = 0; n < 100; n++) tell(event)
  t.equal(events.position, '100')
  t.match(await events.read('0'), { isTooOld: true })
  const kept = await events.read('90')
  t.same([kept.isTooOld, kept.events.length, kept.position], [false, 10, '100'])
  const all = (await events.read('0', 1000)).events
  t.ok(all.length >= 15 && all.length <= 33, `${all.length}`)
  t.equal(all[0]?.position, String(101 - all.length))
  for (let n = 0; n < 5000; n++) tell({ ...event, entity: '{}' })
  t.match(await events.read('3000', 5000), { isTooOld: false })
  t.match(await events.read('10', 5000), { isTooOld: true })
})
