import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { EventSink, EventSource } from '../feed/event-source.ts'
import type { BusEntry } from './bus-entry.ts'
import type { BusListener, EventBus } from './event-bus.ts'

const PAGE = 500
/** How long a bus may take to report its position. After that, reading starts from the position of the outbox. */
const LATE_MS = 500

/**
 * Creates the event source that reads a message bus. Older events, and events that the bus has lost, are read from the
 * event table.
 * @param outbox reads the event table
 */
export function createBusSource(
  bus: EventBus,
  outbox: EventSource & { readonly tail: () => Promise<string> },
): EventSource {
  return {
    isDurable: true,
    history: (after, upTo, limit) => outbox.history(after, upTo, limit),
    positionOf: (id) => outbox.positionOf(id),
    async follow(from, sink, signal) {
      let position = from
      const catchUp = async (upTo: string): Promise<void> => {
        position = await readOn(outbox, sink, position!, upTo)
      }
      /** Begins after the end of the bus and the tail of the outbox: later events will arrive on the bus, and earlier ones are old. */
      const beginBehind = async (last: string): Promise<void> => {
        const tail = await outbox.tail()
        if (position !== null || signal.aborted) return
        position = max(last, tail)
        sink.begin(position)
      }
      const late = from !== null ? undefined : setTimeout(() => void beginBehind('0').catch(() => {}), LATE_MS)
      const listener: BusListener = {
        async begin(last) {
          if (position === null) await beginBehind(last)
          if (position === null) return
          if (BigInt(last) > BigInt(position)) await catchUp(last)
          else sink.take([], position)
        },
        async take(entries) {
          for (const { event, previous, isPartial } of entries) {
            if (BigInt(event.position) <= BigInt(position!)) continue
            if (isPartial || BigInt(previous) > BigInt(position!)) await catchUp(event.position)
            else {
              sink.take([event], event.position)
              position = event.position
            }
          }
        },
      }
      try {
        await bus.tail(listener, signal)
      } catch (error) {
        // Subscribers that come while the bus is disconnected must not miss events.
        if (position === null) await beginBehind('0')
        throw error
      } finally {
        clearTimeout(late)
      }
    },
  }
}

/** Reads events from the outbox. @returns the position that it has reached */
async function readOn(outbox: EventSource, sink: EventSink, after: string, upTo: string): Promise<string> {
  let position = after
  while (BigInt(position) < BigInt(upTo)) {
    const { events, isTooOld } = await outbox.history(position, upTo, PAGE)
    const [first] = events
    if (isTooOld) sink.lost(first === undefined ? upTo : String(BigInt(first.position) - 1n))
    position = events.length < PAGE ? upTo : events.at(-1)!.position
    sink.take(events, position)
  }
  return position
}

/**
 * Returns the event of a bus entry with its rows, which are read from the event table if they were too large for the
 * bus.
 * @param outbox reads the event table
 */
export async function wholeEvent({ event, isPartial }: BusEntry, outbox: EventSource): Promise<ChangeEvent> {
  if (!isPartial) return event
  const { events } = await outbox.history(String(BigInt(event.position) - 1n), event.position, 1)
  return events[0] ?? event
}

function max(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b
}
