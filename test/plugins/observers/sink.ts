import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestLike } from '../../helpers/services.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a body of any shape, looked at by assertions
  readonly body: any
}

/** A receiver of webhooks. */
export interface Sink {
  /** `http://127.0.0.1:port` */
  readonly url: string
  readonly host: string
  readonly received: readonly Received[]
  /** What the next requests of this path are answered, one after the other; then 200. `null`: never. */
  answer(path: string, ...statuses: readonly (number | null | { status: number; headers: object })[]): void
  /** Waits until `count` requests of the path are there. @throws Error after twenty seconds */
  wait(path: string, count: number): Promise<readonly Received[]>
  /** What came so far never did. */
  forget(): void
  /** Those of the path so far. */
  of(path: string): readonly Received[]
}

export async function openSink(t: TestLike): Promise<Sink> {
  const received: Received[] = []
  const answers = new Map<string, (number | null | { status: number; headers: object })[]>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, text, body: text === '' ? null : JSON.parse(text) })
    const answer = answers.get(path)?.shift()
    if (answer === null) return
    if (typeof answer === 'object') response.writeHead(answer.status, answer.headers as never)
    else response.statusCode = answer ?? 200
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const of = (path: string) => received.filter((one) => one.path === path)
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    forget: () => void received.splice(0),
    answer: (path, ...statuses) => void answers.set(path, [...statuses]),
    of,
    async wait(path, count) {
      const deadline = Date.now() + 20_000
      while (of(path).length < count) {
        if (Date.now() > deadline) throw new Error(`${path}: ${of(path).length} of ${count} came`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return of(path)
    },
  }
}
