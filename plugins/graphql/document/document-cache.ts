import { LRUCache } from 'lru-cache'
import { isPromise, type MaybePromise, SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { DocumentErrors } from './document-errors.ts'
import type { DocumentLimits } from './parse-document.ts'
import { PreparedDocument } from './prepared-document.ts'

export interface DocumentCacheOptions extends DocumentLimits {
  /** Maximum memory of cached valid documents in bytes (`graphql.document_cache_bytes`). 0: no cache. */
  readonly maxBytes: number
  /** Maximum memory of cached invalid documents in bytes (`graphql.failed_document_cache_bytes`). 0: no cache. */
  readonly maxFailedBytes: number
}

/**
 * Caches parsed and validated GraphQL documents of a loaded schema by their text. Invalid documents have a separate
 * cache, so that they cannot evict valid ones.
 */
export interface DocumentCache {
  /**
   * Returns the parsed and validated form of a document, from the cache if possible.
   * @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, VALIDATION_ERROR
   */
  get(text: string): PreparedDocument
  /**
   * Returns the parsed and validated form of a document like `get(text)`, and lets a listener reject a new one.
   * @param prepared runs before a new document is cached; its exception rejects the document. `null`: no listener
   */
  get(text: string, prepared: PreparedListener | null): MaybePromise<PreparedDocument>
  /** Number of cached valid and invalid documents, and their memory in bytes. */
  readonly size: {
    readonly documents: number
    readonly bytes: number
    readonly failed: number
    readonly failedBytes: number
  }
  /** Cache hits and misses of valid and invalid documents together, since the start. */
  readonly uses: { readonly hits: number; readonly misses: number }
  /** Evicts all documents from the cache. @returns the number of evicted valid documents */
  clear(): number
}

/**
 * Runs once for each document that passed validation, before it is cached. Other requests for the document wait for it.
 * @throws an error to reject the document
 */
export type PreparedListener = (text: string, prepared: PreparedDocument) => MaybePromise<void>

const FAILURE_BYTES = 500
/**
 * The limit applies to resident memory, but sizes are those of live objects. The heap grows by two fifths between two full collections
 * (bin/svc.js), and another fifth is unused space in pages. Measured by `npm run bench:documents`.
 */
const RESIDENT_PER_HELD = 1.6
/** Above this fill level a document is cached at its second request; below, at the first. */
const FIRST_SIGHT_SHARE = 0.9

/**
 * Creates the cache of GraphQL documents.
 * @param view returns the schema to validate against; called for the first document
 */
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

  /** Documents that a listener is still processing, by text. */
  const waiting = new Map<string, Promise<PreparedDocument>>()
  const seen = new SeenTexts()
  const uses = { hits: 0, misses: 0 }
  const atFirstSight = maxHeld * FIRST_SIGHT_SHARE

  function keep(text: string, document: PreparedDocument): void {
    // Otherwise documents that are requested once would evict documents that are requested again, and cost as much garbage collection.
    const hasRoom = documents.calculatedSize + document.bytes <= atFirstSight
    if (hasRoom || seen.wasSeen(text)) documents.set(text, document)
  }

  function prepare(text: string, prepared: PreparedListener | null): MaybePromise<PreparedDocument> {
    try {
      const document = new PreparedDocument(text, view(), options, () => {
        // Updates the size of the entry. An evicted entry is not added again.
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

  /** Caches the errors of an invalid document. A failed listener is not cached, because a later call can succeed. */
  function remember(text: string, error: unknown): unknown {
    const refusal =
      error instanceof SvcError && error.exposed && error.status < 500 ? new DocumentErrors([error]) : error
    if (refusal instanceof DocumentErrors) {
      // V8 keeps all functions and objects of an unread stack trace alive: the whole syntax tree.
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

/** Minimum number of remembered texts. The maximum is twice as many. */
const REMEMBERED = 4096

/**
 * Remembers hashes of the latest few thousand texts. Two texts with the same hash count as one; then the second is cached at its first
 * request.
 */
class SeenTexts {
  #latest = new Set<number>()
  #older = new Set<number>()

  /** Tests a text, and adds it. */
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
