import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Target } from '../match/target.ts'
import type { OutgoingEvent, Sink } from '../transport/subscriptions.ts'
import { catchUp } from './catch-up.ts'
import { ComeBack } from './come-back.ts'
import { eventsLost } from './events-lost.ts'
import type { HubParts } from './hub-parts.ts'
import { LiveEvent } from './live-event.ts'
import type { Member, Renew } from './member.ts'
import { Aside } from './member.ts'
import { Reader, Turns } from './reader.ts'
import { oneByOne, refreshAccess, renewMembers } from './renew-members.ts'
import { Stale } from './stale.ts'
import type { Watch } from './watch.ts'

/** Default number of concurrent reads of subscriptions. */
const READS_AT_ONCE = 8

/**
 * Passes committed events to all subscribers of this process. Rows are read once for subscribers with the same
 * selection and access.
 */
export class Hub {
  readonly #parts: HubParts
  readonly #turns: Turns
  readonly #members = new Set<Member>()
  readonly #readers = new Map<Target, Map<string, Reader>>()
  readonly #busy = new Set<Promise<void>>()
  readonly #aside = new Aside((member) => this.#lose(member))
  readonly #moves = {
    leave: (member: Member) => this.#leave(member),
    enroll: (member: Member) => this.#enroll(member),
    fail: (member: Member, error: unknown) => this.#fail(member, error),
  }
  /** Renews all subscriptions after a change of the schema. They miss no events meanwhile. */
  readonly renew: () => Promise<void> = oneByOne(() => this.#renewStale())

  constructor(parts: HubParts) {
    const failed = (error: unknown): void => {
      if (error instanceof Stale) void this.renew()
      parts.failed(error)
    }
    this.#parts = { ...parts, failed }
    this.#turns = new Turns(parts.readsAtOnce ?? READS_AT_ONCE)
  }

  /** Position up to which readers got all events. The feed passes an event at the moment its position changes. */
  get #position(): bigint {
    return BigInt(this.#parts.events.position)
  }

  get size(): number {
    return this.#members.size
  }

  /** Takes an event of the feed. Calls have to be in the order of positions. */
  event(event: ChangeEvent): void {
    const live = new LiveEvent(event, BigInt(event.position))
    for (const [target, readers] of this.#readers) if (target.matches(event)) this.#push(live, readers.values())
  }

  /** Takes a message, which has no position. @param isFor tests whether a target listens on its channel */
  message(event: ChangeEvent, isFor: (target: Target) => boolean): void {
    const live = new LiveEvent(event, null)
    for (const [target, readers] of this.#readers) if (isFor(target)) this.#push(live, readers.values())
    this.#aside.message(event, isFor)
  }

  /** Ends subscriptions of targets with EVENTS_LOST, when events or messages are lost and cannot be read again. */
  lostAll(isOf: (target: Target) => boolean = () => true): void {
    for (const member of this.#members) if (isOf(member.watch.target)) this.#lose(member)
  }

  /**
   * Adds a subscriber.
   * @param lastEventId id of the last event that the client received; `null`: only new events
   * @throws the error that denies the subscription; SvcError EVENTS_LOST when `lastEventId` is not known any more
   */
  async add(watch: Watch, sink: Sink, renew: Renew, lastEventId: string | null): Promise<Member> {
    const accessKey = await this.#parts.accessKey(watch)
    let since = this.#position
    if (lastEventId !== null) {
      const position = await this.#parts.events.positionOf(lastEventId)
      if (position === null) throw eventsLost(lastEventId)
      since = BigInt(position)
    }
    const member: Member = {
      sink,
      watch,
      renew,
      since,
      accessKey,
      checkedAt: performance.now(),
      lastEventId,
      isOver: false,
      missed: [],
      end: () => this.#remove(member),
    }
    this.#members.add(member)
    this.#aside.add(member)
    // The schema has changed during the calls above, after the other subscriptions were renewed.
    if (this.#parts.isStale(watch)) void this.renew()
    else this.#enroll(member)
    return member
  }

  /** Resolves when all events so far were sent. */
  async idle(): Promise<void> {
    const readers = [...this.#readers.values()].flatMap((all) => [...all.values()])
    await Promise.all([...readers.map((reader) => reader.idle()), ...this.#busy])
  }

  async #renewStale(): Promise<void> {
    await renewMembers(
      [...this.#members].filter(({ watch }) => this.#parts.isStale(watch)),
      {
        ...this.#parts,
        ...this.#moves,
      },
    )
  }

  #push(live: LiveEvent, readers: Iterable<Reader>): void {
    for (const reader of readers) {
      const { watch } = reader
      if (watch !== null && this.#isFor(live, watch)) reader.push(live)
    }
  }

  #isFor(live: LiveEvent, watch: Watch): boolean {
    try {
      return live.isFor(watch)
    } catch (error) {
      // A filter that cannot be evaluated does not accept the event.
      this.#parts.failed(error)
      return false
    }
  }

  /** Adds a member to its reader, after it has caught up with the hub. */
  #enroll(member: Member): void {
    if (member.isOver) return
    if (member.since >= this.#position && member.missed.length === 0) {
      this.#join(member)
      return
    }
    const busy = catchUp(member, {
      ...this.#parts,
      read: (watch, events) => this.#turns.run(() => this.#parts.read(watch, events)),
      position: () => this.#position,
      isFor: (live, watch) => this.#isFor(live, watch),
    })
      .then((found) => {
        if (found === 'lost') this.#lose(member)
        else if (found === 'there') this.#enroll(member)
      })
      .catch((error) => this.#fail(member, error))
      .finally(() => this.#busy.delete(busy))
    this.#busy.add(busy)
  }

  #join(member: Member): void {
    const { watch, accessKey } = member
    const readers = this.#readers.get(watch.target) ?? new Map<string, Reader>()
    this.#readers.set(watch.target, readers)
    const key = `${watch.key}|${accessKey}`
    let reader = readers.get(key)
    if (reader === undefined) {
      reader = new Reader(key, {
        begin: () => this.#turns.begin(),
        refresh: ({ members }) => refreshAccess(members, { accessKey: this.#parts.accessKey, ...this.#moves }),
        read: this.#parts.read,
        deliver: (one, outgoing, at) => this.#deliver(one, outgoing, at),
        overflow: (one) => {
          for (const each of [...one.members]) this.#behind(each)
        },
        failed: this.#parts.failed,
        fail: (one, error) => this.#fail(one, error),
      })
      readers.set(key, reader)
    }
    reader.members.add(member)
    this.#aside.delete(member)
  }

  #readerOf({ watch, accessKey }: Member): Reader | undefined {
    return this.#readers.get(watch.target)?.get(`${watch.key}|${accessKey}`)
  }

  /** Removes a member from its reader, and records which events it got. */
  #leave(member: Member): void {
    const reader = this.#readerOf(member)
    if (reader?.members.delete(member) !== true) return
    if (!member.isOver) {
      this.#aside.add(member)
      member.missed.push(...reader.unordered)
    }
    const done = reader.doneUpTo(this.#position)
    if (done > member.since) member.since = done
    if (reader.members.size > 0) return
    const readers = this.#readers.get(member.watch.target)
    readers?.delete(reader.key)
    if (readers?.size === 0) this.#readers.delete(member.watch.target)
  }

  #remove(member: Member): void {
    if (member.isOver) return
    member.isOver = true
    this.#leave(member)
    this.#members.delete(member)
    this.#aside.delete(member)
  }

  #fail(member: Member, error: unknown): void {
    if (member.isOver) return
    this.#remove(member)
    if (error instanceof ComeBack) member.sink.away()
    else member.sink.fail(error)
  }

  #lose(member: Member): void {
    this.#parts.lost()
    this.#fail(member, eventsLost(member.lastEventId))
  }

  #behind(member: Member): void {
    if (!member.watch.target.durable) {
      this.#lose(member)
      return
    }
    this.#leave(member)
    this.#enroll(member)
  }

  #deliver(member: Member, outgoing: OutgoingEvent, at: bigint | null): void {
    if (member.isOver) return
    if (!member.sink.next(outgoing)) {
      this.#behind(member)
      return
    }
    if (at !== null) {
      member.since = at
      member.lastEventId = outgoing.event.id
    }
    this.#parts.sent(outgoing.event)
  }
}
