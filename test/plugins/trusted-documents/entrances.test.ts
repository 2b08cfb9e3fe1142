import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, fetchExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { createClient as createSseClient } from 'graphql-sse'
import t from 'tap'
import type { PlanWork } from '../../../core/contract/observer.ts'
import { definePlugin } from '../../../core/doors/plugin.ts'
import { linkSchema } from '../../../core/schema/link/link.ts'
import sse from '../../../plugins/sse/index.ts'
import trustedDocuments from '../../../plugins/trusted-documents/index.ts'
import { compileArtifact, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { requireService } from '../../helpers/services.ts'
import { CHANGED, connect, listen, openShop, SHOP_SQL, shop, until } from '../subscriptions/shop.ts'

const ORDERS =
  'query Orders($limit: Int, $status: String!, $all: Boolean = false) { orders(limit: $limit, where: { status: { _eq: $status } }) { id status @skip(if: $all) buyer { name } } }'
const LISTED = '{ orders { id } }'
const PLACE = 'mutation Place($c: String!) { placeOrder(customer: $c) { id } }'
/** That of the test's own writer. */
const WRITER = 'mutation ($c: String!, $t: Decimal) { placeOrder(customer: $c, total: $t) { id } }'
const CHANGES = 'subscription Changes { orderChanged { status } }'
// As Apollo Client and urql print them.
const APOLLO = 'query Apollo {\n  orders {\n    id\n    __typename\n  }\n}'
const URQL = 'query Urql {\n  orders {\n    id\n  }\n}'
const FILTERED = 'query ($w: OrderWhereInput!) { orders(where: $w) { id } }'

/** Sees all fields: what is denied to somebody has plans of its own. */
const ALL = 'Bearer {"subject":"root","scopes":["read:note"]}'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Plans that were made, in order. */
const plans: string[] = []
const planner = definePlugin(
  { name: 'planner', version: '1.0.0', kernelApi: 1, description: 'Counts plans.' },
  (scope) => {
    scope.observe({
      plan: ({ operation, kind }: PlanWork, next) => {
        plans.push(`${operation.template.name}: ${kind}`)
        return next()
      },
    })
  },
)

if (await requireService(t, 'postgres')) {
  const database = { kind: 'postgres' as const, url: await createPostgresDatabase(t, { sql: SHOP_SQL }) }
  const schema = shop([CHANGED])
  const texts = [ORDERS, LISTED, PLACE, WRITER, CHANGES, APOLLO, URQL, FILTERED]
  const manifest = Object.fromEntries(texts.map((text) => [sha256(text), text]))
  const path = join(t.testdir({}), 'documents.json')
  writeFileSync(path, JSON.stringify(manifest))
  const narrow = {
    ...schema,
    queries: [{ ...schema.queries![0]!, name: 'orders', auto_params: { where: true, limit: false } }],
  }
  const app = await openShop(t, database, schema, {
    plugins: [
      entry(sse, {}),
      entry(planner),
      entry(trustedDocuments, { enabled: true, mode: 'strict', manifest_path: path }),
    ],
    load: async () => {
      const catalog = await readCatalogFor(narrow as never, app.database)
      return linkSchema(compileArtifact(narrow as never, catalog, { dialect: app.database.dialect }))
    },
  })
  const ask = async (body: object) => {
    const reply = await app.inject({ method: 'POST', url: '/graphql', headers: { authorization: ALL }, body })
    return { status: reply.status, ...reply.json<{ data?: unknown; errors?: { extensions: { code: string } }[] }>() }
  }
  const code = (answer: { errors?: { extensions: { code: string } }[] }) => answer.errors?.[0]?.extensions.code

  await t.test('every document is planned before the first request', async (t) => {
    for (const name of ['Orders', 'null', 'Place', 'Apollo', 'Urql']) {
      t.ok(
        plans.some((plan) => plan.startsWith(`${name}: `)),
        `${name}: ${plans}`,
      )
    }
    const before = plans.length
    t.match(await ask({ documentId: sha256(LISTED) }), { data: { orders: [] } })
    t.match(await ask({ documentId: sha256(PLACE), variables: { c: 'ann' } }), { data: { placeOrder: {} } })
    for (const variables of [{ status: 'new' }, { status: 'new', limit: 5 }, { status: 'x', limit: 7, all: true }]) {
      t.equal(code(await ask({ documentId: sha256(ORDERS), variables })), undefined)
    }
    t.same(plans.slice(before), [], 'nobody waited for a plan')
    t.match(await ask({ documentId: sha256(FILTERED), variables: { w: { status: { _eq: 'new' } } } }), {
      data: { orders: [{}] },
    })
    t.equal(plans.length, before + 1, 'what a filter looks like, nobody can guess')
  })

  await t.test('over WebSocket and SSE, and not as a batch', async (t) => {
    const client = connect(t, app, {})
    const heard = await listen(client, app, {
      query: '',
      extensions: { persistedQuery: { version: 1, sha256Hash: sha256(CHANGES) } },
    } as never)
    t.equal(heard.isOver, false, 'by id: its protocol has no message without a query')
    await app.place('ann')
    t.match(await heard.wait(1), [{ data: { orderChanged: { status: 'new' } } }])
    heard.end()
    const byText = await listen(client, app, CHANGES)
    t.equal(byText.isOver, false)
    byText.end()
    const other = await listen(client, app, '{ orders { status } }')
    await other.over()
    t.match(other.error, [{ extensions: { code: 'FORBIDDEN_QUERY' } }])

    const results: unknown[] = []
    const events = createSseClient({ url: `${app.url}/graphql/stream`, retryAttempts: 0 })
    t.teardown(() => events.dispose())
    const stream = (body: object) =>
      new Promise((resolve) => {
        events.subscribe(body as never, {
          next: (value) => void results.push(value),
          error: resolve,
          complete: () => resolve(null),
        })
      })
    await stream({ extensions: { doc_id: sha256(LISTED) } })
    t.match(results, [{ data: { orders: [{}] } }], 'by id over SSE')
    await stream({ query: '{ orders { status } }' })
    t.match(JSON.stringify(results.at(-1)), 'FORBIDDEN_QUERY')

    const batch = await app.inject({ method: 'POST', url: '/graphql', body: [{ query: '{ orders { status } }' }] })
    t.equal(batch.status, 400)
    t.notMatch(batch.text, '"data"')
  })

  await t.test('clients as they ship send the hash of what stands in the manifest', async (t) => {
    const uri = `${app.url}/graphql`
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: ApolloLink.from([new PersistedQueryLink({ sha256 }), new HttpLink({ uri })]),
    })
    const { data } = await client.query({ query: gql(APOLLO), fetchPolicy: 'no-cache' })
    t.match(data, { orders: [{ __typename: 'Order' }] }, 'Apollo Client')
    await t.rejects(client.query({ query: gql`query Not { orders { status } }`, fetchPolicy: 'no-cache' }))
    client.stop()

    const urql = new Client({
      url: uri,
      preferGetMethod: false,
      exchanges: [
        persistedExchange({ generateHash: async (text) => sha256(text), enforcePersistedQueries: true }),
        fetchExchange,
      ],
    })
    const answer = await urql.query(URQL, {}).toPromise()
    t.equal(answer.error, undefined)
    t.match(answer.data, { orders: [{}] }, 'urql')
    const not = await urql.query('query Not { orders { status } }', {}).toPromise()
    t.equal(not.error?.graphQLErrors[0]?.extensions.code, 'DOCUMENT_NOT_FOUND')
  })

  await t.test('a schema that is reloaded says which documents it answers no more', async (t) => {
    const warnings = () =>
      app.signals.flatMap((signal) => (signal.type === 'trusted-documents:warning' ? [signal.message] : []))
    t.same(warnings(), [])
    await app.kernel.process.reload({ path: 'other.json' })
    await until(() => warnings().length > 0, 'it is told')
    t.match(warnings(), [
      new RegExp(`^1 of ${texts.length} trusted documents do not fit the schema: ${sha256(ORDERS)}: .*"limit"`),
    ])
    t.match(await ask({ documentId: sha256(LISTED) }), { data: { orders: [{}] } }, 'the others serve')
  })
}
