import { type GraphQLNamedType, GraphQLSchema } from 'graphql'
import { lazily, type SchemaModel, shapeOf } from '../../../core/index.ts'
import { createGeneratedInputs, type GeneratedInputs } from '../inputs/generated-inputs.ts'
import type { SchemaParts } from './find-type.ts'
import { createInputTypes, type InputTypes } from './input-types.ts'
import { OnDemandSchema } from './on-demand-schema.ts'
import { createOutputTypes } from './output-types.ts'
import { reachableTypes } from './reachable-types.ts'
import { createRootTypes } from './root-types.ts'

/** The GraphQL side of one generation. */
export interface SchemaView {
  readonly model: SchemaModel
  readonly inputs: GeneratedInputs
  readonly inputTypes: InputTypes
  /** For validation. Makes only the types that documents speak of, so that 5,000 types cost nothing at boot. */
  readonly schema: GraphQLSchema
  /** Every type, for introspection and printing. Made when first asked for. */
  readonly full: () => GraphQLSchema
}

/** @param subscriptions is there a plugin that serves them? Otherwise they are not advertised. */
export function createSchemaView(model: SchemaModel, subscriptions: boolean): SchemaView {
  const inputs = createGeneratedInputs()
  const inputTypes = createInputTypes(model)
  const output = createOutputTypes(inputs, inputTypes)
  const roots = createRootTypes(model, inputs, inputTypes, output, subscriptions)
  const parts: SchemaParts = { model, inputs, inputTypes, output, roots }
  const full = lazily(() => createFullSchema(parts))
  return { model, inputs, inputTypes, schema: new OnDemandSchema(parts, full), full }
}

/** The compiler has checked the schema: `assumeValid` saves walking through it again. */
function createFullSchema({ model, inputTypes, output, roots }: SchemaParts): GraphQLSchema {
  const { query, mutation, subscription } = roots
  const declared = [...model.types.values()]
    .filter((type) => type.kind !== 'scalar' || type.custom)
    .map((type) => (type.kind === 'input' ? inputTypes.of(shapeOf(type)) : (output.of(type) as GraphQLNamedType)))
  const entrances = [query, mutation, subscription].filter((root) => root !== undefined)
  return new GraphQLSchema({
    query: query ?? null,
    mutation: mutation ?? null,
    subscription: subscription ?? null,
    types: reachableTypes([...entrances, ...declared]),
    assumeValid: true,
  })
}
