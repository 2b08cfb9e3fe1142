import { createHash } from 'node:crypto'
import t from 'tap'
import { LentText } from '../../../core/base/util/lent-text.ts'
import { MemoryAnswers, RecentKeys } from '../../../plugins/response-cache/memory-answers.ts'

const keyOf = (n: number): string => createHash('sha256').update(String(n)).digest('base64url')
const RESULT = { data: '{}', errors: null }
const VIEWS = ['v_a']

function createMemory(more: { readonly maxEntries?: number; readonly maxBytes?: number } = {}) {
  const memory = new MemoryAnswers({ maxEntries: 100, maxBytes: 1_000_000, evicted() {}, ...more })
  return {
    memory,
    /** @returns whether it was there; keeps it where it may be kept */
    ask(n: number, result: { readonly data: string | null; readonly errors: null; text?: LentText } = RESULT): boolean {
      const lookup = memory.look(keyOf(n), VIEWS)
      if (lookup.found === null) lookup.keep?.(result, 60_000)
      return lookup.found !== null
    },
  }
}

t.test('a frequent answer stays, however many others come once', async (t) => {
  const { ask, memory } = createMemory()
  for (let n = 0; n < 100; n++) t.equal(ask(n), false)
  for (let n = 1000; n < 11_000; n++) ask(n)
  let there = 0
  for (let n = 0; n < 100; n++) if (ask(n)) there++
  t.ok(there >= 98, `${there} of 100 are there`)
  t.equal(memory.size.entries, 100)
})

t.test('a repeated answer is admitted to a full cache', async (t) => {
  const { ask } = createMemory()
  for (let n = 0; n < 100; n++) ask(n)
  t.equal(ask(500), false)
  t.equal(ask(500), false, 'kept now')
  t.equal(ask(500), true)
})

t.test('full is also what holds nearly all the bytes that it may', async (t) => {
  const { ask, memory } = createMemory({ maxBytes: 10_000 })
  const long = { data: 'x'.repeat(1000), errors: null } // two bytes each, and what an entry takes beside
  for (let n = 0; n < 4; n++) ask(n, long)
  t.equal(memory.size.entries, 4)
  t.equal(ask(5, long), false)
  t.equal(memory.size.entries, 4, 'came once')
  t.equal(ask(5, long), false, 'and was not kept')
  t.equal(ask(5, long), true)
  t.ok(memory.size.bytes <= 10_000)
})

t.test('a text weighs what its memory takes', async (t) => {
  const { ask, memory } = createMemory()
  ask(1, { data: null, errors: null, text: new LentText(Buffer.from('{"data":1}')) })
  t.ok(memory.size.bytes >= 4096, `${memory.size.bytes}: memory is lent in whole pages`)
})

t.test('keys that come once are hardly ever taken for old ones', async (t) => {
  const before = new RecentKeys(1000)
  let wrong = 0
  for (let n = 0; n < 50_000; n++) if (before.note(keyOf(n))) wrong++
  t.ok(wrong <= 3, `${wrong} of 50,000`)
  t.equal(before.note(keyOf(49_999)), true)
  t.equal(before.note(keyOf(1)), false, 'others have come since')
})
