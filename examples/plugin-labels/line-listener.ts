import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Exchange, Reply, Scope } from 'svc'
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
  const seconds = scope.metrics.histogram('labels_line_seconds')
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
    const line = (text: string): Reply => ({ status: 200, headers: {}, body: `${text}\n` })
    const renderError = (ctx: Exchange, error: unknown): Reply =>
      line(JSON.stringify({ errors: graphql.renderErrors(ctx, error) }))
    // The same path as for every other front: the hooks around requests, authentication, the deadline.
    const reply = await scope.pipeline.enter(
      { transport: 'internal', address: socket.remoteAddress ?? '', renderError },
      async (ctx) => {
        const request = { query, variables: null, operationName: null, extensions: null, other: {} }
        // The one guarded way to data.
        const { data, errors } = await scope.engine.run(ctx, await graphql.prepare(ctx, request))
        if (errors === null) return line(`{"data":${data}}`)
        const told = JSON.stringify(errors.flatMap((one) => graphql.renderErrors(ctx, one)))
        return line(`{"errors":${told},"data":${data}}`)
      },
    )
    socket.write(String(reply.body))
    seconds.observe((performance.now() - started) / 1000)
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
