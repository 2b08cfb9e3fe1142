// For the stage `graphql:document`.

import { definePlugin, openStore, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../admin/api.ts'
import type { GraphQLRequest } from '../graphql/api.ts'
import type {} from '../health/api.ts'
import { DocumentStore } from './document-store.ts'
import manifest from './manifest.ts'
import type { ApqOptions } from './options.ts'
import { hashOf, readHash } from './persisted-query.ts'

/** Message to the other workers: a new document. */
const TOPIC = 'apq:stored'

interface Stored {
  readonly hash: string
  readonly text: string
}

/**
 * The plugin for automatic persisted queries (docs/plugins/apq.md). It stores a document only after the document has
 * passed validation and every limit, so that invalid documents evict no others.
 */
export default definePlugin<ApqOptions>(manifest, async (scope, options) => {
  const documents = new DocumentStore({
    maxEntries: options.cache_size,
    maxBytes: options.cache_bytes,
    shared: await openShared(scope, options),
    ttlMs: options.ttl_secs * 1000,
  })
  scope.onClose(() => documents.close())
  // Not needed: without the store, this process serves its documents, and clients send the text of others again.
  scope.use('health', { optional: true })?.addStore('apq', { url: options.kvstore_url, isNeeded: false })
  const hits = scope.metrics.counter('svc_apq_hits_total')
  const misses = scope.metrics.counter('svc_apq_misses_total')
  const stored = scope.metrics.counter('svc_apq_stored_total')
  const uses = { hits: 0, misses: 0 }
  scope.use('admin', { optional: true })?.cache({
    name: 'apq',
    stats: () => ({
      ...uses,
      ...documents.size,
      ttlSecs: documents.isShared ? options.ttl_secs : null,
      maxEntries: options.cache_size,
      maxBytes: options.cache_bytes,
    }),
    // Documents belong to no entity, so only the whole cache can be cleared.
    clear: ({ scope: which }) => (which === 'all' ? documents.clear() : null),
  })
  const { peers } = scope.process
  peers.hear(TOPIC, (value) => {
    const { hash, text } = value as Stored
    documents.keep(hash, text)
  })

  function found(request: GraphQLRequest, query: string): GraphQLRequest {
    uses.hits++
    hits.add()
    return { ...request, query }
  }

  function register(request: GraphQLRequest, query: string, hash: string): GraphQLRequest | undefined {
    if (documents.get(hash) === query) return undefined
    if (hashOf(query) !== hash) {
      throw new SvcError('PERSISTED_QUERY_MISMATCH', 'The provided sha256Hash does not match the query.')
    }
    return {
      ...request,
      accepted() {
        request.accepted?.()
        documents.store(hash, query)
        stored.add()
        peers.tell(TOPIC, { hash, text: query } satisfies Stored)
      },
    }
  }

  async function look(request: GraphQLRequest, hash: string): Promise<GraphQLRequest> {
    const text = await documents.find(hash)
    if (text !== null) return found(request, text)
    throw missing()
  }

  function missing(): SvcError {
    uses.misses++
    misses.add()
    // Clients compare the message.
    return new SvcError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
  }

  scope.on('graphql:document', (request) => {
    const hash = readHash(request.extensions)
    if (hash === null) return undefined
    if (request.query !== null) return register(request, request.query, hash)
    const text = documents.get(hash)
    if (text !== undefined) return found(request, text)
    if (documents.isShared) return look(request, hash)
    throw missing()
  })
})

async function openShared({ config, signals }: Scope, { kvstore_url: url }: ApqOptions) {
  if (url === undefined) return null
  return openStore(`svc:${config.project.name}:apq:`, { backend: 'kvstore', url, signals })
}
