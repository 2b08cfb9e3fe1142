import { randomUUID } from 'node:crypto'
import { type ChangeEvent, changes, ExactNumber } from '../../../core/doors/front.ts'
import { parseJson, type Scope, writeJson } from '../../../core/doors/plugin.ts'
import type { FollowedEvents } from '../events/local-events.ts'
import type { Target } from './target.ts'

interface Channels {
  /** Listens on the channels of these targets, and stops listening on others. It never rejects. */
  listen(targets: Iterable<Target>): Promise<void>
  close(): Promise<void>
}

type ListenThere = (
  channel: string,
  said: (payload: string) => void,
  missed: () => void,
) => Promise<() => Promise<void>> | undefined

const KINDS: Readonly<Record<string, ChangeEvent['kind']>> = {
  INSERT: 'INSERT',
  CREATE: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
}

/** Time until the next attempt when the database or the bus cannot be reached. */
const RETRY_MS = 2000

/**
 * Listens to messages about rows on database channels `svc_<topic>`, and on the message bus if there is one: `NOTIFY
 * svc_order_paid, '{ "id": "7" }'`. Only the id is taken from a message; the row is read with the subscriber's access,
 * so senders need not be trusted.
 * @param heard called for each message
 * @param gap called when messages of a channel may be missing
 */
export function openChannels(
  { database, log }: Pick<Scope, 'database' | 'log'>,
  { hear: hearBus }: Pick<FollowedEvents, 'hear'>,
  heard: (event: ChangeEvent, channel: string) => void,
  /** Messages of a channel may be missing. */
  gap: (channel: string) => void,
): Channels {
  const open = new Map<string, () => unknown>()
  let wanted: ReadonlyMap<string, string> = new Map()
  let retry: NodeJS.Timeout | undefined
  let isClosed = false
  let turn: Promise<void> = Promise.resolve()

  function hear(channel: string, entity: string, payload: string): void {
    const event = toEvent(payload, entity)
    if (event === null) log.warn({ channel }, 'a message on this channel is no JSON object with an "id"')
    else heard(event, channel)
  }

  /** The places where messages come from, each with a name for log lines. */
  const places: readonly (readonly [string, ListenThere])[] = [
    ['database', (channel, said, missed) => database().listen?.(channel, said, missed)],
    ...(hearBus === undefined ? [] : [['bus', hearBus] as const]),
  ]

  async function update(): Promise<void> {
    clearTimeout(retry)
    const keys = new Set([...wanted].flatMap(([channel]) => places.map(([place]) => `${place} ${channel}`)))
    for (const [key, end] of open) {
      if (keys.has(key)) continue
      open.delete(key)
      await end()
    }
    let isAway = false
    for (const [channel, entity] of wanted) {
      for (const [place, listenThere] of places) {
        const key = `${place} ${channel}`
        if (open.has(key) || isClosed) continue
        try {
          const end = await listenThere(
            channel,
            (payload) => hear(channel, entity, payload),
            () => gap(channel),
          )
          if (end !== undefined) open.set(key, end)
        } catch (error) {
          isAway = true
          log.warn({ channel, error: String(error) }, `messages of this channel are not heard: the ${place} is away`)
        }
      }
    }
    if (!isAway || isClosed) return
    retry = setTimeout(() => void next(), RETRY_MS)
    retry.unref()
  }

  /** Runs `update` after the present one. */
  function next(): Promise<void> {
    turn = turn.then(update).catch((error: unknown) => log.warn({ error: String(error) }, 'a channel cannot be let go'))
    return turn
  }

  return {
    listen(targets) {
      const channels = new Map<string, string>()
      for (const { channel, types } of targets) {
        const [entity] = types.keys()
        if (channel !== null && entity !== undefined) channels.set(channel, entity)
      }
      wanted = channels
      return next()
    },
    async close() {
      isClosed = true
      wanted = new Map()
      await next()
    },
  }
}

/** @returns `null` for a message that is invalid, or whose JSON is nested too deeply */
function toEvent(payload: string, entity: string): ChangeEvent | null {
  try {
    return readMessage(parseJson(payload), entity)
  } catch {
    return null
  }
}

function readMessage(message: unknown, entity: string): ChangeEvent | null {
  if (typeof message !== 'object' || message === null) return null
  const { id, entity: type, operation, data } = message as Readonly<Record<string, unknown>>
  if (id === undefined || id === null || (typeof id === 'object' && !(id instanceof ExactNumber))) return null
  return {
    id: randomUUID(),
    kind: KINDS[String(operation).toUpperCase()] ?? 'CUSTOM',
    mutation: null,
    entityType: typeof type === 'string' ? type : entity,
    entityId: String(id),
    // A trigger may send the row in `data`.
    entity: writeJson(typeof data === 'object' && data !== null ? data : message),
    before: null,
    updatedFields: null,
    user: null,
    tenant: null,
    time: new Date().toISOString(),
    position: changes.UNORDERED,
  }
}
