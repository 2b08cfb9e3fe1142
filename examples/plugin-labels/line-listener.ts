import { randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Exchange, Generation, Scope } from 'svc'
import type { GraphQLApi } from 'svc/graphql'

/** A listener of the plugin's own: a GraphQL query per line, an answer per line. */
export interface LineListener {
  readonly connections: number
  /** @returns the port */
  listen(port: number): Promise<number>
  /** Takes no more connections and lines, and ends when every line has its answer. */
  drain(): Promise<void>
  close(): void
}

export function createLineListener(scope: Scope, graphql: GraphQLApi): LineListener {
  const seconds = scope.histogram('labels_line_seconds')
  const sockets = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const lines = createInterface({ input: socket })
    lines.on('line', (query) => {
      const work = answer(socket, query).finally(() => running.delete(work))
      running.add(work)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })

  async function answer(socket: Socket, query: string): Promise<void> {
    const started = performance.now()
    // What the schema gave is kept until the line has its answer, whatever is reloaded meanwhile.
    const held = scope.process.hold()
    const ctx = createExchange(held.generation, socket.remoteAddress ?? '')
    try {
      const request = { query, variables: null, operationName: null, extensions: null, other: {} }
      // The one guarded way to data, as for every other entrance.
      const { data, errors } = await scope.run(ctx, await graphql.prepare(ctx, request))
      const told =
        errors === null ? '' : `"errors":${JSON.stringify(errors.flatMap((one) => graphql.renderErrors(ctx, one)))},`
      socket.write(`{${told}"data":${data}}\n`)
    } catch (error) {
      socket.write(`${JSON.stringify({ errors: graphql.renderErrors(ctx, error) })}\n`)
    } finally {
      held.release()
      seconds.observe((performance.now() - started) / 1000)
    }
  }

  return {
    get connections() {
      return sockets.size
    },
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
      }),
    async drain() {
      server.close()
      await Promise.all(running)
      for (const socket of sockets) socket.end()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function createExchange(generation: Generation, address: string): Exchange {
  const { signal } = new AbortController()
  const id = randomUUID()
  const fixed = {
    id,
    transport: 'internal',
    generation,
    headers: {},
    address,
    aborted: false,
    abortReason: null,
  } as const
  const never = { onAbort: () => () => {}, addAbortListener() {}, removeAbortListener() {}, liftDeadline() {} }
  return { ...fixed, ...never, auth: null, context: {}, signal }
}
