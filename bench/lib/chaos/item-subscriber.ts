import { setTimeout as sleep } from 'node:timers/promises'

/** One response of the subscription, in order of arrival. */
export interface SubscribedChange {
  readonly eventId: string
  readonly item: string
  /** Values of the row at the read, which may be later than the event. */
  readonly version: number
}

/** A subscriber with `replay`, which reconnects with its last event id after every kill. */
export interface ItemSubscriber {
  readonly heard: readonly SubscribedChange[]
  /** Number of reconnections. */
  readonly reconnects: number
  /** Errors received instead of a change. */
  readonly errors: readonly string[]
  close(): Promise<void>
}

const QUERY = 'subscription { itemKept { id version } }'
const AGAIN_MS = 50
/** A stream that says nothing for so long has died without a word. */
const SILENT_MS = 5000

/** @param url of the GraphQL endpoint, which may move @returns when the service has it */
export async function openItemSubscriber(url: () => string): Promise<ItemSubscriber> {
  const heard: SubscribedChange[] = []
  const errors: string[] = []
  const ended = new AbortController()
  let last = ''
  let opened = 0
  let begun: () => void = () => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))

  function take(event: string): void {
    const id = /^id: (.+)$/m.exec(event)?.[1]
    const data = /^data: (\{.*)$/m.exec(event)?.[1]
    if (data === undefined) return
    const { data: told, errors: failed } = JSON.parse(data) as Told
    if (id === undefined || !told?.itemKept) {
      errors.push(JSON.stringify(failed ?? told))
      return
    }
    const { id: item, version } = told.itemKept
    heard.push({ eventId: id, item, version })
    last = id
  }

  async function follow(): Promise<void> {
    const silent = new AbortController()
    const signal = AbortSignal.any([ended.signal, silent.signal])
    const headers = { accept: 'text/event-stream', ...(last === '' ? {} : { 'last-event-id': last }) }
    const response = await fetch(`${url()}/stream?query=${encodeURIComponent(QUERY)}`, { headers, signal })
    if (response.status !== 200 || response.body === null) throw new Error(`answered ${response.status}`)
    let overdue = setTimeout(() => silent.abort(), SILENT_MS)
    let text = ''
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(overdue)
        overdue = setTimeout(() => silent.abort(), SILENT_MS)
        if (opened++ === 0) begun()
        text += chunk
        // A truncated last event is sent again.
        const events = text.split('\n\n')
        text = events.pop()!
        for (const event of events) take(event)
      }
    } finally {
      clearTimeout(overdue)
    }
  }

  let reconnects = -1
  const running = (async () => {
    while (!ended.signal.aborted) {
      reconnects++
      await follow().catch(() => {})
      await sleep(AGAIN_MS)
    }
  })()
  await hasBegun
  return {
    heard,
    errors,
    get reconnects() {
      return reconnects
    },
    async close() {
      ended.abort()
      await running
    },
  }
}

interface Told {
  readonly data?: { readonly itemKept: { readonly id: string; readonly version: number } | null } | null
  readonly errors?: unknown
}
