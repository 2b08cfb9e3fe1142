import { setTimeout as sleep } from 'node:timers/promises'
import type { EventPage } from '../../observers/api.ts'
import { isOutage, passes } from './events-lost.ts'
import type { HubParts } from './hub-parts.ts'
import { LiveEvent } from './live-event.ts'
import type { Member } from './member.ts'
import type { Watch } from './watch.ts'

const RETRY_MS = 250
const PAGE = 200
/** Most events whose rows are read together. */
const PIECE = 20

export interface CatchUpParts extends Pick<HubParts, 'events' | 'read' | 'failed' | 'sent'> {
  /** Returns the position of the last event that was passed to all subscribers of this process. */
  readonly position: () => bigint
  readonly isFor: (live: LiveEvent, watch: Watch) => boolean
}

/**
 * Sends a subscriber the events that it missed, as fast as its client receives them.
 * @returns `there`: no event is missing; `lost`: missed events are no longer stored; `over`: the subscription has ended
 * or was prepared anew
 */
export async function catchUp(member: Member, parts: CatchUpParts): Promise<'there' | 'lost' | 'over'> {
  const { watch } = member
  const isOver = (): boolean => member.isOver || member.watch !== watch
  while (member.since < parts.position() || member.missed.length > 0) {
    await member.sink.room()
    if (isOver()) return 'over'
    if (member.missed.length > 0) {
      await tellMissed(member, parts, isOver)
      continue
    }
    const position = parts.position()
    const page = await pageFor(member, parts)
    // A renewed watch may need other events of this page.
    if (isOver()) return 'over'
    if (page === null) continue
    if (page.isTooOld) return 'lost'
    const own = page.events
      .filter((event) => watch.target.matches(event))
      .map((event) => new LiveEvent(event, BigInt(event.position)))
      .filter((live) => parts.isFor(live, watch))
    for (let from = 0; from < own.length; from += PIECE) {
      await tellApart(member, watch, own.slice(from, from + PIECE), parts, isOver)
      if (isOver()) return 'over'
    }
    const reached = BigInt(page.position)
    if (reached > member.since) member.since = reached
    // There were no later events, so that the member has reached the position that the hub had before the read. Events
    // that occurred during the read are read next.
    if (page.isEnd && position > member.since) member.since = position
  }
  return isOver() ? 'over' : 'there'
}

/** Sends the first queued message. It stays in the queue until it is sent, so that a renewed member gets it too. */
async function tellMissed(member: Member, parts: CatchUpParts, isOver: () => boolean): Promise<void> {
  const { watch, missed } = member
  const live = new LiveEvent(missed[0]!, null)
  if (parts.isFor(live, watch)) await tellApart(member, watch, [live], parts, isOver)
  if (!isOver()) missed.shift()
}

async function pageFor(member: Member, { events, failed }: CatchUpParts): Promise<EventPage | null> {
  try {
    return await events.read(String(member.since), PAGE)
  } catch (error) {
    if (!isOutage(error)) throw error
    failed(error)
    await sleep(RETRY_MS)
    return null
  }
}

async function tellApart(
  member: Member,
  watch: Watch,
  events: readonly LiveEvent[],
  parts: CatchUpParts,
  isOver: () => boolean,
): Promise<void> {
  const texts = await readSurely(watch, events, parts, isOver)
  for (const [index, { event, at }] of events.entries()) {
    const text = texts[index] ?? null
    while (text !== null && !isOver() && !member.sink.next({ event, text })) await member.sink.room()
    if (isOver()) return
    if (at !== null) member.since = at
    if (text === null) continue
    if (at !== null) member.lastEventId = event.id
    parts.sent(event)
  }
}

async function readSurely(
  watch: Watch,
  events: readonly LiveEvent[],
  { read, failed }: CatchUpParts,
  isOver: () => boolean,
): Promise<readonly (string | null)[]> {
  while (!isOver()) {
    try {
      return await read(watch, events)
    } catch (error) {
      failed(error)
      if (isOver()) break
      if (!passes(error)) throw error
      await sleep(RETRY_MS)
    }
  }
  return []
}
