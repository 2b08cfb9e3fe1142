import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../core/doors/plugin.ts'
import type { Answers, Lookup } from './answers.ts'

/** How long a mark of a view stands that nobody renews: longer than any answer. */
const MARK_TTL_MS = 7 * 24 * 3_600_000
/** How soon a write that could not be told is told again. */
const RETRY_MS = 250
/** Key for all views at once. */
const ALL = '*'

/**
 * Answers in a key-value server. Each view has a mark, which a write makes anew; an answer is kept with the marks as they stood
 * before it was read, and counts as long as they are the same. So nothing has to be found to be let go, and what was read before
 * a write is worth nothing after it, in whatever order things arrive.
 */
export class RedisAnswers implements Answers {
  readonly #redis: RedisConnection
  readonly #prefix: string
  readonly #maxBytes: number
  /** Views whose write the server has not been told of: until it has, what stands there does not count here. */
  readonly #untold = new Set<string>()
  #retry: NodeJS.Timeout | null = null

  /** @param maxBytes of one answer */
  constructor(redis: RedisConnection, prefix: string, maxBytes: number) {
    this.#redis = redis
    this.#prefix = prefix
    this.#maxBytes = maxBytes
  }

  async look(key: string, views: readonly string[]): Promise<Lookup> {
    const marked = [ALL, ...views]
    if (this.#untold.size > 0 && marked.some((view) => this.#untold.has(view))) return NOTHING
    let texts: readonly (string | null)[]
    try {
      texts = (await this.#redis.call(
        'MGET',
        this.#answerKey(key),
        ...marked.map((view) => this.#markKey(view)),
      )) as typeof texts
    } catch {
      return NOTHING
    }
    const [answer, ...marks] = texts
    if (marks.includes(null)) {
      // Without a mark nothing could be told from what was kept under an older one.
      for (const [i, mark] of marks.entries())
        if (mark === null) void this.#mark(marked[i] ?? ALL, 'NX').catch(() => {})
      return NOTHING
    }
    const stamp = marks.join(' ')
    const found = typeof answer === 'string' && answer.startsWith(`${stamp}\n`) ? answer.slice(stamp.length + 1) : null
    return {
      found: found === null ? null : { data: found, errors: null },
      keep: (result, ttlMs) => {
        const { data } = result
        if (data === null || data.length > this.#maxBytes) return
        void this.#redis
          .call('SET', this.#answerKey(key), `${stamp}\n${data}`, 'PX', Math.max(1, Math.ceil(ttlMs)))
          .catch(() => {})
      },
    }
  }

  async invalidate(views: readonly string[] | null): Promise<number> {
    const named = views ?? [ALL]
    // From now on, because whoever looks before the server is told would take the old one.
    for (const view of named) this.#untold.add(view)
    await this.#tell(named)
    return 0
  }

  /** How many there are the server knows. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: 0, bytes: 0 }
  }

  async close(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#redis.close()
  }

  /** What is written is written, whether the server is there or not: it is told again until it has heard. */
  async #tell(views: readonly string[]): Promise<void> {
    try {
      await Promise.all(views.map((view) => this.#mark(view)))
      for (const view of views) this.#untold.delete(view)
    } catch {
      if (this.#retry !== null) return
      this.#retry = setTimeout(() => {
        this.#retry = null
        void this.#tell([...this.#untold])
      }, RETRY_MS)
      this.#retry.unref()
    }
  }

  async #mark(view: string, ...only: readonly string[]): Promise<void> {
    await this.#redis.call('SET', this.#markKey(view), randomUUID(), 'PX', MARK_TTL_MS, ...only)
  }

  #answerKey(key: string): string {
    return `${this.#prefix}answer:${key}`
  }

  #markKey(view: string): string {
    return `${this.#prefix}mark:${view}`
  }
}

const NOTHING: Lookup = Object.freeze({ found: null, keep: null })
