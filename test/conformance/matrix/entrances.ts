import { createHash } from 'node:crypto'
import type { App } from '../../../core/service/app.ts'
import type { InjectResponse } from '../../../core/service/http/inject.ts'
import type { Attempt, Headers, MatrixEntrance } from './cells.ts'

const rowsOf = ({ query, selection }: Attempt): string => `{ ${query} { id ${selection} } }`

function post(
  app: App,
  { headers, address }: Pick<Attempt, 'headers' | 'address'>,
  body: object,
): Promise<InjectResponse> {
  return app.inject({ method: 'POST', url: '/graphql', headers, body, address })
}

function get(
  app: App,
  { headers, address }: Pick<Attempt, 'headers' | 'address'>,
  url: string,
): Promise<InjectResponse> {
  return app.inject({ method: 'GET', url, headers, address })
}

const search = (values: Headers): string => `/graphql?${new URLSearchParams(values)}`

const page = (routes: readonly string[], name: string, nothing: string): MatrixEntrance => ({
  name,
  routes,
  nothing,
  ask: (app, attempt) => get(app, attempt, (routes[0] as string).replace(/^GET /, '')),
})

const alone = (route: string, nothing: string): MatrixEntrance => ({
  name: route.replace(/^GET /, ''),
  routes: [route],
  nothing,
  ask: (app, attempt) => get(app, attempt, route.replace(/^GET /, '')),
})

/** Ways in that are older than the matrix; a newer plugin has its own in the `matrix.ts` of its tests. */
export const ENTRANCES: readonly MatrixEntrance[] = [
  {
    name: 'GraphQL POST',
    routes: ['POST /graphql'],
    ask: (app, attempt) => post(app, attempt, { query: rowsOf(attempt) }),
  },
  {
    name: 'GraphQL batch',
    routes: ['POST /graphql'],
    ask: (app, attempt) => post(app, attempt, [{ query: '{ __typename }' }, { query: rowsOf(attempt) }]),
  },
  {
    name: 'GraphQL GET',
    routes: ['GET /graphql'],
    ask: (app, attempt) => get(app, attempt, search({ query: rowsOf(attempt) })),
  },
  {
    name: 'persisted query',
    routes: ['POST /graphql', 'GET /graphql'],
    async ask(app, attempt) {
      const query = rowsOf(attempt)
      const extensions = {
        persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') },
      }
      // It is stored by whoever sends it first, and asked by its hash.
      await post(app, attempt, { query, extensions })
      return get(app, attempt, search({ extensions: JSON.stringify(extensions) }))
    },
  },
  {
    name: 'alias and fragment',
    routes: ['POST /graphql'],
    ask: (app, attempt) =>
      post(app, attempt, {
        query: `{ a: ${attempt.query} { ...F } } fragment F on ${attempt.type} { b: __typename ${attempt.selection} }`,
      }),
  },
  {
    name: 'node',
    routes: ['POST /graphql'],
    ask: (app, attempt) =>
      post(app, attempt, {
        query: `{ node(id: "${attempt.id}") { ... on ${attempt.type} { ${attempt.selection} } } }`,
      }),
  },
  {
    name: 'count and filter',
    routes: ['POST /graphql'],
    ask: async (app, attempt) => {
      const where = attempt.selection === 'secret' ? '(where: { secret: { _like: "the text%" } })' : ''
      return post(app, attempt, { query: `{ ${attempt.query}${where} { ${attempt.selection} } }` })
    },
  },
  {
    name: 'GraphQL mutation',
    routes: ['POST /graphql'],
    writes: true,
    ask: (app, { mutation, key, mark, selection, ...attempt }) =>
      post(app, attempt, {
        query: `mutation ($id: ID!, $note: String) { ${mutation}(id: $id, input: { note: $note }) { id ${selection} } }`,
        variables: { id: key, note: mark },
      }),
  },
  alone('GET /health', 'says whether the service lives'),
  alone('GET /health/detailed', 'says of each part whether it lives'),
  alone('GET /health/live', 'says whether the service lives'),
  alone('GET /health/ready', 'says whether the service takes requests'),
  page(['GET /ready', 'GET /readiness'], '/ready', 'says whether the service takes requests'),
  alone('GET /', 'leads to the editor'),
  page(
    ['react.js', 'react-dom.js', 'graphiql.js', 'graphiql.css', 'start.js'].map((file) => `GET /graphiql/${file}`),
    '/graphiql/…',
    'files of the editor',
  ),
  alone('GET /metrics', 'figures, by a token of their own'),
  {
    name: '/auth/revoke',
    routes: ['POST /auth/revoke', 'POST /auth/revoke-all'],
    nothing: 'takes a token, gives none',
    ask: (app, { headers, address }) =>
      app.inject({ method: 'POST', url: '/auth/revoke', headers, body: { token: 'x' }, address }),
  },
]
