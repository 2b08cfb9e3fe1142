import { jsonText } from '../../../core/doors/front.ts'
import { writeJson } from '../../../core/doors/plugin.ts'

/** A message of a WebSocket client, in a form that is the same for both supported protocols. */
export type ClientMessage =
  | { readonly type: 'init'; readonly payload: unknown }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: unknown }
  | { readonly type: 'complete'; readonly id: string }
  | { readonly type: 'ping'; readonly echo: string | null }
  | { readonly type: 'pong' }
  | { readonly type: 'terminate' }

/** Parses and writes the messages of one GraphQL protocol over WebSocket. */
export interface Codec {
  readonly protocol: 'graphql-transport-ws' | 'graphql-ws'
  /** Parses a message of a client. @throws Error for an invalid message; the error text may be sent to the client */
  read(text: string): ClientMessage
  readonly ack: string
  /** Message that is sent periodically to keep a connection open. */
  readonly beat: string
  /** Message to send directly after `ack`; `null`: none. */
  readonly afterAck: string | null
  /**
   * Writes the reply to a ping; `null`: the protocol has none.
   * @param echo payload of the ping as JSON text; `null`: none
   */
  pong(echo: string | null): string | null
  /** Writes a message with a response of an operation. @param payload JSON text of the response */
  next(id: string, payload: string): string
  error(id: string, errors: readonly unknown[]): string
  complete(id: string): string
  /**
   * Writes the message to send before a connection is closed because it was rejected; `null`: the protocol has none.
   */
  refused(message: string): string | null
  /**
   * What happens when a client starts an operation with the id of an open one. `true`: it replaces the open one;
   * `false`: the connection is closed.
   */
  readonly replaces: boolean
  /**
   * `true` if clients may send operations before the server's `ack`. They are queued until the connection is
   * authenticated.
   */
  readonly isEager: boolean
}

type Fields = Readonly<Record<string, unknown>>

function readObject(text: string): Fields {
  let value: unknown
  try {
    value = jsonText.parse(text, true)
  } catch (cause) {
    throw new Error(`The message is no valid JSON: ${(cause as Error).message}`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('A message is a JSON object')
  const fields = value as Fields
  if (typeof fields.type !== 'string') throw new Error('A message has a "type"')
  return fields
}

/** In characters. Clients send numbers or UUIDs; every message of the operation repeats the id. */
const LONGEST_ID = 255
/** Characters of the JSON payload of a ping, which the pong repeats. */
const LONGEST_PING = 1024

function idOf({ id, type }: Fields): string {
  if (typeof id !== 'string' || id === '') throw new Error(`"${String(type)}" needs an "id"`)
  if (id.length > LONGEST_ID) throw new Error(`An "id" has at most ${LONGEST_ID} characters`)
  return id
}

function payloadOf({ payload, type }: Fields): Fields {
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload as Fields
  throw new Error(`"${String(type)}" needs a "payload"`)
}

/** The payload of a message where it is optional. @returns an object, or `null` without one */
function optionalPayload({ payload, type }: Fields): unknown {
  if (payload === undefined || payload === null) return null
  if (typeof payload === 'object' && !Array.isArray(payload)) return payload
  throw new Error(`The "payload" of "${String(type)}" is an object`)
}

/** The payload for the pong, as JSON text. The parser has limited its nesting. */
function echoOf(fields: Fields): string | null {
  const payload = optionalPayload(fields)
  if (payload === null) return null
  const echo = writeJson(payload)
  if (echo.length > LONGEST_PING) throw new Error(`The "payload" of a ping has at most ${LONGEST_PING} characters`)
  return echo
}

const text = JSON.stringify

/** The WebSocket protocol `graphql-transport-ws` (https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md). */
export const TRANSPORT_WS: Codec = {
  protocol: 'graphql-transport-ws',
  read(message) {
    const fields = readObject(message)
    switch (fields.type) {
      case 'connection_init':
        return { type: 'init', payload: optionalPayload(fields) }
      case 'subscribe':
        return { type: 'subscribe', id: idOf(fields), payload: payloadOf(fields) }
      case 'complete':
        return { type: 'complete', id: idOf(fields) }
      case 'ping':
        return { type: 'ping', echo: echoOf(fields) }
      case 'pong':
        return { type: 'pong' }
      default:
        throw new Error('There is no message of this type')
    }
  },
  ack: '{"type":"connection_ack"}',
  afterAck: null,
  beat: '{"type":"ping"}',
  pong: (echo) => (echo === null ? '{"type":"pong"}' : `{"type":"pong","payload":${echo}}`),
  next: (id, payload) => `{"id":${text(id)},"type":"next","payload":${payload}}`,
  error: (id, errors) => `{"id":${text(id)},"type":"error","payload":${text(errors)}}`,
  complete: (id) => `{"id":${text(id)},"type":"complete"}`,
  refused: () => null,
  replaces: false,
  isEager: false,
}

/**
 * The older WebSocket protocol of the package `subscriptions-transport-ws`, whose name in the handshake is
 * `graphql-ws`.
 */
export const LEGACY: Codec = {
  protocol: 'graphql-ws',
  read(message) {
    const fields = readObject(message)
    switch (fields.type) {
      case 'connection_init':
        return { type: 'init', payload: optionalPayload(fields) }
      case 'start':
        return { type: 'subscribe', id: idOf(fields), payload: payloadOf(fields) }
      case 'stop':
        return { type: 'complete', id: idOf(fields) }
      case 'connection_terminate':
        return { type: 'terminate' }
      default:
        throw new Error('There is no message of this type')
    }
  },
  ack: '{"type":"connection_ack"}',
  afterAck: '{"type":"ka"}',
  beat: '{"type":"ka"}',
  pong: () => null,
  next: (id, payload) => `{"id":${text(id)},"type":"data","payload":${payload}}`,
  // Clients of this protocol read a single error.
  error: (id, errors) => `{"id":${text(id)},"type":"error","payload":${text(errors[0] ?? { message: 'It failed.' })}}`,
  complete: (id) => `{"id":${text(id)},"type":"complete"}`,
  refused: (message) => `{"type":"connection_error","payload":${text({ message })}}`,
  replaces: true,
  isEager: true,
}

/**
 * Chooses the GraphQL protocol of a WebSocket connection.
 * @param offered protocols in the handshake, the preferred one first; if empty, `graphql-transport-ws` is chosen
 * @returns `null` when svc supports none of them
 */
export function codecFor(offered: readonly string[]): Codec | null {
  if (offered.length === 0) return TRANSPORT_WS
  const known = offered.find((name) => name === TRANSPORT_WS.protocol || name === LEGACY.protocol)
  if (known === undefined) return null
  return known === LEGACY.protocol ? LEGACY : TRANSPORT_WS
}
