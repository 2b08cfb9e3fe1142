import t from 'tap'
import { judgeEvents } from '../../bench/lib/chaos/judge-events.ts'

const change = (version: number, kind = 'UPDATE', item = 'a') => ({ item, kind, version })
const heard = (version: number, eventId = `e${version}`, kind = 'UPDATE', item = 'a') => ({
  ...change(version, kind, item),
  eventId,
})
const right = { missing: 0, repeated: 0, otherId: 0, invented: 0, outOfOrder: 0, examples: [] as string[] }

t.test('the received events are compared with the committed ones', async (t) => {
  const committed = [change(1, 'INSERT'), change(2), change(3), change(4, 'DELETE')]
  const all = [heard(1, 'e1', 'INSERT'), heard(2), heard(3), heard(3, 'e4', 'DELETE')]
  t.same(judgeEvents(committed, all), { committed: 4, calls: 4, ...right })
  const again = [...all.slice(0, 3), heard(2), heard(3), all[3]!]
  t.match(judgeEvents(committed, again), { calls: 6, ...right, repeated: 2 }, 'a relay that was killed begins again')
  t.match(judgeEvents(committed, all.slice(1)), { missing: 1, examples: ['missing: a INSERT 1'] })
  t.match(judgeEvents(committed.slice(0, 2), all.slice(0, 3)), { invented: 1, missing: 0 })
  t.match(judgeEvents(committed, [all[0]!, heard(3), heard(2), all[3]!]), { outOfOrder: 1, missing: 0 })
  t.match(judgeEvents(committed, [...all, heard(3, 'another')]), { otherId: 1, repeated: 0 })
  t.match(judgeEvents(committed, [...all.slice(0, 2), heard(3, 'e2'), all[3]!]), { otherId: 1, missing: 0 })
  const two = [change(1), change(1, 'UPDATE', 'b')]
  t.match(judgeEvents(two, [heard(1, 'e1', 'UPDATE', 'b'), heard(1, 'e2')]), { ...right, outOfOrder: 0 })
})
