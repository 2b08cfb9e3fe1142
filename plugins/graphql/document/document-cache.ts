import { LRUCache } from 'lru-cache'
import { isPromise, type MaybePromise, SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { DocumentErrors } from './document-errors.ts'
import type { DocumentLimits } from './parse-document.ts'
import { PreparedDocument } from './prepared-document.ts'

export interface DocumentCacheOptions extends DocumentLimits {
  /** `graphql.document_cache_bytes`. 0 = nothing is kept. */
  readonly maxBytes: number
  /** `graphql.failed_document_cache_bytes`. 0 = nothing is kept. */
  readonly maxFailedBytes: number
}

/**
 * Prepared documents of one generation by their text; those that failed in a cache of their own, so that bad traffic
 * cannot evict good entries.
 */
export interface DocumentCache {
  /**
   * @param prepared told about a document that was just prepared; a throw refuses it
   * @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, VALIDATION_ERROR
   */
  get(text: string): PreparedDocument
  get(text: string, prepared: PreparedListener | null): MaybePromise<PreparedDocument>
  /** What the caches hold now. */
  readonly size: {
    readonly documents: number
    readonly bytes: number
    readonly failed: number
    readonly failedBytes: number
  }
  /** How often a prepared document, or its failure, was there, and how often not. */
  readonly uses: { readonly hits: number; readonly misses: number }
  /** Lets go of all that is prepared. @returns how many documents that were */
  clear(): number
}

/** Runs once per document; whoever asks for it meanwhile waits, too. */
export type PreparedListener = (text: string, prepared: PreparedDocument) => MaybePromise<void>

const FAILURE_BYTES = 500
/**
 * The budget is of resident memory, and weights are of what the heap holds: between two full collections it grows by two
 * fifths (bin/svc.js), and a fifth more lies in pages that are not full. Measured by `npm run bench:documents`.
 */
const RESIDENT_PER_HELD = 1.6
/** Until so much of the cache is full a document is kept at first sight; then it has to come twice. */
const FIRST_SIGHT_SHARE = 0.9

/** @param view made when the first document comes */
export function createDocumentCache(view: () => SchemaView, options: DocumentCacheOptions): DocumentCache {
  const maxHeld = Math.floor(options.maxBytes / RESIDENT_PER_HELD)
  const documents = new LRUCache<string, PreparedDocument>({
    maxSize: Math.max(1, maxHeld),
    sizeCalculation: (document) => document.bytes,
  })
  const failures = new LRUCache<string, DocumentErrors>({
    maxSize: Math.max(1, Math.floor(options.maxFailedBytes / RESIDENT_PER_HELD)),
    sizeCalculation: ({ errors }, text) =>
      text.length * 2 + errors.reduce((sum, error) => sum + FAILURE_BYTES + error.message.length * 2, 0),
  })

  /** By text: documents that a listener still looks at. */
  const waiting = new Map<string, Promise<PreparedDocument>>()
  const seen = new SeenTexts()
  const uses = { hits: 0, misses: 0 }
  const atFirstSight = maxHeld * FIRST_SIGHT_SHARE

  function keep(text: string, document: PreparedDocument): void {
    // A stream of documents that come once would push out those that come again, and leave the collector as much to do.
    const hasRoom = documents.calculatedSize + document.bytes <= atFirstSight
    if (hasRoom || seen.wasSeen(text)) documents.set(text, document)
  }

  function prepare(text: string, prepared: PreparedListener | null): MaybePromise<PreparedDocument> {
    try {
      const document = new PreparedDocument(text, view(), options, () => {
        // Weighs it again; one that was evicted in the meantime stays out.
        if (documents.delete(text)) documents.set(text, document)
      })
      const heard = prepared?.(text, document)
      if (isPromise(heard)) return wait(text, document, heard)
      keep(text, document)
      return document
    } catch (error) {
      throw remember(text, error)
    }
  }

  function wait(text: string, document: PreparedDocument, heard: Promise<void>): Promise<PreparedDocument> {
    const result = heard.then(
      () => {
        keep(text, document)
        return document
      },
      (error) => {
        throw remember(text, error)
      },
    )
    waiting.set(text, result)
    const end = () => void waiting.delete(text)
    result.then(end, end)
    return result
  }

  /** What is wrong with a document stays wrong; that a listener could not do its work passes. */
  function remember(text: string, error: unknown): unknown {
    const refusal =
      error instanceof SvcError && error.exposed && error.status < 500 ? new DocumentErrors([error]) : error
    if (refusal instanceof DocumentErrors) {
      // The engine keeps every function and object on a stack that nobody has read: the whole syntax tree.
      for (const each of [refusal, ...refusal.errors]) each.stack = ''
      failures.set(text, refusal)
    }
    return refusal
  }

  function get(text: string): PreparedDocument
  function get(text: string, prepared: PreparedListener | null): MaybePromise<PreparedDocument>
  function get(text: string, prepared: PreparedListener | null = null): MaybePromise<PreparedDocument> {
    const known = documents.get(text)
    if (known !== undefined) {
      uses.hits++
      return known
    }
    const failure = failures.get(text)
    if (failure !== undefined) {
      uses.hits++
      throw failure
    }
    uses.misses++
    return waiting.get(text) ?? prepare(text, prepared)
  }

  return {
    get,
    get size() {
      return {
        documents: documents.size,
        bytes: documents.calculatedSize,
        failed: failures.size,
        failedBytes: failures.calculatedSize,
      }
    },
    uses,
    clear() {
      const { size } = documents
      documents.clear()
      failures.clear()
      return size
    },
  }
}

/** So many texts are remembered at least, twice as many at most. */
const REMEMBERED = 4096

/**
 * Was a text here before? Remembers a number of each, no text, of the latest few thousand. Two texts of one number pass
 * for one, which costs nothing but the place that the second is given.
 */
class SeenTexts {
  #latest = new Set<number>()
  #older = new Set<number>()

  /** Asks, and remembers it. */
  wasSeen(text: string): boolean {
    const number = hash(text)
    if (this.#latest.has(number)) return true
    const known = this.#older.has(number)
    if (this.#latest.size >= REMEMBERED) {
      this.#older = this.#latest
      this.#latest = new Set()
    }
    this.#latest.add(number)
    return known
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}
