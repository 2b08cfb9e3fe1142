import t from 'tap'
import type { SessionPool } from '../../../core/doors/driver.ts'
import { SLOW_MS, StatementCosts } from '../../../plugins/postgres/costs/statement-costs.ts'
import { SessionSender } from '../../../plugins/postgres/schedule/session-sender.ts'
import type { Connection } from '../../../plugins/postgres/wire/connection.ts'
import type { RunningStatement } from '../../../plugins/postgres/wire/running-statement.ts'

t.test('a statement that waits for slow ones of its kind is sent on another connection if they are fast', async (t) => {
  const running: { end(): void }[] = []
  const pool = {
    max: 16,
    maxWaiting: 100,
    waiting: 0,
    acquire: async () => ({ run() {}, onQuiet: (end: () => void) => running.push({ end }) }) as unknown as Connection,
    release() {},
  } as unknown as SessionPool<Connection>
  const cost = new StatementCosts(4, 20).get('s1')
  const sender = new SessionSender(pool)
  const small: RunningStatement[] = []
  sender.onSmall = (one) => small.push(one)
  const send = (): RunningStatement => {
    const one = {
      statement: { name: 's1', text: '', readOnly: true },
      cost,
      cancel: null,
      alone: false,
      abandoned: false,
      sentAt: 0,
      next: null,
    } as unknown as RunningStatement
    sender.sendInTurn(one)
    return one
  }
  cost.ms = SLOW_MS * 3
  const sent = Array.from({ length: 7 }, send)
  await new Promise((done) => setImmediate(done))
  t.equal(running.length, 4)
  t.equal(sender.waiting, 3)
  running.shift()!.end()
  await new Promise((done) => setImmediate(done))
  t.equal(sender.waiting, 2, 'one has ended, the next of them runs')
  cost.ms = SLOW_MS / 3
  running.shift()!.end()
  t.same(small, sent.slice(5))
  t.equal(sender.waiting, 0)
})
