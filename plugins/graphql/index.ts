import { lazily } from '../../core/doors/front.ts'
import {
  definePlugin,
  type Exchange,
  type HttpExchange,
  isPromise,
  type MaybePromise,
  type Operation,
  type Reply,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../admin/api.ts'
import type {} from '../rate-limiting/api.ts'
import type { GraphQLRequest } from './api.ts'
import { createDocumentCache, type PreparedListener } from './document/document-cache.ts'
import { planDocument } from './document/plan-document.ts'
import type { PreparedDocument } from './document/prepared-document.ts'
import { type OwnedExtension, parseExtensions } from './extend/parse-extension.ts'
import { createHttpHandlers } from './http/handle.ts'
import { toRequest } from './http/read-request.ts'
import { AnswerExtensions, renderErrors, type ShowError } from './http/respond.ts'
import manifest from './manifest.ts'
import type { GraphQLOptions } from './options.ts'
import { createSchemaView } from './schema/graphql-schema.ts'
import { printSdl } from './schema/print-sdl.ts'

/** Types for plugins that depend on this one. */
export type * from './api.ts'

const ENDPOINT = '/graphql'

export default definePlugin<GraphQLOptions>(manifest, (scope, options) => {
  const { signals } = scope
  const { max_document_tokens: maxTokens, max_response_bytes: maxResponseBytes } = scope.config.svc
  let html: ((ctx: HttpExchange) => MaybePromise<Reply>) | null = null
  let events: ((ctx: HttpExchange) => MaybePromise<Reply>) | null = null
  let subscriptions = false

  const extensions: OwnedExtension[] = []
  const answers = new AnswerExtensions()
  const prepareStage = scope.stage('graphql:prepare', 'around')
  const documentStage = scope.stage('graphql:document', 'waterfall')
  const preparedStage = scope.stage('graphql:prepared', 'series')
  const batchStage = scope.stage('graphql:batch', 'series')
  const rates = scope.use('rateLimits', { optional: true })
  let isBuilt = false
  const slot = scope.perGeneration((model) => {
    isBuilt = true
    const view = lazily(() => createSchemaView(model, subscriptions, parseExtensions(model, extensions)))
    // Checks the extensions of plugins before the schema is served. Types of the schema are made at their first use.
    if (extensions.length > 0 || model.compiled.plugins !== undefined) view()
    const documents = createDocumentCache(view, {
      maxTokens,
      introspection: options.introspection,
      maxBytes: options.document_cache_bytes,
      maxFailedBytes: options.failed_document_cache_bytes,
    })
    return { view, documents }
  })

  function find(ctx: Exchange, query: string): MaybePromise<PreparedDocument> {
    const { run } = preparedStage
    const { generation } = ctx
    const { documents, view } = slot.of(generation)
    const tell: PreparedListener | null =
      run === null ? null : (text, { document }) => run({ text, document, schema: view().schema, generation }, ctx)
    return documents.get(query, tell)
  }

  function toOperation(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation> {
    const { query, operationName, variables } = request
    if (query === null) throw noQuery(request)
    const found = find(ctx, query)
    const pick = (document: PreparedDocument) => {
      request.accepted?.()
      return document.operation(operationName).toOperation(variables)
    }
    return isPromise(found) ? found.then(pick) : pick(found)
  }

  function prepare(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation> {
    const { run } = prepareStage
    if (run === null) return readDocument(ctx, request)
    // The last argument of an `around` stage is the wrapped function.
    return run(ctx, request, () => readDocument(ctx, request))
  }

  function readDocument(ctx: Exchange, request: GraphQLRequest): MaybePromise<Operation> {
    const { run } = documentStage
    if (run === null) return toOperation(ctx, request)
    const replaced = run(request, ctx)
    return isPromise(replaced) ? replaced.then((each) => toOperation(ctx, each)) : toOperation(ctx, replaced)
  }

  const show: ShowError = (error, ctx) => {
    const shown = scope.pipeline.toPublicError(error, ctx)
    signals.emit({ type: 'graphql-error', code: shown.code })
    return options.request_id_in_errors ? { ...shown, details: { ...shown.details, requestId: ctx.id } } : shown
  }

  scope.use('admin', { optional: true })?.cache({
    name: 'query_plan',
    stats() {
      const { size, uses } = slot.of(scope.process.generation).documents
      const { documents: entries, bytes } = size
      return { ...uses, entries, bytes, maxBytes: options.document_cache_bytes, ttlSecs: null, maxEntries: null }
    },
    // Plans are cached with their document, so only the whole cache can be cleared.
    clear: ({ scope: which }) => (which === 'all' ? slot.of(scope.process.generation).documents.clear() : null),
  })

  const handlers = createHttpHandlers({
    show,
    prepare,
    run: (ctx, operation) => scope.engine.run(ctx, operation),
    html: () => html,
    events: () => events,
    describe: (ctx) => answers.of(ctx),
    batch: {
      most: options.max_batch,
      mostBytes: maxResponseBytes,
      count: (ctx) => rates?.count(ctx),
      check: (templates, ctx) => batchStage.run?.({ templates }, ctx),
    },
  })
  const { renderError } = handlers
  scope.route({ method: 'POST', path: ENDPOINT, handler: handlers.post, renderError })
  scope.route({ method: 'GET', path: ENDPOINT, handler: handlers.get, renderError })

  scope.provide('graphql', {
    endpoint: ENDPOINT,
    readRequest: toRequest,
    readHttpRequest: handlers.read,
    prepare,
    read(ctx, text) {
      const { schema } = slot.of(ctx.generation).view()
      const found = find(ctx, text)
      return isPromise(found)
        ? found.then(({ document }) => ({ document, schema }))
        : { document: found.document, schema }
    },
    async check(ctx, text) {
      const document = await find(ctx, text)
      await planDocument(document, (operation) => scope.engine.plan(ctx, operation))
    },
    renderErrors: (ctx, error) => renderErrors(ctx, error, show),
    serveHtml(handler) {
      if (html !== null) {
        throw new SvcError('SVC_PROVIDE_DUPLICATE', `Two plugins answer text/html at ${ENDPOINT}: disable one of them.`)
      }
      html = handler
    },
    serveEvents(handler) {
      if (events !== null) {
        const message = `Two plugins answer text/event-stream at ${ENDPOINT}: disable one of them.`
        throw new SvcError('SVC_PROVIDE_DUPLICATE', message)
      }
      events = handler
    },
    extend(plugin, extension) {
      if (isBuilt)
        throw new SvcError('SVC_SCOPE_PHASE', `Plugin "${plugin}" extends the GraphQL schema after its set-up.`)
      extensions.push({ plugin, extension })
    },
    extendAnswers: (name, begin) => answers.add(name, begin),
    enableSubscriptions() {
      subscriptions = true
    },
    printSchema: (generation) => printSdl(slot.of(generation).view()),
  })
})

function noQuery({ other, extensions }: GraphQLRequest): SvcError {
  // With this error, clients send the query instead of its hash from then on.
  if (extensions?.persistedQuery !== undefined) {
    return new SvcError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
  }
  const [id] = Object.keys(other)
  const hint =
    id === undefined ? '' : ` "${id}" names a stored document, and no plugin that stores documents is enabled.`
  return new SvcError('REQUEST_ERROR', `The request has no "query".${hint}`)
}
