import { setTimeout as sleep } from 'node:timers/promises'
import { requireService, type TestLike } from '../../helpers/services.ts'
import type { Fault, World } from '../world.ts'
import { serveTags } from './serve-tags.ts'
import { IDS, TAGS_SQL } from './tags.ts'
import { type Outcome, WAYS, type Way } from './ways.ts'

const BACK_MS = 60_000
/** `npm run worlds` asks every way in for every row, through all faults; `npm test` each way for some, each row by some way, and one fault. */
const IS_WHOLE = process.env.SVC_TEST_WORLDS === 'all'

/**
 * Uses every front in a world: each answer is right. While a fault lasts an answer may be a refusal, never a wrong one; when it is over all
 * is as before, and what was acknowledged is there.
 */
export async function askFronts(t: TestLike, world: World): Promise<void> {
  if (!(await requireService(t, 'postgres'))) return
  const entered = await world.enter(t)
  if (entered === null) return
  const database = await entered.database(t, TAGS_SQL)
  const service = await serveTags(t, database, entered)
  const url = await entered.front(t, service)
  const names = new Map(IDS.map((id, index) => [id, `tag ${index}`]))
  const nameOf = (id: string): string => names.get(id)!

  await t.test('every front has every row', async (t) => {
    for (const [place, way] of WAYS.READS.entries()) {
      const some = IDS.filter((_, index) => IS_WHOLE || index % WAYS.READS.length === place)
      for (const id of some) t.equal(await way.ask(url, id, nameOf(id)), 'right', `${way.name}: ${id.slice(0, 20)}`)
    }
    for (const [index, id] of IDS.entries()) {
      const way = WAYS.WRITES[index % WAYS.WRITES.length]!
      names.set(id, `${way.name} ${index}`)
      t.equal(await way.ask(url, id, nameOf(id)), 'right', `${way.name}: ${id.slice(0, 20)}`)
      t.equal(await WAYS.READS[index % 2]!.ask(url, id, nameOf(id)), 'right', 'is there')
    }
    for (const [index, way] of WAYS.STREAMS.entries()) {
      const id = IDS[index * 3]!
      names.set(id, way.name)
      t.equal(await way.ask(url, id, nameOf(id)), 'right', way.name)
    }
  })

  const faults = entered.faults(service)
  for (const fault of IS_WHOLE ? faults : faults.slice(0, 1)) {
    await t.test(fault.name, (t) => passFault(t, url, fault, names))
  }
  await entered.leave()
}

async function passFault(t: TestLike, url: string, fault: Fault, names: Map<string, string>): Promise<void> {
  await fault.begin()
  const outcomes: Outcome[] = []
  const acknowledged: string[] = []
  const unknown: string[] = []
  for (const [index, way] of WAYS.READS.entries()) {
    outcomes.push(await attempt(way, url, IDS[index]!, names.get(IDS[index]!)!))
  }
  for (const [index, way] of WAYS.WRITES.entries()) {
    const id = IDS[index]!
    names.set(id, `${fault.name} ${index}`)
    const outcome = await attempt(way, url, id, names.get(id)!)
    outcomes.push(outcome)
    ;(outcome === 'right' ? acknowledged : unknown).push(id)
  }
  await fault.end()
  t.comment(outcomes.join(' '))

  const until = Date.now() + BACK_MS
  const [one] = WAYS.READS
  const [rename] = WAYS.WRITES
  for (const id of acknowledged) t.equal(await retry(one!, url, id, names.get(id)!, until), 'right', `${id} is kept`)
  // Whether these were written nobody was told.
  for (const id of unknown) t.equal(await retry(rename!, url, id, names.get(id)!, until), 'right', `${id} is written`)
  for (const [index, way] of WAYS.READS.entries()) {
    t.equal(await retry(way, url, IDS[index]!, names.get(IDS[index]!)!, until), 'right', way.name)
  }
  for (const [index, way] of [...WAYS.WRITES, ...WAYS.STREAMS].entries()) {
    names.set(IDS[index]!, `${way.name}, behind it`)
    t.equal(await retry(way, url, IDS[index]!, names.get(IDS[index]!)!, until), 'right', way.name)
  }
}

/** A connection that breaks or says nothing is a refusal, too: the client knows that it has no answer. */
async function attempt(way: Way, url: string, id: string, name: string): Promise<Outcome> {
  try {
    return await way.ask(url, id, name)
  } catch (error) {
    if (error instanceof TypeError && /fetch failed|terminated/.test(error.message)) return 'refused'
    if (error instanceof DOMException && error.name === 'TimeoutError') return 'refused'
    throw error
  }
}

async function retry(way: Way, url: string, id: string, name: string, until: number): Promise<Outcome> {
  for (;;) {
    const outcome = await attempt(way, url, id, name)
    if (outcome === 'right' || Date.now() > until) return outcome
    await sleep(100)
  }
}
