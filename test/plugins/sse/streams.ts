import type { TestLike } from '../../helpers/services.ts'
import type { Shop } from '../subscriptions/shop.ts'

/** A stream of events as a client reads it. */
export interface Stream {
  readonly status: number
  text: string
  /** Resolves when the service has ended it. */
  readonly over: Promise<void>
  end(): void
}

export async function openStream(
  t: TestLike,
  app: Pick<Shop, 'url'>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const controller = new AbortController()
  t.teardown(() => controller.abort())
  const response = await fetch(`${app.url}${path}`, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const read = async (): Promise<void> => {
    for await (const chunk of response.body!) stream.text += Buffer.from(chunk).toString()
  }
  const over = Promise.resolve().then(read)
  over.catch(() => {})
  const stream: Stream = { status: response.status, text: '', over, end: () => controller.abort() }
  return stream
}
