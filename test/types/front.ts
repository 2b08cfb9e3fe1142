/** A way in, written against `svc/front`. It is compiled and never run; `@ts-expect-error` marks code that must not compile. */
import {
  type AccessControl,
  type Auth,
  definePlugin,
  type Exchange,
  type HttpExchange,
  type Manifest,
  type MaybePromise,
  type Operation,
  type QueryModel,
  type Reply,
  type Result,
  type SchemaModel,
} from 'svc'
import {
  type ColumnStream,
  createOperationMaker,
  type Explanation,
  type GenerationSlot,
  type OperationMaker,
  type OwnedCredential,
  type UpgradeHandler,
} from 'svc/front'
import { exact } from './exact.ts'

const manifest: Manifest = { name: 'types-lines', version: '1.0.0', kernelApi: 1, description: 'Serves lines.' }

export default definePlugin(manifest, (scope) => {
  const maker = scope.perGeneration(() => createOperationMaker({}))
  exact<GenerationSlot<OperationMaker>>()(maker)

  const serve = async (ctx: Exchange, operation: Operation): Promise<Reply> => {
    exact<MaybePromise<Result>>()(scope.engine.run(ctx, operation))
    exact<MaybePromise<Operation>>()(scope.engine.authorize(ctx, operation))
    exact<Promise<Explanation>>()(scope.engine.explain(ctx, operation))
    exact<string | null>()(scope.engine.answerKey(ctx, operation))
    exact<readonly string[]>()(scope.engine.sourcesOf(ctx, operation))
    exact<MaybePromise<Auth | null>>()(scope.pipeline.identify(ctx))
    // @ts-expect-error an operation is no document
    scope.engine.run(ctx, '{ posts { title } }')
    // @ts-expect-error the exchange comes first
    scope.engine.run(operation)
    // @ts-expect-error plan and execution are behind the guards
    scope.engine.resolve(ctx, operation)
    const { errors } = await scope.engine.run(ctx, operation)
    return { status: errors === null ? 200 : 400, headers: {}, body: null }
  }

  scope.upgrade('/lines', (ctx, upgrade) => {
    exact<HttpExchange>()(ctx)
    exact<Parameters<UpgradeHandler>[1]>()(upgrade)
    upgrade.take().socket.end()
  })
  // @ts-expect-error an upgrade ends with a reply or without a value
  scope.upgrade('/lines', () => 'taken')

  scope.credentials({ in: 'header', name: 'x-lines', scheme: 'key' })
  exact<readonly OwnedCredential[]>()(scope.process.credentials)
  // @ts-expect-error a credential is in a header or a cookie
  scope.credentials({ in: 'body', name: 'lines', scheme: 'key' })

  scope.on('authorize', (_ctx, operation, access: AccessControl) => {
    access.deny('Post.title')
    // @ts-expect-error the roots are read-only
    operation.template.roots = []
  })

  scope.routes((schema) => {
    exact<SchemaModel>()(schema)
    return [...schema.queries.values()].map((query) => {
      exact<QueryModel>()(query)
      return { method: 'GET', path: `/lines/${query.name}`, handler: () => ({ status: 200, headers: {}, body: null }) }
    })
  })
  return void serve
})

export function count(stream: ColumnStream): number {
  // @ts-expect-error a stream has no length
  return stream.length
}
