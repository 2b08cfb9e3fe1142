import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangeEvent, changes } from '../../../core/doors/front.ts'
import { type SchemaModel, SvcError } from '../../../core/doors/plugin.ts'
import type { CommittedEvents, EventListener, EventPage } from './committed-events.ts'
import { EventRing } from './event-ring.ts'
import type { EventSink, EventSource } from './event-source.ts'

const PAGE = 500
const MOST_PAGE = 5000
/** How long a reader waits for the feed to begin. */
const BEGIN_MS = 5000
const RETRY_MS = 500

export interface EventFeedOptions {
  readonly source: EventSource
  readonly failed: (error: unknown, what: string) => void
  readonly hear?: CommittedEvents['hear']
  readonly Bus: typeof changes.InProcessBus
}

interface FeedMessages {
  readonly event: ChangeEvent
  /** Position after which events are missing. */
  readonly lost: string
  readonly state: boolean
}

/**
 * Reads committed events once per process and passes them to subscribers, in order. It keeps the latest events in
 * memory for readers that are a little behind.
 */
export class EventFeed implements CommittedEvents, EventSink {
  readonly hear: CommittedEvents['hear']
  readonly #source: EventSource
  readonly #failed: EventFeedOptions['failed']
  readonly #choices: ((schema: SchemaModel) => Iterable<string>)[] = []
  readonly #bus: changes.InProcessBus<FeedMessages>
  /** Streams that have read all events so far. */
  readonly #waiting = new Set<() => void>()
  readonly #end = new AbortController()
  #ring: EventRing | null = null
  #position = 0n
  #isUp = true
  #running: Promise<void> | null = null

  constructor({ source, failed, hear, Bus }: EventFeedOptions) {
    this.hear = hear
    this.#source = source
    this.#failed = failed
    this.#bus = new Bus((error) => failed(error, 'a listener of events failed'))
  }

  get isDurable(): boolean {
    return this.#source.isDurable
  }

  get position(): string {
    return String(this.#position)
  }

  want(choose: (schema: SchemaModel) => Iterable<string>): void {
    this.#choices.push(choose)
  }

  /** Types whose events are needed. */
  wantedOf(schema: SchemaModel): ReadonlySet<string> {
    return new Set(this.#choices.flatMap((choose) => [...choose(schema)]))
  }

  /** Does any reader need events? */
  get isWanted(): boolean {
    return this.#choices.length > 0
  }

  /** Begins to read. Never rejects. @returns resolves when live events have begun, or cannot begin yet */
  async start(): Promise<void> {
    this.#running ??= this.#run()
    await this.#begun().catch(() => {})
  }

  async stop(): Promise<void> {
    this.#end.abort()
    this.#wake()
    await this.#running
  }

  follow(listener: EventListener): () => void {
    const ends = [
      this.#bus.subscribe('event', (event) => listener.event(event)),
      this.#bus.subscribe('lost', (after) => listener.lost?.(after)),
      this.#bus.subscribe('state', (isUp) => listener.state?.(isUp)),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  async read(after: string, limit = PAGE): Promise<EventPage> {
    const from = toPosition(after)
    const ring = await this.#begun()
    const upTo = this.#position
    if (from >= upTo) return { events: [], position: after, isEnd: true, isTooOld: false }
    const most = Math.min(Math.max(1, limit), MOST_PAGE)
    if (from >= ring.floor) return this.#page(ring.behind(from, most), most, upTo, false)
    if (!this.isDurable) return this.#page(ring.behind(ring.floor, most), most, upTo, true)
    const { events, isTooOld } = await this.#source.history(after, String(upTo), most)
    return this.#page(events, most, upTo, isTooOld)
  }

  async *stream(after: string | null, signal: AbortSignal): AsyncIterable<EventPage> {
    await this.#begun()
    let at = after ?? this.position
    while (!signal.aborted && !this.#end.signal.aborted) {
      const page = await this.read(at)
      at = page.position
      if (page.events.length > 0 || page.isTooOld) yield page
      if (page.isEnd) await this.#advanceBeyond(BigInt(at), signal)
    }
  }

  async positionOf(eventId: string): Promise<string | null> {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(eventId)) return null
    const id = eventId.toLowerCase()
    const ring = await this.#begun()
    return ring.find(id) ?? (this.isDurable ? await this.#source.positionOf(id) : null)
  }

  begin(position: string): void {
    this.#position = BigInt(position)
    this.#ring = new EventRing(position)
    this.#wake()
  }

  take(events: readonly ChangeEvent[], position: string): void {
    this.#setUp(true)
    for (const event of events) {
      this.#ring!.add(event)
      this.#position = BigInt(event.position)
      this.#bus.publish('event', event)
    }
    const decided = BigInt(position)
    if (decided > this.#position) this.#position = decided
    if (events.length > 0) this.#wake()
  }

  lost(position: string): void {
    const after = this.position
    this.begin(position)
    this.#bus.publish('lost', after)
  }

  #page(events: readonly ChangeEvent[], most: number, upTo: bigint, isTooOld: boolean): EventPage {
    const isEnd = events.length < most
    return { events, position: isEnd ? String(upTo) : events.at(-1)!.position, isEnd, isTooOld }
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      try {
        await this.#source.follow(this.#ring === null ? null : this.position, this, signal)
      } catch (error) {
        if (signal.aborted) return
        if (this.#isUp) this.#failed(error, 'events cannot be read; subscribers wait')
        this.#setUp(false)
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #begun(): Promise<EventRing> {
    const deadline = AbortSignal.timeout(BEGIN_MS)
    while (this.#ring === null && this.#isUp && !deadline.aborted && !this.#end.signal.aborted)
      await this.#woken(deadline)
    if (this.#ring !== null) return this.#ring
    throw new SvcError('SERVICE_UNAVAILABLE', 'The events cannot be read at the moment.', { retryAfter: 1 })
  }

  async #advanceBeyond(position: bigint, signal: AbortSignal): Promise<void> {
    while (this.#position <= position && !signal.aborted && !this.#end.signal.aborted) await this.#woken(signal)
  }

  #woken(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  #setUp(isUp: boolean): void {
    if (isUp === this.#isUp) return
    this.#isUp = isUp
    this.#bus.publish('state', isUp)
    if (!isUp) this.#wake()
  }
}

/** Parses a position. @throws SvcError BAD_USER_INPUT */
function toPosition(text: string): bigint {
  if (/^\d{1,30}$/.test(text)) return BigInt(text)
  throw new SvcError('BAD_USER_INPUT', 'This is no position of the events.')
}
