import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'

/** Returns the name of the connection type of an object type. */
export const connectionName = (type: string): string => `${type}Connection`
export const edgeName = (type: string): string => `${type}Edge`
export const listName = (type: string): string => `${type}List`

export const NODE_INTERFACE: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: 'Node',
  description: 'An object that `node(id:)` finds by its global id.',
  fields: { id: { type: new GraphQLNonNull(GraphQLID) } },
})

export const PAGE_INFO: GraphQLObjectType = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'Where a page stands among all rows.',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
})

/**
 * Creates the GraphQL type `{Type}Connection` with its `{Type}Edge`, for pages of a list.
 * @param name name of the object type
 * @param node returns the object type
 */
export function createConnection(name: string, node: () => GraphQLOutputType): GraphQLObjectType {
  const edge = new GraphQLObjectType({
    name: edgeName(name),
    description: `One ${name} of a page.`,
    fields: () => ({
      node: { type: new GraphQLNonNull(node() as never) },
      cursor: { type: new GraphQLNonNull(GraphQLString), description: 'For `after` and `before`.' },
    }),
  })
  return new GraphQLObjectType({
    name: connectionName(name),
    description: `A page of ${name} rows.`,
    fields: {
      edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))) },
      pageInfo: { type: new GraphQLNonNull(PAGE_INFO) },
      totalCount: { type: GraphQLInt, description: 'Rows on all pages. Counted only when selected.' },
    },
  })
}

/**
 * Creates the GraphQL type `{Type}List`, which has the rows of a page and the number of all rows.
 * @param name name of the object type
 * @param item returns the object type
 */
export function createList(name: string, item: () => GraphQLOutputType): GraphQLObjectType {
  return new GraphQLObjectType({
    name: listName(name),
    description: `${name} rows and how many there are.`,
    fields: () => ({
      items: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item() as never))) },
      totalCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description: 'Rows on all pages. Counted only when selected.',
      },
    }),
  })
}
