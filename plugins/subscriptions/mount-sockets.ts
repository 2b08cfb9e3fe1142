import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { isOpenOperation, type UpgradeHandler } from '../../core/doors/front.ts'
import {
  type Exchange,
  originSet,
  type SchemaModel,
  type Scope,
  type SecuritySection,
} from '../../core/doors/plugin.ts'
import type {} from '../cors/api.ts'
import type {} from '../csrf-prevention/api.ts'
import type { GraphQLApi } from '../graphql/api.ts'
import { CLOSE } from './connection/close-codes.ts'
import { codecFor } from './connection/codec.ts'
import { Connection } from './connection/connection.ts'
import type { ConnectionParts } from './connection/connection-parts.ts'
import { handshakeHeaders } from './connection/credentials.ts'
import type { SubscriptionsOptions } from './options.ts'
import type { Subscriptions } from './transport/subscriptions.ts'

/** Paths besides the GraphQL endpoint itself. */
const PATHS = ['/ws', '/subscriptions']

interface Sockets {
  /** Closes all sockets on shutdown, so that clients reconnect to another instance. */
  drain(): Promise<void>
}

/** Serves GraphQL subscriptions over WebSocket on the GraphQL endpoint. @returns the open connections */
export async function mountSockets(
  scope: Scope,
  options: SubscriptionsOptions,
  { graphql, subscriptions }: { readonly graphql: GraphQLApi; readonly subscriptions: Subscriptions },
): Promise<Sockets> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.max_message_bytes,
    // A handshake with unknown protocols is accepted, and closed with a code afterwards, since browsers show only that.
    handleProtocols: (offered) => codecFor([...offered])?.protocol ?? [...offered][0] ?? false,
  })
  const ids = new WeakMap<object, string>()
  server.on('headers', (headers, request) => headers.push(`X-Request-Id: ${ids.get(request)}`))
  server.on('wsClientError', (error, socket, request) => refuseHandshake(error, socket, ids.get(request)))
  const connections = new Map<string, Connection>()
  const result = scope.metrics.counterBy('svc_ws_connections_total')
  const asked = scope.metrics.counterBy('svc_ws_subscriptions_total')
  const counters = {
    connection: { accepted: result('accepted'), refused: result('refused') },
    subscription: { accepted: asked('accepted'), refused: asked('refused') },
  }
  const trusted = originSet(scope.config.server.cors?.origins, scope.config.security.csrf_prevention?.trusted_origins)
  const { default_policy: policy } = scope.config.security
  const isOpen = scope.perGeneration((schema) => hasOpen(schema, policy))

  let credentialHeaders: readonly string[] | null = null
  const parts: ConnectionParts = {
    enter: scope.pipeline.enter,
    run: (exchange, operation) => scope.engine.run(exchange, operation),
    toPublicError: scope.pipeline.toPublicError,
    graphql,
    subscriptions,
    options,
    credentialHeaders() {
      // The list is complete when all plugins are set up.
      credentialHeaders ??= scope.process.credentials.flatMap(({ in: place, name }) =>
        place === 'header' ? [name.toLowerCase()] : [],
      )
      return credentialHeaders
    },
    isClosed: ({ generation }: Exchange) => !isOpen.of(generation),
    counted: (outcome) => counters.connection[outcome].add(),
    subscribed: (outcome) => counters.subscription[outcome].add(),
    left: ({ id }) => connections.delete(id),
  }

  const upgrade: UpgradeHandler = (ctx, given) => {
    const offered = offeredBy(ctx.headers['sec-websocket-protocol'])
    const { socket, head } = given.take()
    ids.set(given.request, ctx.id)
    server.handleUpgrade(given.request, socket as Duplex, head, (ws: WebSocket) => {
      const codec = codecFor(offered)
      if (codec === null) {
        counters.connection.refused.add()
        ws.on('error', () => {})
        ws.close(CLOSE.subprotocol, 'Subprotocol not acceptable')
        return
      }
      const from = { headers: handshakeHeaders(ctx.headers, trusted), address: ctx.address }
      const connection = new Connection(ws, codec, from, parts)
      connections.set(connection.id, connection)
    })
  }
  for (const path of new Set([...PATHS, graphql.endpoint])) {
    scope.upgrade(path, upgrade, { anonymous: true, protocol: 'websocket' })
  }

  const beat = setInterval(() => {
    for (const connection of connections.values()) connection.beat()
  }, options.ping_interval_ms)
  beat.unref()
  scope.onClose(() => clearInterval(beat))

  return {
    async drain() {
      const closed = [...connections.values()].map(
        ({ socket }) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
      )
      for (const connection of connections.values()) connection.close(CLOSE.goingAway, 'Service restart: connect again')
      await Promise.all(closed)
    },
  }
}

/** Rejects an invalid handshake. No protocol is negotiated yet, so that the reply is plain HTTP. */
function refuseHandshake({ message }: Error, socket: Duplex, id = ''): void {
  const body = JSON.stringify({ error: { code: 'REQUEST_ERROR', message, details: {} } })
  const lines = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `x-request-id: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'sec-websocket-version: 13, 8',
    'connection: close',
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

function offeredBy(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '')
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** May anonymous callers run any operation? */
function hasOpen(
  { subscriptions, queries, mutations }: SchemaModel,
  policy: SecuritySection['default_policy'],
): boolean {
  const all = [subscriptions, queries, mutations].flatMap((operations) => [...operations.values()])
  return all.some((operation) => isOpenOperation(operation, policy))
}
