import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestLike } from '../../helpers/services.ts'

/** A span as OTLP/JSON has it, attributes as an object. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Receiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** Of the service that sent them, the latest. */
  resource: Readonly<Record<string, unknown>>
  /** Everything that was received, as it came. */
  readonly bodies: string[]
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** What it answers. */
  status: number
  /** Waits until this holds. */
  until(holds: () => boolean): Promise<void>
  /** Forgets what came so far. */
  clear(): void
}

/** An OpenTelemetry collector's OTLP/HTTP receiver, as much of it as a test needs. */
export async function startReceiver(t: TestLike): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    spans: [],
    resource: {},
    bodies: [],
    requests: [],
    status: 200,
    async until(holds) {
      const end = Date.now() + 30_000
      while (!holds()) {
        if (Date.now() > end) throw new Error(`It did not come; received: ${receiver.spans.map(({ name }) => name)}`)
        await new Promise((done) => setTimeout(done, 20))
      }
    },
    clear() {
      for (const list of [receiver.spans, receiver.bodies, receiver.requests]) list.length = 0
    },
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      receiver.requests.push({ path: request.url ?? '', headers: request.headers })
      receiver.bodies.push(body.toString('latin1'))
      if (receiver.status === 200 && request.headers['content-type'] === 'application/json') take(receiver, body)
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(receiver, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

type Sent<T> = Omit<T, 'attributes'> & { readonly attributes?: readonly Attribute[] }

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Sent<ReceivedSpan>[] }[]
  }[]
}

function take(receiver: Receiver, body: Buffer): void {
  for (const { resource, scopeSpans } of (JSON.parse(body.toString('utf8')) as Body).resourceSpans) {
    receiver.resource = read(resource.attributes)
    for (const { spans } of scopeSpans) {
      for (const span of spans) {
        receiver.spans.push({ ...span, links: span.links ?? [], attributes: read(span.attributes ?? []) })
      }
    }
  }
}

function read(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const [plain] = Object.values(value)
      const list = (plain as { values?: readonly Record<string, unknown>[] }).values
      return [key, list === undefined ? plain : list.map((one) => Object.values(one)[0])]
    }),
  )
}
