import type { ChaosResult } from './chaos/run-chaos.ts'
import type { FanOutRow } from './events/measure-fan-out.ts'
import type { LatencyRow } from './events/measure-latency.ts'
import type { OutboxCostRow } from './events/measure-outbox-cost.ts'
import type { ThroughputRow } from './events/measure-throughput.ts'
import { growthTable } from './growth-tables.ts'
import { formatNumber, numeric } from './table.ts'

const seconds = (ms: number): string => (ms / 1000).toFixed(0)

export const CHAOS = growthTable<ChaosResult>(
  [
    { title: 'backend' },
    ...numeric(
      'servers',
      'committed',
      'rolled back',
      'killed',
      'told after s',
      'calls',
      'again',
      'missing',
      'other id',
    ),
    ...numeric('of a rollback', 'out of order', 'subscriber', 'back', 'row gone', 'wrong'),
    { title: 'promise' },
  ],
  ({ backend, servers, rolledBack, kills, toldMs, verdict, subscriber, ok }) => [
    backend,
    formatNumber(servers),
    formatNumber(verdict.committed),
    formatNumber(rolledBack),
    formatNumber(Object.values(kills).reduce((sum, each) => sum + each, 0)),
    seconds(toldMs),
    formatNumber(verdict.calls),
    formatNumber(verdict.repeated),
    formatNumber(verdict.missing),
    formatNumber(verdict.otherId),
    formatNumber(verdict.invented),
    formatNumber(verdict.outOfOrder),
    ...ofSubscriber(subscriber),
    ok ? 'kept' : '**broken**',
  ],
)

/** Number of events, reconnections, deleted rows, and events that are missing, doubled, out of order or of another row. */
function ofSubscriber(subscriber: ChaosResult['subscriber'] | undefined): readonly string[] {
  // Nothing is kept for it, or the run is older than it.
  if (subscriber === null || subscriber === undefined) return ['–', '–', '–', '–']
  const { heard, reconnects, gone, missing, doubled, outOfOrder, otherRow, errors } = subscriber
  return [heard, reconnects, gone, missing + doubled + outOfOrder + otherRow + errors.length].map((each) =>
    formatNumber(each),
  )
}

export const EVENT_THROUGHPUT = growthTable<ThroughputRow>(
  [{ title: 'to' }, ...numeric('events', 'events/s', 'messages/s', 'CPU µs per event')],
  ({ to, events, perSecond, messagesPerSecond, cpuUs }) => [
    to,
    formatNumber(events),
    formatNumber(perSecond),
    formatNumber(messagesPerSecond),
    formatNumber(cpuUs),
  ],
)

export const EVENT_LATENCY = growthTable<LatencyRow>(
  [{ title: 'to' }, ...numeric('mutations/s', 'heard', 'p50 ms', 'p99 ms', 'slowest ms')],
  ({ to, perSecond, heard, p50, p99, max }) => [
    to,
    formatNumber(perSecond),
    formatNumber(heard),
    p50.toFixed(1),
    p99.toFixed(1),
    max.toFixed(1),
  ],
)

export const EVENT_FAN_OUT = growthTable<FanOutRow>(
  numeric('subscribers', 'MiB before', 'MiB idle', 'KiB each', 'first ms', 'last ms', 'slowest round ms', 'CPU ms'),
  ({ subscribers, beforeMiB, idleMiB, firstMs, lastMs, worstMs, cpuMs }) => [
    formatNumber(subscribers),
    formatNumber(beforeMiB),
    formatNumber(idleMiB),
    formatNumber(((idleMiB - beforeMiB) * 1024) / subscribers, 1),
    formatNumber(firstMs),
    formatNumber(lastMs),
    formatNumber(worstMs),
    formatNumber(cpuMs),
  ],
)

export const EVENT_OUTBOX_COST = growthTable<OutboxCostRow>(
  [{ title: 'W6' }, ...numeric('requests/s', 'ratio', 'CPU µs of the server', 'ratio', 'failed')],
  ({ step, rps, ratio, cpuUs, cpuRatio, failed }) => [
    step,
    formatNumber(rps),
    ratio.toFixed(2),
    cpuUs.toFixed(1),
    cpuRatio.toFixed(2),
    formatNumber(failed),
  ],
)
