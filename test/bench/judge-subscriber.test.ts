import t from 'tap'
import { judgeSubscriber } from '../../bench/lib/chaos/judge-subscriber.ts'

const change = (version: number, kind = 'UPDATE', item = 'a') => ({ item, kind, version })
const told = (version: number, kind = 'UPDATE', item = 'a') => ({
  ...change(version, kind, item),
  eventId: `${item}${kind === 'DELETE' ? 'gone' : version}`,
})
const heard = (eventId: string, version: number, item = 'a') => ({ eventId, item, version })
const right = { gone: 0, missing: 0, doubled: 0, outOfOrder: 0, otherRow: 0, examples: [] as string[] }

t.test('the events of a subscriber are compared with the committed ones', async (t) => {
  const committed = [change(1, 'INSERT'), change(2), change(3)]
  const calls = [told(1, 'INSERT'), told(2), told(3)]
  const all = [heard('a1', 1), heard('a2', 3), heard('a3', 3)]
  t.same(judgeSubscriber(committed, calls, all), { heard: 3, ...right }, 'a row may be later than its event')
  t.match(judgeSubscriber(committed, calls, all.slice(0, 2)), { missing: 1, examples: [/missing: a3: a UPDATE 3/] })
  t.match(judgeSubscriber(committed, calls, [...all, all[2]!]), { doubled: 1, missing: 0, outOfOrder: 0 })
  t.match(judgeSubscriber(committed, calls, [all[0]!, all[2]!, all[1]!]), { outOfOrder: 1, missing: 0 })
  t.match(judgeSubscriber(committed, calls, [heard('a1', 1), heard('a2', 1), heard('a3', 3)]), { otherRow: 1 })
  t.match(judgeSubscriber(committed, calls, [heard('a1', 4), ...all.slice(1)]), { otherRow: 1 })
  t.match(judgeSubscriber(committed, calls, [...all, heard('x', 3)]), { otherRow: 1 }, 'an event that nobody knows')

  const dropped = [...committed, change(4, 'DELETE')]
  const more = [...calls, told(3, 'DELETE')]
  t.match(judgeSubscriber(dropped, more, [heard('a1', 1), heard('agone', 3)]), { ...right, gone: 2 })
  t.match(judgeSubscriber(dropped, more, all), { missing: 1 }, 'that it is gone is told')
  t.match(judgeSubscriber(dropped, more, [heard('agone', 3), ...all]), { outOfOrder: 3 })
})
