import { LRUCache } from 'lru-cache'
import type { SchemaView } from '../schema/graphql-schema.ts'
import { DocumentErrors } from './document-errors.ts'
import type { DocumentLimits } from './parse-document.ts'
import { type PreparedDocument, prepareDocument } from './prepare-document.ts'

export interface DocumentCacheOptions extends DocumentLimits {
  /** `graphql.document_cache_bytes`. 0 = nothing is kept. */
  readonly maxBytes: number
  /** `graphql.failed_document_cache_bytes`. 0 = nothing is kept. */
  readonly maxFailedBytes: number
}

/** Prepared documents of one generation by their text; those that failed in a cache of their own, so that bad traffic
 * cannot evict good entries. */
export interface DocumentCache {
  /** @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, VALIDATION_ERROR */
  get(text: string): PreparedDocument
  /** What the caches hold now. */
  readonly size: {
    readonly documents: number
    readonly bytes: number
    readonly failed: number
    readonly failedBytes: number
  }
}

const FAILURE_BYTES = 1000

/** @param view made when the first document comes */
export function createDocumentCache(view: () => SchemaView, options: DocumentCacheOptions): DocumentCache {
  const documents = new LRUCache<string, PreparedDocument>({
    maxSize: Math.max(1, options.maxBytes),
    sizeCalculation: (document) => document.bytes,
  })
  const failures = new LRUCache<string, DocumentErrors>({
    maxSize: Math.max(1, options.maxFailedBytes),
    sizeCalculation: ({ errors }, text) =>
      text.length * 2 + errors.reduce((sum, error) => sum + FAILURE_BYTES + error.message.length * 2, 0),
  })

  function prepare(text: string): PreparedDocument {
    try {
      const document = prepareDocument(text, view(), options, () => {
        // Weighs it again; one that was evicted in the meantime stays out.
        if (documents.delete(text)) documents.set(text, document)
      })
      documents.set(text, document)
      return document
    } catch (error) {
      if (error instanceof DocumentErrors) failures.set(text, error)
      throw error
    }
  }

  return {
    get(text) {
      const known = documents.get(text)
      if (known !== undefined) return known
      const failure = failures.get(text)
      if (failure !== undefined) throw failure
      return prepare(text)
    },
    get size() {
      return {
        documents: documents.size,
        bytes: documents.calculatedSize,
        failed: failures.size,
        failedBytes: failures.calculatedSize,
      }
    },
  }
}
