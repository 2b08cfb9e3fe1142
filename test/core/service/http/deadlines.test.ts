import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDeadlines, type DeadlineEntry } from '../../../../core/service/http/deadlines.ts'

interface Recorded extends DeadlineEntry {
  expired: number
}

function recorded(): Recorded {
  return {
    deadline: 0,
    previousDeadline: null,
    nextDeadline: null,
    expired: 0,
    expire() {
      this.expired++
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

t.test('those that were not removed expire, once, in the order in which they came', async (t) => {
  const deadlines = createDeadlines(50)
  t.teardown(() => deadlines.close())
  const order: number[] = []
  const entries = Array.from({ length: 6 }, (_, i) => {
    const entry = recorded()
    entry.expire = () => {
      entry.expired++
      order.push(i)
    }
    return entry
  })
  for (const entry of entries) deadlines.add(entry)
  // First, middle, last.
  for (const i of [0, 3, 5]) deadlines.remove(entries[i]!)
  await until(() => entries[4]!.expired > 0)
  await sleep(50)
  t.strictSame(order, [1, 2, 4])
  t.strictSame(
    entries.map(({ expired }) => expired),
    [0, 1, 1, 0, 1, 0],
  )
})

t.test('removing one twice leaves the others', async (t) => {
  const deadlines = createDeadlines(50)
  t.teardown(() => deadlines.close())
  const [first, second, third] = [recorded(), recorded(), recorded()]
  for (const entry of [first, second, third]) deadlines.add(entry)
  for (let i = 0; i < 2; i++) deadlines.remove(second)
  for (let i = 0; i < 2; i++) deadlines.remove(first)
  deadlines.remove(recorded())
  const fourth = recorded()
  deadlines.add(fourth)
  await until(() => fourth.expired > 0)
  t.strictSame([first.expired, second.expired, third.expired, fourth.expired], [0, 0, 1, 1])
})

t.test('one that has expired may be removed, and never comes before its time', async (t) => {
  const deadlines = createDeadlines(100)
  t.teardown(() => deadlines.close())
  const [entry, next] = [recorded(), recorded()]
  const started = performance.now()
  deadlines.add(entry)
  await until(() => entry.expired > 0)
  t.ok(performance.now() - started >= 99)
  deadlines.add(next)
  deadlines.remove(entry)
  await until(() => next.expired > 0)
  t.equal(entry.expired, 1)
})

t.test('a process that was busy when it came does not take from its time', async (t) => {
  const deadlines = createDeadlines(200)
  t.teardown(() => deadlines.close())
  const before = recorded()
  deadlines.add(before)
  for (const busyUntil = performance.now() + 400; performance.now() < busyUntil; );
  const entry = recorded()
  const started = performance.now()
  deadlines.add(entry)
  await until(() => entry.expired > 0)
  t.ok(performance.now() - started >= 199, `after ${Math.round(performance.now() - started)} ms`)
  t.equal(before.expired, 1)
})

t.test('0 is never, and nothing expires after close', async (t) => {
  const never = createDeadlines(0)
  const closed = createDeadlines(20)
  const [one, two] = [recorded(), recorded()]
  never.add(one)
  closed.add(two)
  closed.close()
  await sleep(150)
  t.strictSame([one.expired, two.expired], [0, 0])
  never.remove(one)
  never.close()
})
