import type { Agent } from 'undici'
import { SvcError } from '../../../core/index.ts'
import { checkUrl, isAllowed, publicLookup, TargetRefused } from './address-guard.ts'

/** What goes out: the body is the very bytes that were signed. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Ends it before its time. */
  readonly signal?: AbortSignal
  /** `trace` of the event. */
  readonly origin?: string | null | undefined
}

/** What came of one attempt. */
export type Outcome =
  | { readonly kind: 'done' }
  /** Worth another attempt, not before `afterMs`. */
  | { readonly kind: 'again'; readonly error: string; readonly afterMs?: number }
  | { readonly kind: 'never'; readonly error: string }

export interface HttpSenderOptions {
  readonly allowHosts: readonly string[]
  readonly connectTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly maxPayloadBytes: number
  /** Connections to one target. */
  readonly concurrency: number
  /** PEM, in place of the certificates of Node. */
  readonly ca?: Buffer
}

export interface HttpSender {
  /** Never throws. */
  send(request: OutgoingRequest): Promise<Outcome>
  close(): Promise<void>
}

/** Bytes of an answer that are read, so that its connection can be used again; nobody looks at them. */
const MOST_ANSWER = 65_536
/** `Retry-After` is honoured up to here. */
const MOST_WAIT_MS = 3_600_000

/** Sends webhooks: to public addresses unless the operator names the host, without redirects, bounded in time and size. */
export async function createHttpSender(options: HttpSenderOptions): Promise<HttpSender> {
  const { Agent, request } = await import('undici').catch((cause: unknown) => {
    throw new SvcError('SVC_CONFIG_INVALID', 'Webhooks need the package "undici": npm install undici', { cause })
  })
  const { connectTimeoutMs, requestTimeoutMs, concurrency } = options
  const allowed = new Set(options.allowHosts.map((host) => host.toLowerCase()))
  const common = {
    connections: concurrency,
    pipelining: 1,
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
  }
  const connect = { timeout: connectTimeoutMs, ...(options.ca === undefined ? {} : { ca: options.ca }) }
  const open = new Agent({ ...common, connect })
  const guarded = new Agent({ ...common, connect: { ...connect, lookup: publicLookup as never } })

  return {
    async send({ url: text, method, headers, body, signal: end }) {
      const bound = boundOf(requestTimeoutMs, end)
      const { signal } = bound
      try {
        if (body.length > options.maxPayloadBytes) {
          return never(`the body has ${body.length} bytes; max_payload_bytes is ${options.maxPayloadBytes}`)
        }
        const url = new URL(text)
        checkUrl(url, allowed)
        const dispatcher: Agent = isAllowed(url, allowed) ? open : guarded
        const answer = await request(url, { dispatcher, method: method as 'POST', headers, body, signal })
        const { statusCode } = answer
        await answer.body.dump({ limit: MOST_ANSWER, signal }).catch(() => {})
        return judge(statusCode, retryAfter(answer.headers['retry-after']))
      } catch (error) {
        const refused = refusalIn(error)
        if (refused !== null) return never(refused.message)
        if (error instanceof TypeError && (error as { code?: string }).code === 'ERR_INVALID_URL')
          return never('the URL is none')
        return { kind: 'again', error: describe(error) }
      } finally {
        bound.clear()
      }
    },
    async close() {
      await Promise.all([open.destroy(), guarded.destroy()])
    },
  }
}

/** Of one attempt. What it listens to lives as long as the process: nothing of an attempt stays there. */
function boundOf(
  ms: number,
  end: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly clear: () => void } {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(new DOMException('', 'TimeoutError')), ms)
  const stop = (): void => own.abort()
  if (end?.aborted === true) stop()
  end?.addEventListener('abort', stop)
  return {
    signal: own.signal,
    clear() {
      clearTimeout(timer)
      end?.removeEventListener('abort', stop)
    },
  }
}

/** Behaviours 9.4: 408, 429 and 5xx may be otherwise next time; what else is no success stays what it is. */
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

function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), MOST_WAIT_MS) : undefined
}

function refusalIn(error: unknown): TargetRefused | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof TargetRefused) return one
  return null
}

/** Without the URL, which may hold a secret. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  const { code } = error as { code?: string }
  return code === undefined ? error.message || error.name : `${code}`
}
