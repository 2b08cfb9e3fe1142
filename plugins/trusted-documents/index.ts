// For the stage `graphql:document`.

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { definePlugin, type Exchange, type MaybePromise, SvcError } from '../../core/doors/plugin.ts'
import type { GraphQLRequest } from '../graphql/api.ts'
import type {} from '../mcp/api.ts'
import type {} from '../rest/api.ts'
import type { InvalidDocument, TrustedDocuments } from './api.ts'
import { describeInvalid } from './describe-invalid.ts'
import manifest from './manifest.ts'
import type { TrustedDocumentsOptions } from './options.ts'
import { bareId, type Documents } from './parse-manifest.ts'
import { createRefresh, pollManifest } from './poll-manifest.ts'
import { sourceOf } from './read-source.ts'
import { TrustedList } from './trusted-list.ts'

/** Number of unknown documents that are remembered, so that each is reported once. */
const REPORTED = 10_000

/**
 * The plugin that allows only GraphQL documents from a list (docs/plugins/trusted-documents.md), over all GraphQL
 * transports.
 */
export default definePlugin<TrustedDocumentsOptions>(manifest, async (scope, options) => {
  const isStrict = options.mode === 'strict'
  const list = new TrustedList(sourceOf(options, scope.process.baseDir))
  const graphql = scope.use('graphql')
  const hits = scope.metrics.counter('svc_trusted_documents_hits_total')
  const misses = scope.metrics.counter('svc_trusted_documents_misses_total')
  const rejected = scope.metrics.counter('svc_trusted_documents_rejected_total')
  const warmed = scope.metrics.counterBy('svc_trusted_documents_warmed_total')
  const warn = (message: string, error: unknown = null) =>
    scope.signals.emit({ type: 'trusted-documents:warning', level: 'warn', message, error })

  // Other fronts have no documents, so the manifest cannot restrict them.
  const others = [
    scope.use('rest', { optional: true }) && 'REST',
    scope.use('mcp', { optional: true }) && 'MCP',
  ].filter((name) => name !== undefined)
  if (isStrict && others.length > 0) {
    const named = others.join(' and ')
    scope.log.info(
      { fronts: others },
      `Strict mode holds for GraphQL. ${named} answer what their callers may ask for; take the plugins out to close them.`,
    )
  }

  let isClosed = false
  let unread: string | null = null
  try {
    await list.load()
  } catch (error) {
    // An unreadable manifest trusts no document. A missing file stays missing, but a server can recover.
    if (isStrict || options.manifest_url === undefined) throw error
    unread = (error as Error).message
    warn(`${unread} All documents count as unknown until it can be.`)
  }

  /** Checks documents. @param done called for each checked document. The service can stop before all are checked */
  async function check(
    documents: Documents = list.documents,
    done: { count: number } = { count: 0 },
  ): Promise<readonly InvalidDocument[]> {
    const invalid: InvalidDocument[] = []
    let isDone = false
    // A single exchange for all documents, because rate limits do not apply to the service itself.
    await scope.pipeline.enter({ transport: 'internal', auth: null, deadlineMs: 0 }, async (ctx) => {
      for (const [id, text] of documents) {
        // A shutdown does not wait for the remaining documents.
        if (isClosed) break
        const messages = await prepare(ctx, text)
        if (messages.length > 0) invalid.push({ id, messages })
        done.count++
        // Lets requests run in between.
        await nextTurn()
      }
      isDone = true
      return { status: 200, headers: {}, body: null }
    })
    if (isDone) return invalid
    throw new SvcError(
      'INTERNAL_SERVER_ERROR',
      'The documents could not be checked: a plugin refuses what is internal.',
    )
  }

  async function prepare(ctx: Exchange, text: string): Promise<readonly string[]> {
    try {
      await graphql.check(ctx, text)
      return []
    } catch (error) {
      return graphql.renderErrors(ctx, error).map(({ message }) => message)
    }
  }

  /** Prepares all documents ahead of the first requests, and logs invalid ones. Requests do not depend on it. */
  async function prepareAll(): Promise<void> {
    const { documents } = list
    const chosen = new Map([...documents].slice(0, options.warm_documents))
    const done = { count: 0 }
    const started = performance.now()
    try {
      const invalid = chosen.size === 0 ? [] : await check(chosen, done)
      const counts = countWarmed(documents.size, done.count, invalid.length)
      for (const [outcome, count] of Object.entries(counts)) warmed(outcome).add(count)
      scope.log.debug({ ...counts, ms: Math.round(performance.now() - started) }, 'trusted documents prepared')
      if (invalid.length === 0 || isClosed) return
      warn(describeInvalid(invalid, documents.size))
    } catch (error) {
      if (!isClosed) warn('The trusted documents could not be prepared; the first request for each does it.', error)
    }
  }

  scope.onReady(() => {
    const all = prepareAll()
    const enough = new AbortController()
    const end = (): void => enough.abort()
    return Promise.race([
      all.then(end),
      pause(options.warm_wait_ms, undefined, { signal: enough.signal }).catch(() => {}),
    ])
  })
  scope.onDrain(() => {
    isClosed = true
  })
  const unsubscribe = scope.signals.subscribe((signal) => {
    if (signal.type === 'generation-loaded' && signal.reason === 'reload') void prepareAll()
  })
  scope.onClose(() => {
    isClosed = true
    unsubscribe()
  })

  const refresh = createRefresh({
    load: async () => {
      const isOther = await list.load()
      unread = null
      if (isOther && !isClosed) await prepareAll()
    },
    // Logged once. No further line means that the next read succeeded.
    failed: (error) => isClosed || warn(`${(error as Error).message} The one before stays in use.`),
  })
  scope.onClose(pollManifest(refresh, options.reload_interval_secs, unread !== null))

  const reported = new LRUCache<string, true>({ max: REPORTED })
  function report({ operationName }: GraphQLRequest, query: string): void {
    misses.add()
    // Not the text, whose literals can contain data of users.
    const sha256 = createHash('sha256').update(query, 'utf8').digest('hex')
    if (reported.has(sha256)) return
    reported.set(sha256, true)
    scope.signals.emit({
      type: 'trusted-documents:unknown',
      level: 'warn',
      message: 'a document that is not in the manifest of trusted documents runs; mode = "strict" would refuse it',
      operationName: operationName?.slice(0, 100) ?? null,
      sha256,
    })
  }

  function refuse(code: 'FORBIDDEN_QUERY' | 'DOCUMENT_NOT_FOUND', message: string): SvcError {
    misses.add()
    rejected.add()
    return new SvcError(code, message)
  }

  function byId(request: GraphQLRequest, id: string): GraphQLRequest | undefined {
    const text = list.textOf(bareId(id))
    if (text !== undefined) {
      hits.add()
      return { ...request, query: text }
    }
    // The hash may belong to another plugin, such as automatic persisted queries.
    if (!isStrict && !isDocumentId(request)) return undefined
    throw refuse('DOCUMENT_NOT_FOUND', 'No trusted document has this id.')
  }

  scope.on('graphql:document', (request): MaybePromise<GraphQLRequest | undefined> => {
    const { query } = request
    if (query === null) {
      const id = readId(request)
      return id === null ? undefined : byId(request, id)
    }
    if (list.has(query)) hits.add()
    else if (isStrict) throw refuse('FORBIDDEN_QUERY', 'The document is not one of the trusted documents.')
    else report(request, query)
    return undefined
  })

  const provided: TrustedDocuments = {
    get size() {
      return list.documents.size
    },
    get unread() {
      return unread
    },
    check,
  }
  scope.provide('trustedDocuments', provided)
})

/** Parameters with the id of a stored document: `documentId`, `doc_id` of Relay, and `id`. */
const ID_FIELDS = ['documentId', 'doc_id', 'id'] as const

function isDocumentId({ other, extensions }: GraphQLRequest): boolean {
  return ID_FIELDS.some((name) => other[name] !== undefined) || extensions?.doc_id !== undefined
}

/** Reads the id of a stored document; `null`: none. @throws SvcError REQUEST_ERROR */
function readId({ other, extensions }: GraphQLRequest): string | null {
  const { sha256Hash } = (extensions?.persistedQuery ?? {}) as { readonly sha256Hash?: unknown }
  const given = ID_FIELDS.map((name) => other[name]).find((id) => id !== undefined) ?? extensions?.doc_id ?? sha256Hash
  if (given === undefined) return null
  if (typeof given !== 'string') throw new SvcError('REQUEST_ERROR', 'The id of a document is a string.')
  return given
}

declare module '../../core/doors/plugin.ts' {
  interface PluginSignals {
    'trusted-documents:warning': { readonly error: unknown }
    'trusted-documents:unknown': { readonly operationName: string | null; readonly sha256: string }
  }
}

/**
 * Counts the outcome of preparing the documents of a manifest ahead of their first requests.
 * @param all number of documents of the manifest
 * @param done number of processed documents
 * @param failed number of those that the schema does not accept
 */
function countWarmed(all: number, done: number, failed: number) {
  return { warmed: done - failed, failed, skipped: all - done }
}
