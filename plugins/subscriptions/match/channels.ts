import { randomUUID } from 'node:crypto'
import { type ChangeEvent, parseJson, type Scope } from '../../../core/index.ts'
import type { Target } from './target.ts'

interface Channels {
  /** Listens for these targets, and for no others any more. Never rejects. */
  listen(targets: Iterable<Target>): Promise<void>
  close(): Promise<void>
}

const KINDS: Readonly<Record<string, ChangeEvent['kind']>> = {
  INSERT: 'INSERT',
  CREATE: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
}

/**
 * Messages on channels of the database, `svc_<topic>`: `NOTIFY svc_order_paid, '{ "id": "7" }'`. They tell of a row by its id,
 * beside `entity` and `operation` where these are not those of the subscription; the row is read again, whoever sends them.
 */
export function openChannels(
  { database, log }: Pick<Scope, 'database' | 'log'>,
  heard: (event: ChangeEvent, channel: string) => void,
): Channels {
  const open = new Map<string, () => unknown>()

  function hear(channel: string, entity: string, payload: string): void {
    const event = toEvent(payload, entity)
    if (event === null) log.warn({ channel }, 'a message on this channel is no JSON object with an "id"')
    else heard(event, channel)
  }

  return {
    async listen(targets) {
      const wanted = new Map<string, string>()
      for (const { channel, types } of targets) {
        const [entity] = types.keys()
        if (channel !== null && entity !== undefined) wanted.set(channel, entity)
      }
      for (const [channel, end] of open) {
        if (wanted.has(channel)) continue
        open.delete(channel)
        await end()
      }
      for (const [channel, entity] of wanted) {
        if (open.has(channel)) continue
        try {
          const end = await database().listen?.(channel, (payload) => hear(channel, entity, payload))
          if (end !== undefined) open.set(channel, end)
        } catch (error) {
          log.warn({ channel, error: String(error) }, 'messages of this channel are not heard: the database is away')
        }
      }
    },
    async close() {
      for (const end of open.values()) await end()
      open.clear()
    },
  }
}

function toEvent(payload: string, entity: string): ChangeEvent | null {
  let message: unknown
  try {
    message = parseJson(payload)
  } catch {
    return null
  }
  if (typeof message !== 'object' || message === null) return null
  const { id, entity: type, operation, data } = message as Readonly<Record<string, unknown>>
  if (id === undefined || id === null || typeof id === 'object') return null
  return {
    id: randomUUID(),
    kind: KINDS[String(operation).toUpperCase()] ?? 'CUSTOM',
    mutation: null,
    entityType: typeof type === 'string' ? type : entity,
    entityId: String(id),
    entity: typeof data === 'object' && data !== null ? JSON.stringify(data) : null,
    before: null,
    updatedFields: null,
    user: null,
    tenant: null,
    time: new Date().toISOString(),
    position: '0',
  }
}
