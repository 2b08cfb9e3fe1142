import { type GraphQLFieldConfig, type GraphQLFieldMap, GraphQLObjectType } from 'graphql'

type FieldConfig = GraphQLFieldConfig<unknown, unknown>

/**
 * An object type that makes each field when it is first looked at. For the root types, which have a field for every
 * operation of the schema: a document speaks of a few of them.
 */
export class LazyObjectType extends GraphQLObjectType {
  readonly #lazyFields: GraphQLFieldMap<unknown, unknown>

  constructor(name: string, fields: ReadonlyMap<string, () => FieldConfig>) {
    super({ name, fields: {} })
    const map: GraphQLFieldMap<unknown, unknown> = Object.create(null)
    for (const [fieldName, config] of fields) {
      Object.defineProperty(map, fieldName, {
        enumerable: true,
        configurable: true,
        get() {
          // GraphQL turns a configuration into a field only inside of a type.
          const value = new GraphQLObjectType({ name, fields: { [fieldName]: config() } }).getFields()[fieldName]
          Object.defineProperty(map, fieldName, { enumerable: true, value })
          return value
        },
      })
    }
    this.#lazyFields = map
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#lazyFields
  }
}
