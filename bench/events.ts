/**
 * `npm run bench:events`: events per second through the outbox to a webhook and to subscribers, how long after its commit a client
 * hears of a change, one event to many subscribers and the memory that these take, and what the outbox costs a mutation.
 *
 *     npm run bench:events -- --only webhook,latency --events 20000 --subscribers 1000
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { createBenchDatabase } from './lib/bench-database.ts'
import { readKitSchema } from './lib/bench-project.ts'
import { EVENT_FAN_OUT, EVENT_LATENCY, EVENT_OUTBOX_COST, EVENT_THROUGHPUT } from './lib/event-tables.ts'
import { type FanOutRow, measureFanOut } from './lib/events/measure-fan-out.ts'
import { type LatencyRow, measureLatency } from './lib/events/measure-latency.ts'
import { measureOutboxCost, type OutboxCostRow } from './lib/events/measure-outbox-cost.ts'
import { measureSubscribers, measureWebhooks, type ThroughputRow } from './lib/events/measure-throughput.ts'
import { NOTES_SQL } from './lib/events/notes.ts'
import { findKit } from './lib/kit.ts'
import { openLoad } from './lib/kit-load.ts'
import { print, progress } from './lib/print.ts'
import { checkResultsName, describeRun, readResults, writeResults } from './lib/results.ts'
import { ensureBuilt } from './lib/svc-process.ts'

const PARTS = ['webhook', 'subscribers', 'latency', 'fan-out', 'outbox']

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join(',') },
    events: { type: 'string', default: '50000' },
    subscribers: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    slices: { type: 'string', default: '12' },
    out: { type: 'string', default: 'events' },
  },
})
checkResultsName(values.out)
const parts = values.only.split(',')
for (const part of parts) if (!PARTS.includes(part)) throw new Error(`--only: "${part}" is none of ${PARTS.join(', ')}`)
const events = Number(values.events)

/** Parts that were not measured keep their results. */
interface Results {
  throughput: readonly ThroughputRow[]
  latency: readonly LatencyRow[]
  fanOut: readonly FanOutRow[]
  outbox: readonly OutboxCostRow[]
}

ensureBuilt()
const kit = findKit()
const database = await createBenchDatabase(kit)
const before = loadavg()[0]!
const results: Results = {
  ...{ throughput: [], latency: [], fanOut: [], outbox: [] },
  ...readResults<Results>(values.out),
}
try {
  database.run(NOTES_SQL)
  if (parts.includes('webhook')) {
    progress('webhook')
    merge(await measureWebhooks(database, events))
  }
  if (parts.includes('subscribers')) {
    for (const count of [1, 100]) {
      progress(`${count} subscribers`)
      merge(await measureSubscribers(database, count === 1 ? events : Math.ceil(events / 5), count))
    }
  }
  if (parts.includes('latency')) {
    progress('latency')
    results.latency = await measureLatency(database, Number(values.rate), Number(values.seconds))
  }
  if (parts.includes('fan-out')) {
    progress('fan-out')
    results.fanOut = [await measureFanOut(database, Number(values.subscribers))]
  }
  if (parts.includes('outbox')) {
    progress('outbox')
    const [schema, workloads, load] = await Promise.all([readKitSchema(), kit.workloads(), openLoad(kit)])
    const slices = Number(values.slices)
    const options = { database, schema, workload: workloads.W6!, load, slices, seconds: 2, connections: 32 }
    results.outbox = await measureOutboxCost(options)
  }
} finally {
  database.drop()
}
print(EVENT_THROUGHPUT.render(results.throughput))
print(EVENT_LATENCY.render(results.latency))
print(EVENT_FAN_OUT.render(results.fanOut))
print(EVENT_OUTBOX_COST.render(results.outbox))
const description = { ...describeRun({ postgres: database.version }), settings: values, loadBefore: before }
progress(writeResults(values.out, { ...description, ...results }))

function merge(row: ThroughputRow): void {
  results.throughput = [...results.throughput.filter(({ to }) => to !== row.to), row]
}
