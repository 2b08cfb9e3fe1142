import {
  type GraphQLNamedType,
  GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  specifiedDirectives,
} from 'graphql'
import {
  createGeneratedInputs,
  type GeneratedInputs,
  type InputShape,
  lazily,
  shapeOf,
} from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel, SchemaModel } from '../../../core/doors/plugin.ts'
import { type AggregateField, aggregateRoots, besides } from '../aggregates/aggregate-fields.ts'
import { type AggregateInputs, createAggregateInputs } from '../aggregates/aggregate-inputs.ts'
import { createAggregateTypes } from '../aggregates/aggregate-types.ts'
import { createExtensionShapes, type ExtensionShapes } from '../extend/extension-shapes.ts'
import { createExtensionTypes } from '../extend/extension-types.ts'
import { type ParsedExtensions, parseExtensions } from '../extend/parse-extension.ts'
import { graphqlTypes } from '../types/graphql-types.ts'
import { createInputTypes, type InputTypes } from '../types/input-types.ts'
import { createOutputTypes } from '../types/output-types.ts'
import { createRootTypes } from '../types/root-types.ts'
import { createTypeFinder, OnDemandSchema, type SchemaParts } from './on-demand-schema.ts'

/** The GraphQL schema for one compiled schema, including the definitions of plugins. */
export interface SchemaView {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly inputTypes: InputTypes
  readonly aggregateInputs: AggregateInputs
  /** Aggregate fields that svc generates beside list queries on the type `Query`, by name. */
  readonly aggregateRoots: ReadonlyMap<string, AggregateField<QueryModel>>
  /** Parsed definitions that plugins add to the schema. */
  readonly extensions: ParsedExtensions
  readonly extensionShapes: ExtensionShapes
  /**
   * Returns how to check values of an input type. `undefined` for an unknown type, and for a type that was not yet
   * used.
   */
  readonly shape: (typeName: string) => InputShape | undefined
  /**
   * Schema for validating documents. It makes a type only when a document uses it, so that 5,000 types cost nothing at
   * start.
   */
  readonly schema: GraphQLSchema
  /** Returns the schema with all types, for introspection and SDL. It is made at the first call. */
  readonly full: () => GraphQLSchema
}

/**
 * Creates the GraphQL schema from the compiled schema and the definitions of plugins.
 * @param subscriptions `true` if a plugin serves subscriptions; otherwise the schema has no type `Subscription`
 * @param parsed definitions that plugins add
 * @throws SvcError SVC_PLUGIN_INVALID when a definition conflicts with the schema
 */
export function createSchemaView(
  model: SchemaModel,
  subscriptions: boolean,
  parsed: ParsedExtensions = parseExtensions(model, []),
): SchemaView {
  const inputs = createGeneratedInputs()
  const inputTypes = createInputTypes(model)
  const aggregateInputs = createAggregateInputs(model)
  const output = createOutputTypes(inputs, inputTypes, (field) =>
    besides(field).map((each) => [each.name, numbers.field(each)]),
  )
  const typeOf = ({ type, named }: FieldModel) => output.wrap(type, named)
  const numbers = createAggregateTypes({ model, inputs, aggregateInputs, inputTypes, typeOf })
  const extension = createExtensionTypes(
    parsed,
    (name) => findOwn(name),
    () => schema.listNames(),
  )
  const counted = aggregateRoots(model)
  const roots = createRootTypes(model, inputs, inputTypes, output, subscriptions, {
    aggregates: makers(counted, numbers.field),
    queries: makers(parsed.query, extension.root),
    mutations: makers(parsed.mutation, extension.root),
  })
  const parts: SchemaParts = { model, inputs, inputTypes, output, roots, extension, numbers, aggregateInputs }
  const findOwn = createTypeFinder(parts)
  const full = lazily(() => createFullSchema(parts))
  const schema = new OnDemandSchema(parts, full)
  extension.check()
  const extensionShapes = createExtensionShapes(extension, inputTypes)
  const shape = (name: string) => inputTypes.shape(name) ?? extensionShapes.shape(name)
  return {
    model,
    inputs,
    inputTypes,
    aggregateInputs,
    aggregateRoots: counted,
    extensions: parsed,
    extensionShapes,
    shape,
    schema,
    full,
  }
}

/** The functions that make root fields, by name. */
function makers<Root, Config>(
  roots: ReadonlyMap<string, Root>,
  make: (root: Root) => Config,
): ReadonlyMap<string, () => Config> {
  return new Map([...roots].map(([name, root]) => [name, () => make(root)]))
}

/** Creates the schema with all types. `assumeValid` skips a validation that the compiler has done. */
function createFullSchema({ model, inputTypes, output, roots, extension }: SchemaParts): GraphQLSchema {
  const { query, mutation, subscription } = roots
  const declared = [...graphqlTypes(model).values()]
    .filter((type) => type.kind !== 'scalar' || type.custom)
    .map((type) => (type.kind === 'input' ? inputTypes.of(shapeOf(type)) : (output.of(type) as GraphQLNamedType)))
  const entrances = [query, mutation, subscription].filter((root) => root !== undefined)
  return new GraphQLSchema({
    query: query ?? null,
    mutation: mutation ?? null,
    subscription: subscription ?? null,
    types: reachableTypes([...entrances, ...declared, ...extension.all()]),
    directives: [...specifiedDirectives, ...extension.directives],
    assumeValid: true,
  })
}

/**
 * Returns all types that the given types reference, directly or not, in breadth-first order. GraphQL searches recursively, and a chain of a
 * few thousand types overflows the stack. With the complete list it has nothing left to search.
 */
function reachableTypes(from: readonly GraphQLNamedType[]): readonly GraphQLNamedType[] {
  const found = new Set<GraphQLNamedType>(from)
  // Iteration over a Set includes entries added during the iteration.
  for (const type of found) for (const next of neighbours(type)) found.add(getNamedType(next))
  return [...found]
}

function* neighbours(type: GraphQLNamedType): Iterable<GraphQLType> {
  if (isUnionType(type)) yield* type.getTypes()
  if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) yield field.type
  if (!isObjectType(type) && !isInterfaceType(type)) return
  yield* type.getInterfaces()
  for (const field of Object.values(type.getFields())) {
    yield field.type
    for (const argument of field.args) yield argument.type
  }
}
