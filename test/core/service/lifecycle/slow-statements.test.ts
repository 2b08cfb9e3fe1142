import t from 'tap'
import type { Exchange } from '../../../../core/contract/exchange.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createSlowStatements } from '../../../../core/service/lifecycle/slow-statements.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { testOperation } from '../../../../core/testing/inputs.ts'

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

function createTimed(thresholdMs: number) {
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const { engine, statement } = createSlowStatements(signals, thresholdMs)
  const exchange = { id: 'r1' } as Exchange
  const ask = (name: string | null) => engine!(exchange, testOperation({ name }), async () => ({}) as never)
  const run = async (text: string | null, ms: number, of: object | null = exchange, fails = false) => {
    const work = {
      database: { name: 'stock', kind: 'sqlite', planning: () => 'values' as const },
      exchange: of,
      statement: text === null ? null : { name: null, text },
      within: false,
    }
    await statement!(work, async () => {
      await wait(ms)
      if (fails) throw new Error('no')
    })
  }
  return { seen, ask, run }
}

t.test('statements at the threshold or above, with whose they are', async (t) => {
  const { seen, ask, run } = createTimed(30)
  ask(`Shelf${'x'.repeat(200)}`)
  await run('SELECT quick', 0)
  t.same(seen, [])
  await run('SELECT $1', 60)
  await run('SELECT failed', 60, undefined, true)
  await run('SELECT own', 60, null)
  await run(null, 60)
  t.equal(seen.length, 3, 'a transaction is told by its statements')
  t.match(seen, [
    {
      type: 'slow-statement',
      database: 'stock',
      requestId: /^r1$/,
      statement: 'SELECT $1',
      failed: false,
      planning: 'values',
    },
    { statement: 'SELECT failed', failed: true },
    { statement: 'SELECT own', requestId: null, operation: null, roots: [] },
  ])
  const [first] = seen as { ms: number; operation: string }[]
  t.ok(first!.ms >= 30)
  t.equal(first!.operation.length, 128, 'the client’s words are cut')
})

t.test('long texts are cut', async (t) => {
  const { seen, run } = createTimed(1)
  await run(`SELECT ${'x'.repeat(10_000)}`, 5)
  t.equal((seen[0] as { statement?: string }).statement?.length, 4097)
})
