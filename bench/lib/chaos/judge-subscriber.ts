import type { SubscribedChange } from './item-subscriber.ts'
import type { CommittedChange, HeardChange } from './judge-events.ts'

export interface SubscriberVerdict {
  readonly heard: number
  /** Changes that could not be read: the row was dropped before the read. */
  readonly gone: number
  readonly missing: number
  /** Told a second time. */
  readonly doubled: number
  /** Told behind a later change of its item. */
  readonly outOfOrder: number
  /** A row older than its change, or a row that was never committed. */
  readonly otherRow: number
  readonly examples: readonly string[]
}

const EXAMPLES = 3

/**
 * Compares the events of a subscriber with the committed changes. The webhook identifies the change of an event; the
 * subscriber receives the row as it is at the read.
 */
export function judgeSubscriber(
  committed: readonly CommittedChange[],
  told: readonly HeardChange[],
  heard: readonly SubscribedChange[],
): SubscriberVerdict {
  const examples: string[] = []
  const wrong = { missing: 0, doubled: 0, outOfOrder: 0, otherRow: 0 }
  function found(what: keyof typeof wrong, words: string): void {
    if (++wrong[what] <= EXAMPLES) examples.push(`subscriber, ${what}: ${words}`)
  }

  const changes = new Map(told.map((change) => [change.eventId, change]))
  const dropped = new Set(committed.filter(({ kind }) => kind === 'DELETE').map(({ item }) => item))
  const last = new Map<string, number>()
  for (const { item, version } of committed) last.set(item, Math.max(last.get(item) ?? 0, version))

  const seen = new Set<string>()
  const reached = new Map<string, number>()
  for (const { eventId, item, version } of heard) {
    const change = changes.get(eventId)
    if (seen.has(eventId)) found('doubled', `${eventId} of ${item}`)
    seen.add(eventId)
    const rank = change === undefined ? Number.NaN : rankOf(change)
    if (change?.item !== item || version < change.version || version > last.get(item)!)
      found('otherRow', `${eventId}: ${item} version ${version}`)
    const before = reached.get(item) ?? 0
    if (rank < before) found('outOfOrder', `${eventId}: ${item} version ${change?.version} behind ${before}`)
    reached.set(item, Math.max(before, rank || 0))
  }
  let gone = 0
  for (const { eventId, item, kind, version } of changes.values()) {
    if (seen.has(eventId)) continue
    if (kind !== 'DELETE' && dropped.has(item)) gone++
    else found('missing', `${eventId}: ${item} ${kind} ${version}`)
  }
  return { heard: heard.length, gone, ...wrong, examples }
}

/** A row that goes does so last, whatever version it had when it was read. */
function rankOf({ kind, version }: HeardChange): number {
  return kind === 'DELETE' ? Number.MAX_SAFE_INTEGER : version
}
