import { type ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Exchange, MutationModel, SchemaModel, Scope } from '../../../core/doors/plugin.ts'
import type { CommittedEvents, EventPage } from '../../observers/api.ts'

/** Number of events that are kept for subscribers that were busy for a moment, and limit on the characters of their rows. */
const MOST = 2000
const MOST_TEXT = 16_000_000
const TOPIC = 'subscriptions:committed'

/** The members of `CommittedEvents` that subscriptions use. */
export type FollowedEvents = Omit<CommittedEvents, 'stream'>

/**
 * Creates the source of committed changes when the observers plugin is off: changes of this process and of the other
 * workers. They are not stored, and each process counts positions for itself.
 */
export function createLocalEvents(scope: Scope, Bus: typeof changes.InProcessBus): FollowedEvents {
  const choices: ((schema: SchemaModel) => Iterable<string>)[] = []
  const bus = new Bus<{ readonly event: ChangeEvent }>((error) =>
    scope.log.warn({ error: String(error) }, 'a listener of events failed'),
  )
  const wanted = new WeakSet<MutationModel>()
  let ring: ChangeEvent[] = []
  let text = 0
  let position = 0

  const watched = scope.perGeneration((schema) => {
    const types = new Set(choices.flatMap((choose) => [...choose(schema)]))
    for (const mutation of schema.mutations.values())
      if (typesOf(mutation).some((type) => types.has(type))) wanted.add(mutation)
    return types
  })

  function tell(event: ChangeEvent): void {
    const own = { ...event, position: String(++position) }
    ring.push(own)
    text += sizeOf(own)
    if (ring.length > 2 * MOST || text > 2 * MOST_TEXT) forget()
    bus.publish('event', own)
  }

  /** Drops about half of the events, so that it does not run for each event. */
  function forget(): void {
    let first = Math.max(0, ring.length - MOST)
    for (const gone of ring.slice(0, first)) text -= sizeOf(gone)
    while (text > MOST_TEXT) text -= sizeOf(ring[first++]!)
    ring = ring.slice(first)
  }

  scope.writes({ mutations: (mutation) => wanted.has(mutation), before: true, entity: true })
  scope.on('afterCommit', ({ exchange, writes }) => {
    const types = watched.of(exchange.generation)
    if (types.size === 0) return
    const of = { user: exchange.auth?.subject ?? null, tenant: tenantOf(exchange) }
    for (const write of writes) {
      if (write.entityType === null || !types.has(write.entityType)) continue
      const event = changes.eventOfWrite(write, of, '0')
      tell(event)
      scope.process.peers.tell(TOPIC, event)
    }
  })
  scope.onClose(scope.process.peers.hear(TOPIC, (value) => tell(value as ChangeEvent)))

  return {
    isDurable: false,
    want: (choose) => void choices.push(choose),
    get position() {
      return String(position)
    },
    follow: (listener) => bus.subscribe('event', (event) => listener.event(event)),
    async read(after, limit = 500): Promise<EventPage> {
      const from = Number(after)
      const floor = position - ring.length
      const events = ring.slice(Math.max(0, from - floor)).slice(0, limit)
      const isEnd = events.length < limit
      const reached = isEnd ? String(position) : events.at(-1)!.position
      return { events, position: reached, isEnd, isTooOld: from < floor }
    },
    positionOf: async (id) => ring.find((event) => event.id === id)?.position ?? null,
  }
}

function sizeOf({ entity, before }: ChangeEvent): number {
  return (entity?.length ?? 0) + (before?.length ?? 0)
}

function typesOf({ named }: MutationModel): readonly string[] {
  return named.kind === 'union' || named.kind === 'interface' ? named.members.map(({ name }) => name) : [named.name]
}

function tenantOf({ auth }: Exchange): string | null {
  const tenant = auth?.claims.tenant_id
  return typeof tenant === 'string' || typeof tenant === 'number' ? String(tenant) : null
}
