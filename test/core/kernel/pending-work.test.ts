import t from 'tap'
import { createPendingWork } from '../../../core/kernel/pending-work.ts'

/** Work with a switch. */
function work(): { readonly promise: Promise<void>; finish(): void } {
  let finish = (): void => {}
  const promise = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { promise, finish: () => finish() }
}

t.test('nothing to wait for', async (t) => {
  t.equal(await createPendingWork().settled(60_000), 0)
})

t.test('work that is added while the first is waited for is waited for as well', async (t) => {
  const pending = createPendingWork()
  const [first, second, third] = [work(), work(), work()]
  pending.add(first.promise)
  let left = -1
  const settled = pending.settled(60_000).then((count) => {
    left = count
  })
  pending.add(second.promise)
  first.finish()
  await new Promise((done) => setImmediate(done))
  t.equal(left, -1)
  pending.add(third.promise)
  second.finish()
  await new Promise((done) => setImmediate(done))
  t.equal(left, -1)
  third.finish()
  await settled
  t.equal(left, 0)
})

t.test('the deadline holds for all together, and says how many are left', async (t) => {
  const pending = createPendingWork()
  const [first, second, third] = [work(), work(), work()]
  for (const { promise } of [first, second, third]) pending.add(promise)
  const settled = pending.settled(50)
  first.finish()
  t.equal(await settled, 2)
})
