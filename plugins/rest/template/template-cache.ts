import { LRUCache } from 'lru-cache'
import type { QueryModel } from '../../../core/index.ts'
import type { RestOptions } from '../options.ts'
import type { ReadRequest } from '../read/read-request.ts'
import { buildReadTemplate, type ReadForm, type ReadTemplate, templateKey } from './read-template.ts'

/** Of all templates of a generation, with their plans. */
const MOST_BYTES = 16_777_216
/** A longer one was written for one request: it is built, and not kept. */
const LONGEST_KEY = 2000

/** The templates of a generation by route and form of the request. */
export class TemplateCache {
  readonly #options: RestOptions
  readonly #templates = new LRUCache<string, ReadTemplate>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  })

  constructor(options: RestOptions) {
    this.#options = options
  }

  /**
   * @param route names the route among those of the schema
   * @throws SvcError as `buildReadTemplate`
   */
  get(route: string, query: QueryModel, request: ReadRequest, form: ReadForm): ReadTemplate {
    const key = `${route}|${templateKey(request, form)}`
    const known = this.#templates.get(key)
    if (known !== undefined) return known
    const built = buildReadTemplate(query, request, form, this.#options, (bytes) => {
      built.bytes += bytes
      // Weighs it again; one that was let go in the meantime stays out.
      if (this.#templates.delete(key)) this.#templates.set(key, built)
    })
    if (key.length <= LONGEST_KEY) this.#templates.set(key, built)
    return built
  }
}
