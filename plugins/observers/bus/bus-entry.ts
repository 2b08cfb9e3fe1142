import { type ChangeEvent, jsonText } from '../../../core/doors/front.ts'

export interface BusEntry {
  /** Position of the preceding event. A reader that did not receive that event has missed entries. */
  readonly previous: string
  readonly event: ChangeEvent
  /** `true` if the rows of the event were too large for the bus and must be read from the event table. */
  readonly isPartial: boolean
}

/** Longest text of an event on a bus, in bytes. */
const MOST_TEXT = 900_000
/** Precedes the rows, which come last and verbatim, so that reading an entry does not round their numbers. */
const ROWS = ',"data":'

/** Members before the rows. */
interface Head {
  readonly event: ChangeEvent['kind']
  readonly entity: string | null
  readonly entity_id: string | null
  readonly id: string
  readonly timestamp: string
  readonly mutation: string | null
  readonly user_id: string | null
  readonly tenant_id: string | null
  readonly updated_fields: readonly string[] | null
  readonly trace?: string | null
  readonly position: string
  readonly previous: string
  readonly partial: boolean
}

/**
 * Writes an event as a JSON entry for the message bus, which other programs may read
 * (docs/plugins/observers.md#backends). Its `data` is the row after the change, or before a deletion.
 * @param previous position of the preceding event
 */
export function writeEntry(previous: string, event: ChangeEvent): string {
  const { entity, before } = event
  const text = `${headOf(previous, event, false)}${ROWS}${(event.kind === 'DELETE' ? before : entity) ?? 'null'},"old":${before ?? 'null'}}`
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (text.length * 3 <= MOST_TEXT || Buffer.byteLength(text) <= MOST_TEXT) return text
  return `${headOf(previous, event, true)}${ROWS}null,"old":null}`
}

function headOf(previous: string, event: ChangeEvent, partial: boolean): string {
  const head: Head = {
    event: event.kind,
    entity: event.entityType,
    entity_id: event.entityId,
    id: event.id,
    timestamp: event.time,
    mutation: event.mutation,
    user_id: event.user,
    tenant_id: event.tenant,
    updated_fields: event.updatedFields,
    ...(event.trace === undefined ? {} : { trace: event.trace }),
    position: event.position,
    previous,
    partial,
  }
  return JSON.stringify(head).slice(0, -1)
}

/** Parses an entry of the message bus. @returns `null`: svc did not write the entry */
export function readEntry(text: string): BusEntry | null {
  // Quotes within strings are escaped, so that the first occurrence is the key.
  const at = text.indexOf(ROWS)
  if (at === -1) return null
  try {
    const { event: kind, previous, partial, ...head } = JSON.parse(`${text.slice(0, at)}}`) as Head
    if (typeof previous !== 'string' || typeof head.position !== 'string') return null
    const rows = jsonText.readMembers(`{${text.slice(at + 1)}`)
    const row = (key: string): string | null => (rows.get(key) === 'null' ? null : (rows.get(key) ?? null))
    const event: ChangeEvent = {
      id: head.id,
      kind,
      mutation: head.mutation,
      entityType: head.entity,
      entityId: head.entity_id,
      entity: kind === 'DELETE' ? null : row('data'),
      before: row('old'),
      updatedFields: head.updated_fields,
      user: head.user_id,
      tenant: head.tenant_id,
      time: head.timestamp,
      position: head.position,
      ...(head.trace === undefined ? {} : { trace: head.trace }),
    }
    return { previous, event, isPartial: partial }
  } catch {
    return null
  }
}
