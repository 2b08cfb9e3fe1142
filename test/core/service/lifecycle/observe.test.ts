import t from 'tap'
import type { Observer, StatementWork } from '../../../../core/contract/observer.ts'
import type { Signal } from '../../../../core/contract/signals.ts'
import { createObserve, type Observe } from '../../../../core/service/lifecycle/observe.ts'
import { observeDatabase } from '../../../../core/service/lifecycle/observe-database.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { createBareDatabase } from '../../../helpers/bare-app.ts'
import { failure } from '../../../helpers/kernel.ts'

function observing(...observers: Observer[]): { observe: Observe; seen: Signal[] } {
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  return {
    observe: createObserve(
      observers.map((observer, i) => ({ plugin: `p${i}`, observer })),
      signals,
    ),
    seen,
  }
}
const turn = () => new Promise((done) => setImmediate(done))
const part = (work: () => unknown) => work as (ctx: unknown) => unknown

t.test('an observer of other parts costs nothing', async (t) => {
  const inner = () => 1
  t.equal(observing().observe('exchange', inner), inner)
  t.equal(observing({ engine() {} }).observe('exchange', inner), inner)
  const database = createBareDatabase()
  t.equal(observeDatabase(observing({ engine() {} }).observe, database), database)
})

t.test('the first stands outermost, each sees what the part gave, and who needs no end calls nothing', async (t) => {
  const order: string[] = []
  const { observe } = observing(
    {
      exchange(ctx, next) {
        order.push(`a in ${ctx}`)
        order.push(`a out ${next()}`)
      },
    },
    { exchange: () => void order.push('b') },
    {
      exchange(_ctx, next) {
        const out = next()
        order.push(`c out ${out} ${next() === out}`)
      },
    },
  )
  let runs = 0
  const run = observe(
    'exchange',
    part(() => `run ${++runs}`),
  )
  t.equal(run('x'), 'run 1')
  t.strictSame(order, ['a in x', 'b', 'c out run 1 true', 'a out run 1'], 'once, whoever calls next()')
})

t.test('an observer changes nothing: not by what it gives, not by failing, not by being slow', async (t) => {
  const wrong: readonly (readonly [string, Observer['exchange'], boolean])[] = [
    ['gives something else', () => 'else', false],
    [
      'throws before',
      () => {
        throw new Error('before')
      },
      true,
    ],
    [
      'throws behind',
      (_ctx, next) => {
        next()
        throw new Error('behind')
      },
      true,
    ],
    [
      'throws no error',
      () => {
        throw null
      },
      true,
    ],
    ['rejects', () => Promise.reject(new Error('late')), true],
    [
      'rejects behind',
      async (_ctx, next) => {
        await next()
        throw new Error('late')
      },
      true,
    ],
    ['never ends', () => new Promise(() => {}), false],
  ]
  for (const [name, exchange, isReported] of wrong) {
    for (const outcome of ['value', 'promise', 'throw', 'rejection']) {
      const { observe, seen } = observing({ exchange: exchange! })
      const own = new Error('own')
      const run = observe(
        'exchange',
        part(() => {
          if (outcome === 'throw') throw own
          if (outcome === 'value') return 1
          return outcome === 'promise' ? Promise.resolve(1) : Promise.reject(own)
        }),
      )
      const title = `${name}, ${outcome}`
      if (outcome === 'value') t.equal(run(0), 1, title)
      else if (outcome === 'promise') t.equal(await run(0), 1, title)
      else t.equal(await failure(async () => run(0)), own, title)
      await turn()
      const isLetThrough =
        /behind/.test(name) && (outcome === 'throw' || (outcome === 'rejection' && /rejects/.test(name)))
      // Where the part has failed, what stands behind next() is not reached.
      t.equal(seen.length, isReported && !isLetThrough ? 1 : 0, title)
      for (const signal of seen) {
        t.match(signal, { type: 'warning', plugin: /^p0$/, message: /^Its observer of "exchange" failed/ }, title)
      }
    }
  }
})

t.test('statements of every form, with their exchange', async (t) => {
  const log: string[] = []
  const works: StatementWork[] = []
  const { observe } = observing({
    async statement(work, next) {
      works.push(work)
      log.push('begin')
      await next().then(
        () => log.push('end'),
        () => log.push('failed'),
      )
    },
  })
  const statement = { name: 'one', text: 'SELECT 1' } as never
  const exchange = { id: 'mine' } as never
  const database = observeDatabase(
    observe,
    createBareDatabase({
      transaction: async (work) => work({} as never),
      readRow: async () => 1 as never,
      async *stream() {
        yield [['1']]
        yield [['2']]
      },
    }),
    'stock',
  )
  await database.query(statement, [], exchange)
  await database.readRow!(statement, [], exchange, () => 1)
  t.equal(await database.transaction(async () => 7, { cancel: exchange }), 7)
  await t.rejects(
    database.transaction(() => Promise.reject(new Error('no')), {}),
    { message: 'no' },
  )
  t.strictSame(log.splice(0), ['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'failed'])
  t.match(
    works.splice(0),
    [
      { exchange, statement },
      { exchange, statement },
      { exchange, statement: null },
      { exchange: null, statement: null },
    ].map((work) => ({ ...work, database: { name: 'stock', kind: String } })),
  )
  for await (const rows of database.stream(statement, [], { cancel: exchange, batchSize: 1 })) {
    t.strictSame(log, ['begin'], 'in flight to its end')
    t.strictSame(rows, [['1']])
    break
  }
  await turn()
  t.strictSame(log, ['begin', 'end'], 'who breaks off ends it')
  t.match(works, [{ exchange, statement }])
  t.equal(database.kind, 'bare')
})
