import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HeardChange } from './judge-events.ts'

/** A webhook receiver that records every call and its time of arrival. */
export interface EventSink {
  readonly host: string
  readonly url: string
  readonly heard: readonly HeardChange[]
  /** The port of the last caller, and the port of the receiver: they identify the delivering process. */
  readonly lastCall: { readonly from: number; readonly to: number } | null
  close(): Promise<void>
}

/**
 * @param failing share of calls that are refused with 503, and not heard
 * @param slowMs until a call is answered
 */
export async function openEventSink(failing: number, slowMs: number): Promise<EventSink> {
  const heard: HeardChange[] = []
  let from: number | null = null
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      from = request.socket.remotePort ?? null
      if (Math.random() < failing) {
        response.statusCode = 503
      } else {
        const { id, event, entity_id, data } = JSON.parse(Buffer.concat(chunks).toString()) as Told
        const key = request.headers['idempotency-key']
        if (key !== id) throw new Error(`Idempotency-Key ${key} of event ${id}`)
        heard.push({ eventId: id, item: entity_id, kind: event, version: (data.new ?? data.old).version })
      }
      setTimeout(() => response.end(), slowMs)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    heard,
    get lastCall() {
      return from === null ? null : { from, to: port }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

interface Told {
  readonly id: string
  readonly event: string
  readonly entity_id: string
  readonly data: { readonly new: { readonly version: number } | null; readonly old: { readonly version: number } }
}
