import { createHash } from 'node:crypto'
import { http, lazily, mayCall } from '../../core/doors/front.ts'
import {
  type HttpExchange,
  type OperationModel,
  type Reply,
  type SchemaModel,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { RestApi } from '../rest/api.ts'
import { describeService } from './describe-service.ts'
import { buildDocument, type DocumentSource } from './document/build-document.ts'
import type { OpenApiOptions } from './options.ts'
import { mountPage } from './page/mount-page.ts'

/** Maximum number of cached documents. There is one per set of operations that callers may use. */
const MOST_DOCUMENTS = 32

interface Document {
  readonly text: string
  readonly tag: string
}

interface Documents {
  readonly source: DocumentSource
  readonly operations: readonly OperationModel[]
  readonly built: Map<string, Document>
}

/** Adds the route of the OpenAPI document. The document shows only the operations that the caller may use. */
export function setUpOpenApi(scope: Scope, options: OpenApiOptions, rest: RestApi): void {
  const path = options.openapi_path ?? `${rest.path}/openapi.json`
  // Built at the first request: for a large schema this takes as long as the rest of the boot.
  const documents = scope.perGeneration((schema: SchemaModel) =>
    lazily((): Documents => {
      const source = describeService(rest.describe(schema), rest, options, scope.config, scope.process.credentials)
      const operations = new Set(source.routes.map(({ route }) => route.operation))
      return {
        source,
        operations: [...operations],
        built: new Map(),
      }
    }),
  )

  scope.route({
    method: 'GET',
    path,
    async handler(ctx) {
      if (rest.requireAuth && ctx.auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
      const { text, tag } = await documentFor(scope, documents.of(ctx.generation)(), ctx)
      return answer(ctx, text, tag)
    },
  })
  if (options.openapi_page) mountPage(scope, path)

  function answer({ headers: given }: HttpExchange, text: string, tag: string): Reply {
    // Clients revalidate each time, because permissions change. The ETag avoids sending an unchanged document.
    const headers = { 'cache-control': 'private, no-cache', etag: tag }
    const known = given['if-none-match']
    if (known !== undefined && http.matchesTag(String(known), tag)) return { status: 304, headers, body: null }
    return { status: 200, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, body: text }
  }
}

async function documentFor(
  scope: Scope,
  { source, operations, built }: Documents,
  ctx: HttpExchange,
): Promise<Document> {
  const allowed = await Promise.all(operations.map((operation) => mayCall(scope.engine, ctx, operation)))
  const key = allowed.map((isAllowed) => (isAllowed ? '1' : '0')).join('')
  let document = built.get(key)
  if (document === undefined) {
    const shown = new Set(operations.filter((_, index) => allowed[index] === true))
    const text = JSON.stringify(buildDocument(source, ({ route }) => shown.has(route.operation)))
    const tag = `W/"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
    document = { text, tag }
    if (built.size >= MOST_DOCUMENTS) built.delete(built.keys().next().value!)
    built.set(key, document)
  }
  return document
}
