import t from 'tap'
import { MemoryAnswers } from '../../../plugins/rest/idempotency/memory-answers.ts'

let now = 0
const createAnswers = (more: object = {}) =>
  new MemoryAnswers({ maxEntries: 80, maxBytes: 8000, maxRunning: 20, now: () => now, ...more })
const DAY = 86_400_000
async function keep(answers: MemoryAnswers, key: string, caller: string, value = 'v'): Promise<void> {
  await answers.claim(key, caller, 'running', 1000)
  await answers.set(key, caller, value, DAY)
}
const there = async (answers: MemoryAnswers, keys: readonly string[]): Promise<number> =>
  (await Promise.all(keys.map((key) => answers.get(key)))).filter((each) => each !== null).length
const keysOf = (caller: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${caller}${from + i}`)

t.test('a key is claimed once, until it is let go or ends', async (t) => {
  const answers = createAnswers()
  t.equal(await answers.claim('k', 'a', 'first', 1000), true)
  t.equal(await answers.claim('k', 'a', 'second', 1000), false)
  t.equal(await answers.get('k'), 'first')
  t.equal(await answers.delete('k'), true)
  t.equal(await answers.delete('k'), false)
  t.equal(await answers.claim('k', 'a', 'third', 1000), true)
  now += 1000
  t.equal(await answers.get('k'), null, 'it has ended')
  t.equal(await answers.claim('k', 'a', 'fourth', 1000), true)
  await answers.set('k', 'a', 'answer', DAY)
  t.equal(await answers.claim('k', 'a', 'fifth', 1000), false)
  t.equal(await answers.get('k'), 'answer')
  now += DAY
  t.equal(await answers.get('k'), null)
  t.strictSame(answers.size, { running: 0, kept: 0, bytes: 0 })
  await answers.set('late', 'a', 'answer', DAY)
  t.equal(await answers.get('late'), 'answer', 'what was done is kept, though its claim had ended')
  await answers.close()
  t.strictSame(answers.size, { running: 0, kept: 0, bytes: 0 })
})

t.test('the key of a running write is never evicted', async (t) => {
  const answers = createAnswers()
  await answers.claim('mine', 'me', 'running', DAY)
  for (const key of keysOf('a', 0, 20)) t.equal(await answers.claim(key, 'a', 'running', DAY), true)
  await t.rejects(answers.claim('a20', 'a', 'running', DAY), { message: /^At most 20 requests/, retryAfter: 1 })
  for (const caller of ['b', 'c', 'd'])
    for (const key of keysOf(caller, 0, 20)) await answers.claim(key, caller, 'running', DAY).catch(() => {})
  await t.rejects(answers.claim('e', 'e', 'running', DAY), {
    message: /^Too many requests/,
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: 1,
  })
  for (const key of keysOf('f', 0, 500)) await answers.set(key, 'f', 'v', DAY)
  t.equal(await answers.get('mine'), 'running')
  t.equal(await there(answers, keysOf('a', 0, 20)), 20)
  await answers.set('a0', 'a', 'answer', DAY)
  t.equal(await answers.claim('a20', 'a', 'running', DAY), true, 'one has ended')
  now += DAY
  t.equal(await answers.claim('a21', 'a', 'running', 1000), true, 'all have')
})

t.test('a caller who floods it lets go of its own', async (t) => {
  const answers = createAnswers()
  await keep(answers, 'mine', 'me')
  for (const key of keysOf('a', 0, 1000)) await keep(answers, key, 'a')
  t.equal(await answers.get('mine'), 'v')
  t.equal(await there(answers, keysOf('a', 990, 1000)), 10, 'the latest are there')
  t.equal(await there(answers, keysOf('a', 0, 990)), 0)
  await keep(answers, 'large', 'b', 'x'.repeat(900))
  for (const key of keysOf('b', 0, 5)) await keep(answers, key, 'b', 'x'.repeat(300))
  t.equal(await there(answers, ['large', ...keysOf('b', 0, 2)]), 0, 'bytes count as well')
  t.equal(await there(answers, keysOf('b', 2, 5)), 3)
  t.equal(await answers.get('mine'), 'v')
})

t.test('callers who flood it together let go of their own, too', async (t) => {
  const answers = createAnswers()
  for (const one of keysOf('me', 0, 10)) await keep(answers, one, one)
  for (let i = 0; i < 50; i++) for (const caller of keysOf('bad', 0, 12)) await keep(answers, `${caller}:${i}`, caller)
  t.equal(await there(answers, keysOf('me', 0, 10)), 10)
  t.equal(answers.size.kept, 80)
  for (const one of keysOf('new', 0, 100)) await keep(answers, one, one)
  t.equal(answers.size.kept, 80, 'of many with one each the oldest goes')
  t.equal(await there(answers, keysOf('new', 90, 100)), 10)
  const large = createAnswers()
  await keep(large, 'huge', 'a', 'x'.repeat(9000))
  t.equal(large.size.kept, 0, 'what is larger than all of the room is not kept')
})
