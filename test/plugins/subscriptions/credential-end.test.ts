import { createClient as createSseClient } from 'graphql-sse'
import { SubscriptionClient } from 'subscriptions-transport-ws'
import t from 'tap'
import WebSocket from 'ws'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { openStream } from '../sse/streams.ts'
import { CHANGED, connect, openShop, SHOP_SQL, type Shop, shop, until } from './shop.ts'

/** A credential that ends while a stream lasts: real clients connect again by themselves, with a fresh one. */
t.setTimeout(120_000)

const QUERY = 'subscription { orderChanged { customer } }'

interface Followed {
  readonly customers: string[]
  readonly errors: unknown[]
  /** How the service ended it, each time, where the client can tell. */
  readonly ends: string[]
  isOver: boolean
}

/** Follows all orders with the token that is current when the client connects. */
type Follow = (t: TestLike, app: Shop, token: () => string) => Followed

const none = (): Followed => ({ customers: [], errors: [], ends: [], isOver: false })
const customerOf = (result: unknown): string =>
  (result as { data: { orderChanged: { customer: string } } }).data.orderChanged.customer

/** While this client waits for its next attempt, `close` stops neither that attempt nor the timer of a slow one. */
function endForGood(client: SubscriptionClient): void {
  const timers = client as unknown as Record<
    'clearTryReconnectTimeout' | 'clearMaxConnectTimeout' | 'clearCheckConnectionInterval',
    () => void
  >
  Object.assign(client, { reconnect: false })
  client.close()
  timers.clearTryReconnectTimeout()
  timers.clearMaxConnectTimeout()
  timers.clearCheckConnectionInterval()
}

const CLIENTS: Readonly<Record<string, Follow>> = {
  'graphql-ws'(t, app, token) {
    const followed = none()
    const client = connect(t, app, (() => ({ authToken: token() })) as never, '/ws', {
      retryAttempts: 5,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
      on: {
        closed: (event: unknown) => {
          const { code, reason } = event as { code: number; reason: string }
          followed.ends.push(`${code} ${reason}`)
        },
      },
    })
    client.subscribe(
      { query: QUERY },
      {
        next: (result) => void followed.customers.push(customerOf(result)),
        error: (error) => {
          followed.errors.push(error)
          followed.isOver = true
        },
        complete: () => {
          followed.isOver = true
        },
      },
    )
    return followed
  },
  'subscriptions-transport-ws'(t, app, token) {
    const followed = none()
    class Socket extends WebSocket {
      constructor(url: string, protocols: string[]) {
        super(url, protocols)
        this.on('close', (code, reason) => void followed.ends.push(`${code} ${reason}`))
      }
    }
    const client = new SubscriptionClient(
      `${app.url.replace('http', 'ws')}/ws`,
      { reconnect: true, reconnectionAttempts: 3, minTimeout: 5000, connectionParams: () => ({ authToken: token() }) },
      Socket,
    )
    t.teardown(() => endForGood(client))
    client.request({ query: QUERY }).subscribe({
      next: (result) => void followed.customers.push(customerOf(result)),
      error: (error) => {
        followed.errors.push(error)
        followed.isOver = true
      },
      complete: () => {
        followed.isOver = true
      },
    })
    return followed
  },
  'graphql-sse'(t, app, token) {
    const followed = none()
    const client = createSseClient({
      url: `${app.url}/graphql/stream`,
      headers: () => ({ authorization: `Bearer ${token()}` }),
      retryAttempts: 5,
      retry: () => new Promise((resolve) => setTimeout(resolve, 50)),
    })
    t.teardown(() => client.dispose())
    client.subscribe(
      { query: QUERY },
      {
        next: (result) => {
          if (result.errors === undefined) followed.customers.push(customerOf(result))
          else followed.errors.push(result.errors)
        },
        error: (error) => {
          followed.errors.push(error)
          followed.isOver = true
        },
        complete: () => {
          followed.isOver = true
        },
      },
    )
    return followed
  },
  // As a browser's EventSource does: it connects again when the stream ends.
  'stream of a resource'(t, app, token) {
    const followed = none()
    const read = async (): Promise<void> => {
      for (let attempt = 0; attempt < 2; attempt++) {
        const stream = await openStream(t, app, '/rest/v1/orders/stream', { authorization: `Bearer ${token()}` })
        if (stream.status !== 200) {
          followed.errors.push(stream.status)
          break
        }
        let seen = 0
        const look = setInterval(() => {
          const told = [...stream.text.matchAll(/"customer":"(\w+)"/g)].map(([, name]) => name!)
          followed.customers.push(...told.slice(seen))
          seen = told.length
        }, 5)
        await stream.over.catch(() => {})
        clearInterval(look)
        followed.ends.push(stream.text.split('\n\n').at(-2) ?? '')
      }
      followed.isOver = true
    }
    void read()
    return followed
  },
}

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: SHOP_SQL })
  const app = await openShop(t, { kind: 'postgres', url }, shop([CHANGED]), {
    defaultPolicy: 'authenticated',
    subscriptions: { recheck_secs: 1 },
    plugins: [rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })),
  })
  const active = () => app.metric('svc_subscriptions_active')

  for (const [name, follow] of Object.entries(CLIENTS)) {
    await t.test(name, async (t) => {
      let [token, refused] = [`${name}-1`, 0]
      const followed = follow(t, app, () => {
        if (app.revoked.has(token)) refused++
        return token
      })
      await until(() => active() === 1, 'it begins')
      await app.place('before')
      await until(() => followed.customers.length === 1, 'it is told')

      const [old, fresh] = [token, `${name}-2`]
      token = fresh
      app.revoked.add(old)
      // A client that is back at once leaves no time to see that it was gone.
      await until(() => active() === 0 || followed.ends.length > 0, 'the credential ends the stream')
      await until(() => active() === 1, 'the client is back')
      await app.place('after')
      await until(() => followed.customers.includes('after'), 'it is told again')
      t.same(followed.customers, ['before', 'after'])
      t.same(followed.errors, [], 'no error, which is final for clients')
      t.equal(followed.isOver, false)
      t.equal(refused, 0)
      if (name.endsWith('-ws')) t.same(followed.ends, ['4403 The token is not valid.'])
      if (name === 'stream of a resource') t.match(followed.ends, [/^event: (?:insert|ping)\n/])

      // The twin: without a fresh token the client comes back once, and is refused for good.
      app.revoked.add(fresh)
      await until(() => active() === 0, 'the next one ends it, too')
      if (name === 'graphql-ws') {
        await until(() => followed.isOver, 'it gives up')
        t.match(followed.errors, [{ code: 4401 }], 'never authorized: final')
        t.same(followed.ends.at(-1), '4401 The token is not valid.')
      }
      if (name === 'stream of a resource') {
        await until(() => followed.isOver, 'it gives up')
        t.same(followed.errors.length, 0)
      }
    })
  }

  await t.test('a socket without a credential is closed with 4401 where every operation wants one', async (t) => {
    const closed = async (schema: Parameters<typeof openShop>[2], defaultPolicy: 'public' | 'authenticated') => {
      const own = await openShop(t, { kind: 'postgres', url }, schema, { defaultPolicy, observers: null })
      const codes: number[] = []
      const on = { closed: (event: unknown) => void codes.push((event as { code: number }).code) }
      let isConnected = false
      const client = connect(t, own, {}, '/ws', {
        lazy: false,
        on: { ...on, connected: () => (isConnected = true) },
      })
      await until(() => isConnected || codes.length > 0, 'it is let in, or not')
      await client.dispose()
      return isConnected ? 'let in' : codes[0]
    }
    const given = shop([CHANGED])
    const with_ = (more: object) => ({
      ...given,
      queries: given.queries!.map((one) => ({ ...one, ...more })),
      mutations: given.mutations!.map((one) => ({ ...one, ...more })),
      subscriptions: given.subscriptions!.map((one) => ({ ...one, ...more })),
    })
    t.equal(await closed(given, 'authenticated'), 4401)
    t.equal(await closed(with_({ authenticated: true }) as never, 'public'), 4401, 'every operation says so itself')
    t.equal(await closed(with_({ public: true }) as never, 'authenticated'), 'let in')
    t.equal(await closed(given, 'public'), 'let in')
  })
}
