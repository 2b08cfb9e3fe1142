import { LRUCache } from 'lru-cache'
import type { QueryModel } from '../../../core/doors/plugin.ts'
import type { ReadRequest } from '../request/read-request.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import { buildReadTemplate, type ReadForm, type ReadTemplate, templateKey } from './read-template.ts'

/** Maximum size of the templates of a generation, with their plans. */
const MOST_BYTES = 16_777_216
/** A template with a longer key is not cached: it belongs to a single request. */
const LONGEST_KEY = 2000

/** A cache entry, which grows with its plans. */
interface Weighed {
  /** Approximate size in memory, plans included. */
  bytes: number
}

/** Caches the operations that REST makes for a loaded schema, by route and form of the request. */
export class TemplateCache {
  readonly #options: RequestLimits
  readonly #templates = new LRUCache<string, Weighed>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })

  constructor(options: RequestLimits) {
    this.#options = options
  }

  /**
   * @param route unique name of the route
   * @throws SvcError as `buildReadTemplate`
   */
  get(route: string, query: QueryModel, request: ReadRequest, form: ReadForm): ReadTemplate {
    return this.keep(`${route}|${templateKey(request, form)}`, (onPlanned) =>
      buildReadTemplate(query, request, form, this.#options, onPlanned),
    )
  }

  /**
   * Returns the entry of a key, and builds it if it is missing. The key contains everything that the entry depends on. It never contains
   * the caller, because access is decided per request, after the cache.
   * @param build builds the entry; it receives a function to call with the size of each plan that is cached with the entry
   * @throws errors of `build`
   */
  keep<T extends Weighed>(key: string, build: (onPlanned: (bytes: number) => void) => T): T {
    const known = this.#templates.get(key)
    if (known !== undefined) return known as T
    const built: T = build((bytes) => {
      built.bytes += bytes
      // Updates the size of the entry. An evicted entry is not added again.
      if (this.#templates.delete(key)) this.#templates.set(key, built)
    })
    if (key.length <= LONGEST_KEY) this.#templates.set(key, built)
    return built
  }
}
