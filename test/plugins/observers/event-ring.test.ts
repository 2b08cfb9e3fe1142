import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { EventRing } from '../../../plugins/observers/feed/event-ring.ts'

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

const eventAt = (position: number, text: string): ChangeEvent => ({
  id: String(position),
  kind: 'INSERT',
  mutation: null,
  entityType: 'Account',
  entityId: '1',
  entity: text,
  before: null,
  updatedFields: null,
  user: null,
  tenant: null,
  time: '2020-01-01T00:00:00Z',
  position: String(position),
})

t.test('an event that the ring has dropped takes no memory', async (t) => {
  const ring = new EventRing('0')
  const refs: WeakRef<ChangeEvent>[] = []
  const large = 'x'.repeat(1_000_000)
  for (let n = 1; n <= 200; n++) {
    const event = eventAt(n, large)
    refs.push(new WeakRef(event))
    ring.add(event)
  }
  await new Promise((resolve) => setImmediate(resolve))
  collect()
  const kept = 200 - Number(ring.floor)
  t.ok(kept > 10 && kept < 17, `${kept} fit`)
  const alive = refs.filter((ref) => ref.deref() !== undefined).length
  t.ok(alive <= 2 * kept + 1, `${alive} live, ${kept} are kept`)
  t.same(
    ring.behind(ring.floor, 500).map(({ position }) => Number(position)),
    Array.from({ length: kept }, (_, n) => Number(ring.floor) + 1 + n),
  )
  t.equal(ring.find('200'), '200')
  t.equal(ring.find('1'), null)
})

t.test('small ones: the last 5000', (t) => {
  const ring = new EventRing('0')
  for (let n = 1; n <= 20_001; n++) ring.add(eventAt(n, ''))
  t.equal(ring.floor, 15_001n)
  t.equal(ring.behind(0n, 1)[0]?.position, '15002')
  t.equal(ring.behind(20_000n, 5).length, 1)
  t.end()
})
