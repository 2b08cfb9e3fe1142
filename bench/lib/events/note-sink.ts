import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks that answers at once. */
export interface NoteSink {
  readonly url: string
  readonly host: string
  readonly count: number
  /** Since `clear`, in milliseconds. */
  readonly latencies: readonly number[]
  clear(): void
  close(): Promise<void>
}

export async function openNoteSink(): Promise<NoteSink> {
  let count = 0
  let latencies: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const now = performance.timeOrigin + performance.now()
      count++
      latencies.push(now - Number(/"written":([\d.]+)/.exec(Buffer.concat(chunks).toString())?.[1]))
      response.end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    get count() {
      return count
    },
    get latencies() {
      return latencies
    },
    clear() {
      count = 0
      latencies = []
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
