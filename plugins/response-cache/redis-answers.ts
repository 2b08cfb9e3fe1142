import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../core/doors/plugin.ts'
import type { Answers, Lookup } from './answers.ts'

/** Lifetime of a view's mark without renewal: longer than that of any answer. */
const MARK_TTL_MS = 7 * 24 * 3_600_000
/** Delay before a write that could not be reported to the server is reported again. */
const RETRY_MS = 250
/** Key that stands for all views. */
const ALL = '*'

/**
 * The cache of query results in Redis. Each write gives its views new version numbers. A result is stored with the
 * versions from before it was read, and is valid while they are unchanged.
 */
export class RedisAnswers implements Answers {
  readonly #redis: RedisConnection
  readonly #prefix: string
  readonly #maxBytes: number
  /** Views with a write that was not reported to the server yet. Until then, their stored answers are not used. */
  readonly #unsent = new Set<string>()
  #retry: NodeJS.Timeout | null = null

  /** @param maxBytes limit on one answer */
  constructor(redis: RedisConnection, prefix: string, maxBytes: number) {
    this.#redis = redis
    this.#prefix = prefix
    this.#maxBytes = maxBytes
  }

  async look(key: string, views: readonly string[]): Promise<Lookup> {
    const marked = [ALL, ...views]
    if (this.#unsent.size > 0 && marked.some((view) => this.#unsent.has(view))) return NOTHING
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
      // Without a mark, an answer could not be told from one that was stored before a write.
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
    // Effective at once, because a look-up before the server is updated would return the old answer.
    for (const view of named) this.#unsent.add(view)
    await this.#tell(named)
    return 0
  }

  /** The size is known only to the server. */
  get size(): { readonly entries: number; readonly bytes: number } {
    return { entries: 0, bytes: 0 }
  }

  async close(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#redis.close()
  }

  /** Reports writes to the server. It is repeated until it succeeds, because the data are written in any case. */
  async #tell(views: readonly string[]): Promise<void> {
    try {
      await Promise.all(views.map((view) => this.#mark(view)))
      for (const view of views) this.#unsent.delete(view)
    } catch {
      if (this.#retry !== null) return
      this.#retry = setTimeout(() => {
        this.#retry = null
        void this.#tell([...this.#unsent])
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
