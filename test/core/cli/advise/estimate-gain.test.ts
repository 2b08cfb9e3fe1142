import t from 'tap'
import type { IndexAdvice } from '../../../../core/advise/advise-indexes.ts'
import { estimateGains } from '../../../../core/advise/estimate-gain.ts'
import type { DatabaseFacts } from '../../../../core/advise/read-facts.ts'
import type { Database } from '../../../../core/doors/plugin.ts'

const plan = (cost: number) =>
  JSON.stringify([{ Plan: { 'Total Cost': cost, 'Plan Rows': 10, Plans: [{ 'Plan Rows': 90_000 }] } }])

const FOUND = [
  {
    advice: { rule: 'index-relation', statements: ['CREATE INDEX CONCURRENTLY i ON public.post (author_id);'] },
    need: { relation: { schema: 'public', name: 'post' }, columns: ['author_id'], use: 'lookup' },
  },
] as unknown as readonly IndexAdvice[]

/** A server whose planner knows an index of another cost. */
function fakeServer(hypothetical: number | Error) {
  const texts: string[] = []
  const session = {
    async query({ text }: { readonly text: string }, parameters: readonly unknown[]) {
      texts.push(text, ...parameters.map(String))
      if (hypothetical instanceof Error) throw hypothetical
      return { rows: [[text.startsWith('EXPLAIN') ? plan(hypothetical) : '']], columns: [] }
    },
  }
  const database = {
    explain: async () => plan(1000),
    transaction: (work: (one: typeof session) => Promise<unknown>) => work(session),
  } as unknown as Database
  return { database, texts }
}

const facts = (...extensions: readonly (readonly [string, string])[]) =>
  ({ kind: 'postgres', quote: (name: string) => name, extensions: new Map(extensions) }) as unknown as DatabaseFacts

t.test('without hypopg the cost is estimated from the number of rows', async (t) => {
  const { database, texts } = fakeServer(5)
  const [advice] = await estimateGains(database, FOUND, facts())
  t.strictSame(advice?.gain, { costNow: 1000, costThen: 48, source: 'estimate' })
  t.strictSame(texts, [], 'no session is opened')
})

t.test('hypopg plans with a hypothetical index, which is dropped', async (t) => {
  const { database, texts } = fakeServer(5)
  const [advice] = await estimateGains(database, FOUND, facts(['hypopg', 'ext.']))
  t.strictSame(advice?.gain, { costNow: 1000, costThen: 5, source: 'hypopg' })
  t.equal(texts[0], 'SELECT * FROM ext.hypopg_create_index($1)')
  t.equal(texts[1], 'CREATE INDEX i ON public.post (author_id);')
  t.equal(texts.at(-1), 'SELECT ext.hypopg_reset()')
})

t.test('a failure of hypopg leaves the estimate, one of EXPLAIN no gain', async (t) => {
  const { database } = fakeServer(new Error('no memory'))
  const [advice] = await estimateGains(database, FOUND, facts(['hypopg', '']))
  t.equal(advice?.gain?.source, 'estimate')
  const refusing = { explain: () => Promise.reject(new Error('permission denied')) } as unknown as Database
  const [without] = await estimateGains(refusing, FOUND, facts())
  t.equal(without?.gain, undefined)
})
