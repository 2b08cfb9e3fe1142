import { type GraphQLRequest, postGraphQL } from './post.ts'
import { percentile } from './stats.ts'

/** Requests at a steady rate whatever the answers take, or as many as this many clients get answered. */
export type Pace =
  | { readonly kind: 'rate'; readonly perSecond: number }
  | { readonly kind: 'connections'; readonly count: number }

export interface MixOptions {
  readonly url: string
  readonly quick: GraphQLRequest
  readonly slow: GraphQLRequest
  /** Share of slow requests, 0 to 1: every nth request is slow, the same in every run. */
  readonly share: number
  readonly pace: Pace
  readonly seconds: number
  /** Clients that ask for nothing but slow ones, each a new request, whatever becomes of it. */
  readonly beside?: { readonly count: number; readonly next: () => GraphQLRequest }
}

export interface MixResult {
  /** Quick requests answered per second. */
  readonly rps: number
  readonly slowPerSecond: number
  /** Milliseconds of the quick ones. At a rate, from when a request was due: a late start counts. */
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

/** Two kinds of requests to one server of this machine; the latency of the quick kind. */
export async function runMix(options: MixOptions): Promise<MixResult> {
  const { url, quick, slow, share, pace, seconds, beside } = options
  const every = share === 0 ? Number.POSITIVE_INFINITY : Math.round(1 / share)
  const latencies: number[] = []
  let slowDone = 0
  let failed = 0
  let count = 0

  async function send(due: number): Promise<void> {
    count++
    const isSlow = count % every === 0
    const answer = await postGraphQL(url, isSlow ? slow : quick).catch(() => null)
    if (answer === null || answer.status !== 200 || answer.body.startsWith('{"errors"')) failed++
    else if (isSlow) slowDone++
    else latencies.push(performance.now() - due)
  }

  const started = performance.now()
  const end = started + seconds * 1000
  const sent: Promise<void>[] = []
  const askSlowly = async ({ next }: NonNullable<MixOptions['beside']>): Promise<void> => {
    while (performance.now() < end) {
      const answer = await postGraphQL(url, next()).catch(() => null)
      if (answer?.status === 200 && !answer.body.startsWith('{"errors"')) slowDone++
    }
  }
  if (beside !== undefined) for (let i = 0; i < beside.count; i++) sent.push(askSlowly(beside))
  if (pace.kind === 'rate') {
    const gap = 1000 / pace.perSecond
    for (let due = started; due < end; ) {
      for (const now = performance.now(); due <= now && due < end; due += gap) sent.push(send(due))
      await new Promise((done) => setTimeout(done, 1))
    }
  } else {
    const client = async (): Promise<void> => {
      while (performance.now() < end) await send(performance.now())
    }
    for (let i = 0; i < pace.count; i++) sent.push(client())
  }
  await Promise.all(sent)
  const elapsed = (performance.now() - started) / 1000
  return {
    rps: latencies.length / elapsed,
    slowPerSecond: slowDone / elapsed,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    failed,
  }
}
