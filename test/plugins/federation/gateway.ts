import { composeServices } from '@apollo/composition'
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway'
import { buildSchema, graphql, parse } from 'graphql'
import type { TestApp } from '../../helpers/open-app.ts'
import type { TestLike } from '../../helpers/services.ts'

/** A subgraph that is not svc, in the process of the test. */
export interface OtherSubgraph {
  readonly sdl: string
  /** Names of its entities. */
  readonly entities: readonly string[]
  /** What roots give; `_entities` is made of `find`. */
  readonly roots: Readonly<Record<string, unknown>>
  readonly find: (representation: Readonly<Record<string, unknown>>) => object | null
}

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape, looked at by assertions
  readonly data?: any
  readonly errors?: readonly { readonly message: string }[]
}

/** What the gateway sent to svc: the requests, in their order. */
export interface Gateway {
  readonly sent: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> }[]
  ask(query: string, variables?: object): Promise<Answer>
}

/** `@apollo/gateway` in front of svc and of others. */
export async function openGateway(
  t: TestLike,
  app: TestApp,
  others: Readonly<Record<string, OtherSubgraph>>,
): Promise<Gateway> {
  const sent: Gateway['sent'] = []
  const { data } = await app.graphql('{ _service { sdl } }')
  const sdls = { svc: data._service.sdl as string, ...mapOf(others, ({ sdl }) => sdl) }
  const composed = composeServices(
    Object.entries(sdls).map(([name, sdl]) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) })),
  )
  if (composed.errors !== undefined) throw new Error(composed.errors.map(({ message }) => message).join('\n'))
  const sources: Readonly<Record<string, GraphQLDataSource>> = {
    svc: {
      async process({ request }) {
        const { query = '', variables = {} } = request
        sent.push({ query, variables })
        return app.graphql(query, variables) as never
      },
    },
    ...mapOf(others, sourceOf),
  }
  const gateway = new ApolloGateway({
    supergraphSdl: composed.supergraphSdl,
    buildService: ({ name }) => sources[name]!,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  const { executor } = await gateway.load()
  t.teardown(() => gateway.stop())
  return {
    sent,
    async ask(query, variables = {}) {
      const request = { query, variables }
      const asked = { request, document: parse(query), queryHash: query, context: {}, source: query, metrics: {} }
      return JSON.parse(JSON.stringify(await executor(asked as never))) as Answer
    },
  }
}

function sourceOf({ sdl, entities, roots, find }: OtherSubgraph): GraphQLDataSource {
  const plain = sdl.replace(/extend schema[^)]*\)/, '').replace(/@\w+(\([^)]*\))?/g, '')
  const schema = buildSchema(
    `${plain} scalar _Any union _Entity = ${entities.join(' | ')}
     extend type Query { _entities(representations: [_Any!]!): [_Entity]! }`,
  )
  const rootValue = {
    ...roots,
    _entities: ({ representations }: { representations: { __typename: string }[] }) =>
      representations.map((one) => {
        const found = find(one as never)
        return found === null ? null : { __typename: one.__typename, ...found }
      }),
  }
  return {
    process: async ({ request: { query = '', variables = {} } }) =>
      (await graphql({ schema, source: query, rootValue, variableValues: variables })) as never,
  }
}

function mapOf<A, B>(from: Readonly<Record<string, A>>, to: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}
