import { definePlugin, type Exchange, type Generation, type SchemaModel, SvcError } from '../../core/doors/plugin.ts'
import type { ExtensionRoot, GraphQLExtension, RequestedRows } from '../graphql/api.ts'
import { answerEntities, type OperationBounds } from './answer-entities.ts'
import { federationOf } from './block.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import manifest from './manifest.ts'
import type { FederationOptions } from './options.ts'
import { printSubgraph } from './print-subgraph.ts'

/** Maximum number of further statements per operation, enough to find a few failing representations among a thousand. */
const MOST_SEARCHES = 100

interface Subgraph {
  readonly types: ReadonlyMap<string, EntityType>
  /** SDL of the subgraph, printed at the first request; `null`: not yet. */
  sdl: string | null
}

export default definePlugin<FederationOptions>(manifest, async (scope, options) => {
  const graphql = scope.use('graphql')
  const slot = scope.perGeneration((schema): Subgraph => ({ types: entityTypes(schema), sdl: null }))
  const isShown = scope.config.graphql?.introspection !== false
  const isPublic = scope.config.security.default_policy === 'public'

  function service({ generation }: Exchange): { readonly sdl: string } {
    if (!isShown) throw closed()
    const subgraph = slot.of(generation)
    subgraph.sdl ??= print(generation)
    return { sdl: subgraph.sdl }
  }
  const print = (generation: Generation): string =>
    printSubgraph(graphql.printSchema(generation), federationOf(generation.schema), generation.schema)

  const bounds = new WeakMap<Exchange, OperationBounds>()
  function boundsOf(exchange: Exchange): OperationBounds {
    let found = bounds.get(exchange)
    if (found === undefined) {
      const maxRepresentations = options.max_representations
      found = { maxRepresentations, representations: 0, searches: { left: MOST_SEARCHES } }
      bounds.set(exchange, found)
    }
    return found
  }

  function entities(exchange: Exchange, args: Readonly<Record<string, unknown>>, requested: RequestedRows) {
    const { types } = slot.of(exchange.generation)
    // Errors contain names only for callers who may read `_service`, which contains all of them.
    const tells = isShown && (isPublic || exchange.auth !== null)
    const context = { run: scope.engine.run, types, bounds: boundsOf(exchange), tells }
    return answerEntities(context, exchange, args.representations as readonly unknown[], requested)
  }

  graphql.extend(scope.plugin, (schema) => extensionOf(schema, service, entities))

  if (!options.inline_traces) return
  const { InlineTraces, loadWriter } = await import('./trace/inline-traces.ts')
  const traces = new InlineTraces(await loadWriter())
  graphql.extendAnswers('ftv1', traces.begin)
  scope.observe(traces.observer)
})

function extensionOf(
  schema: SchemaModel,
  service: (exchange: Exchange) => unknown,
  answer: NonNullable<ExtensionRoot['answer']>,
): GraphQLExtension {
  const own: ExtensionRoot = { kind: 'query', field: '_service: _Service!', resolve: service }
  const members = [...entityTypes(schema).values()].flatMap((type) => type.members)
  const names = [...new Set(members.map(({ type }) => type.name))].sort()
  // A union needs members, so a schema without entities has no `_entities`.
  if (names.length === 0) return { types: SERVICE, roots: [own] }
  return {
    types: `${SERVICE} scalar _Any union _Entity = ${names.join(' | ')}`,
    roots: [
      own,
      {
        kind: 'query',
        field: '_entities(representations: [_Any!]!): [_Entity]!',
        // The guards of each type apply instead.
        guard: { public: true },
        answer,
      },
    ],
  }
}

const SERVICE = 'type _Service { sdl: String }'

function closed(): SvcError {
  return new SvcError(
    'FORBIDDEN',
    'The schema is not shown here (graphql.introspection = false). Register the subgraph with what `svc compile --sdl` writes.',
  )
}
