import { SvcError } from '../../core/doors/plugin.ts'
import { type Documents, parseManifest } from './parse-manifest.ts'
import type { Source } from './read-source.ts'

/** The trusted documents from the last manifest that could be read. */
export class TrustedList {
  readonly #source: Source
  #text: string | null = null
  #byId: Documents = new Map()
  #texts: ReadonlySet<string> = new Set()
  #loading: Promise<boolean> | null = null

  constructor(source: Source) {
    this.#source = source
  }

  get documents(): Documents {
    return this.#byId
  }

  /** @param id without a prefix */
  textOf(id: string): string | undefined {
    return this.#byId.get(id)
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  /**
   * Reads the manifest again. If it is invalid, the previous one stays in use. A call during a read waits for that read: with two concurrent
   * reads, the older reply could arrive last.
   * @returns `true` if the manifest has changed
   * @throws SvcError SVC_CONFIG_INVALID
   */
  load(): Promise<boolean> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = null
    })
    return this.#loading
  }

  async #load(): Promise<boolean> {
    const { name } = this.#source
    let text: string
    try {
      text = await this.#source.read()
    } catch (cause) {
      throw unusable(name, `cannot be read: ${(cause as Error).message}`, cause)
    }
    if (text === this.#text) return false
    const { documents, faults } = parseManifest(text)
    // A server that has lost its data serves an empty manifest. To remove all documents, the operator restarts the service.
    if (faults.length === 0 && documents.size === 0 && this.#byId.size > 0) {
      throw unusable(name, `holds no document; the one before had ${this.#byId.size}.`)
    }
    if (faults.length > 0) throw unusable(name, `cannot be used:\n  - ${faults.join('\n  - ')}`)
    this.#text = text
    this.#byId = documents
    this.#texts = new Set(documents.values())
    return true
  }
}

function unusable(name: string, why: string, cause?: unknown): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `The manifest of trusted documents (${name}) ${why}`, { cause })
}
