import type { Agent } from 'undici'
import { checkUrl, isAllowed, publicLookup, TargetRefused } from './address-guard.ts'
import { askOnce } from './ask-once.ts'

/** An HTTP request for a webhook or chat message. The body is sent byte for byte, because it may be signed. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Aborts the request, when this process no longer delivers events. */
  readonly signal?: AbortSignal
  /**
   * Trace context of the write that caused the event (`ChangeEvent.trace`), so that a span of the request can refer to
   * it.
   */
  readonly origin?: string | null | undefined
}

/**
 * Result of one attempt of a delivery: `done`: it succeeded. `again`: try again, after `afterMs` milliseconds at the
 * earliest. `never`: it would always fail.
 */
export type Outcome =
  | { readonly kind: 'done' }
  /** Try again, not before `afterMs`. */
  | { readonly kind: 'again'; readonly error: string; readonly afterMs?: number }
  | { readonly kind: 'never'; readonly error: string }

export interface HttpSenderOptions {
  readonly allowHosts: readonly string[]
  readonly connectTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxPayloadBytes: number
  /** CA certificates in PEM, which replace those of Node.js. */
  readonly ca?: Buffer
}

export interface HttpSender {
  /** Sends a request. It never rejects: a failure is part of the result. */
  send(request: OutgoingRequest): Promise<Outcome>
  close(): Promise<void>
}

/** Limit on the bytes of an answer that are read, so that its connection can be reused. Their content is ignored. */
const MOST_ANSWER = 65_536
/** Upper limit on the delay that `Retry-After` may request. */
const MOST_WAIT_MS = 3_600_000
/** Number of checked URLs in the cache. */
const MOST_TARGETS = 1000

/** A URL that was checked. */
interface Target {
  readonly dispatcher: Agent
  readonly origin: string
  readonly path: string
}

/**
 * Creates the sender of webhooks and chat messages. It calls only public addresses and hosts that the operator allows,
 * and follows no redirects.
 * @throws SvcError SVC_CONFIG_INVALID when the package `undici` is not installed
 */
export async function createHttpSender(options: HttpSenderOptions): Promise<HttpSender> {
  const { Agent } = await import('undici')
  const { connectTimeoutMs, requestTimeoutMs } = options
  const allowed = new Set(options.allowHosts.map((host) => host.toLowerCase()))
  // The caller limits the number of concurrent calls. Each request has one time limit for the whole exchange.
  const common = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }
  const connect = { timeout: connectTimeoutMs, ...(options.ca === undefined ? {} : { ca: options.ca }) }
  const open = new Agent({ ...common, connect })
  const guarded = new Agent({ ...common, connect: { ...connect, lookup: publicLookup as never } })

  const targets = new Map<string, Target>()

  /** @throws TargetRefused, TypeError for an invalid URL */
  function targetOf(text: string): Target {
    const known = targets.get(text)
    if (known !== undefined) return known
    const url = new URL(text)
    checkUrl(url, allowed)
    const dispatcher = isAllowed(url, allowed) ? open : guarded
    const target = { dispatcher, origin: url.origin, path: url.pathname + url.search }
    // URLs that contain values of rows are unlimited in number.
    if (targets.size >= MOST_TARGETS) targets.clear()
    targets.set(text, target)
    return target
  }

  return {
    async send({ url, method, headers, body, signal }) {
      if (body.length > options.maxPayloadBytes) {
        return never(`the body has ${body.length} bytes; max_payload_bytes is ${options.maxPayloadBytes}`)
      }
      try {
        const { dispatcher, origin, path } = targetOf(url)
        const request = { origin, path, method: method as 'POST', headers, body }
        const { status, retryAfter } = await askOnce(dispatcher, request, {
          ms: requestTimeoutMs,
          mostBytes: MOST_ANSWER,
          signal,
        })
        return judge(status, waitOf(retryAfter))
      } catch (error) {
        const refused = refusalIn(error)
        if (refused !== null) return never(refused.message)
        if (error instanceof TypeError && (error as { code?: string }).code === 'ERR_INVALID_URL')
          return never('the URL is none')
        return { kind: 'again', error: describe(error) }
      }
    },
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()])
    },
  }
}

/** Maps a status to an outcome: 2xx is success, 408, 429 and 5xx are retried, all others fail for good. */
function judge(status: number, afterMs: number | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'done' }
  const error = `it answered ${status}`
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'again', error, ...(afterMs === undefined ? {} : { afterMs }) }
  }
  return never(status >= 300 && status < 400 ? `${error}; redirects are not followed` : error)
}

function never(error: string): Outcome {
  return { kind: 'never', error }
}

function waitOf(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MOST_WAIT_MS) : undefined
}

function refusalIn(error: unknown): TargetRefused | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof TargetRefused) return one
  return null
}

/** Describes an error without the URL, which may contain a secret. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  const { code } = error as { code?: string }
  return code === undefined ? error.message || error.name : `${code}`
}
