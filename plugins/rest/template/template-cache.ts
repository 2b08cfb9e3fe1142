import { LRUCache } from 'lru-cache'
import type { QueryModel } from '../../../core/doors/plugin.ts'
import type { ReadRequest } from '../request/read-request.ts'
import type { RequestLimits } from '../request/request-limits.ts'
import { buildReadTemplate, type ReadForm, type ReadTemplate, templateKey } from './read-template.ts'

/** Of all templates of a generation, with their plans. */
const MOST_BYTES = 16_777_216
/** A longer one was written for one request: it is built, and not kept. */
const LONGEST_KEY = 2000

/** Something that plans come to hang on. */
interface Weighed {
  /** About how many bytes it keeps, plans included. */
  bytes: number
}

/** The templates of a generation by route and form of the request. */
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
   * @param route names the route among those of the schema
   * @throws SvcError as `buildReadTemplate`
   */
  get(route: string, query: QueryModel, request: ReadRequest, form: ReadForm): ReadTemplate {
    return this.keep(`${route}|${templateKey(request, form)}`, (onPlanned) =>
      buildReadTemplate(query, request, form, this.#options, onPlanned),
    )
  }

  /**
   * What was built under this key, or is now. A key says all that the template depends on, and never who asks: what a caller may
   * see is decided behind it, for each request.
   * @param build gets what to tell of plans that come to hang on it, in bytes
   * @throws what `build` throws
   */
  keep<T extends Weighed>(key: string, build: (onPlanned: (bytes: number) => void) => T): T {
    const known = this.#templates.get(key)
    if (known !== undefined) return known as T
    const built: T = build((bytes) => {
      built.bytes += bytes
      // Weighs it again; one that was let go in the meantime stays out.
      if (this.#templates.delete(key)) this.#templates.set(key, built)
    })
    if (key.length <= LONGEST_KEY) this.#templates.set(key, built)
    return built
  }
}
