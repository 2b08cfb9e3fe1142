import { fileURLToPath } from 'node:url'
import t from 'tap'
import { WebSocket } from 'ws'
import type { App } from '../../../core/service/app.ts'
import { requireService } from '../../helpers/services.ts'
import { urlOf } from '../../plugins/subscriptions/matrix.ts'
import type { MatrixRule, Told } from '../matrix/cells.ts'
import { matrixParts } from '../matrix/parts.ts'
import { nobody } from '../matrix/tokens.ts'
import { openMatrix } from '../matrix/world.ts'
import { type Headers, MEMBERS } from './members.ts'

/**
 * Every kind of credential on every way in: what is good lets in, what is bad is refused (also where nobody has to say who is asking,
 * and beside a good one of a kind that is asked later), and what is none counts as none.
 */
t.setTimeout(300_000)

/** Rows for those who say who they are, and rows for all. */
const RULES: readonly MatrixRule[] = [
  { name: 'closed', plugins: ['core'], kept: nobody, let: nobody },
  { name: 'open', plugins: ['core'], query: { public: true }, kept: nobody, let: nobody },
]
/** In the order in which they are asked. */
const KINDS = ['an API key', 'a bearer token', 'the cookie of a session', "a third party's"]
const ROW = /"one-[01]"/

type Ask = (app: App, at: number, headers: Headers, address: string) => Promise<Told>

const document = (at: number): string => `{ secret${at}(id: "one-${at}") { id } }`
const inject = (app: App, request: object): Promise<Told> => app.inject(request as never)

const WAYS: Readonly<Record<string, Ask>> = {
  'GraphQL POST': (app, at, headers, address) =>
    inject(app, { method: 'POST', url: '/graphql', headers, address, body: { query: document(at) } }),
  'GraphQL GET': (app, at, headers, address) =>
    inject(app, { url: `/graphql?query=${encodeURIComponent(document(at))}`, headers, address }),
  REST: (app, at, headers, address) => inject(app, { url: `/rest/v1/secrets${at}/one-${at}`, headers, address }),
  SSE: (app, at, headers, address) =>
    inject(app, {
      url: `/graphql/stream?query=${encodeURIComponent(document(at))}`,
      headers: { ...headers, accept: 'text/event-stream' },
      address,
    }),
  MCP: (app, at, headers, address) =>
    inject(app, {
      method: 'POST',
      url: '/mcp',
      headers: { ...headers, 'mcp-protocol-version': '2025-11-25' },
      address,
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: `secret${at}`, arguments: { id: `one-${at}`, fields: ['id'] } },
      },
    }),
  'WebSocket, by its handshake': (app, at, headers, address) => bySocket(app, at, headers, {}, address),
}

/** All that the socket says, until it has answered, or closes. */
async function bySocket(app: App, at: number, headers: Headers, payload: object, address: string): Promise<Told> {
  const url = `${(await urlOf(app)).replace('http', 'ws')}/ws`
  const told: string[] = []
  const socket = new WebSocket(url, ['graphql-transport-ws'], { headers, localAddress: address } as never)
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })))
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data)) as { readonly type: string }
      told.push(String(data))
      if (type === 'connection_ack')
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: document(at) } }))
      if (type === 'complete' || type === 'error') socket.close()
    })
    socket.on('error', (error) => told.push(String(error)))
    socket.on('close', (code, reason) => {
      told.push(`${code} ${reason}`)
      resolve()
    })
  })
  return { status: 0, text: told.join('\n') }
}

if (await requireService(t, 'postgres')) {
  const parts = await matrixParts()
  const file = fileURLToPath(new URL('pass.ts', import.meta.url))
  const toml = `${parts.toml}\n[[plugins.use]]\npath = "${file}"\n`
  const { app } = await openMatrix(t, { ...parts, rules: RULES, toml })
  let places = 0
  const own = (): string => `127.11.${Math.floor(++places / 250)}.${1 + (places % 250)}`

  t.strictSame(KINDS.toSorted(), Object.keys(MEMBERS).toSorted())
  const { hooks } = app.kernel.describe()
  t.strictSame(
    hooks.find(({ stage }) => stage === 'authenticate')?.plugins.toSorted(),
    ['api-keys', 'jwt', 'oauth', 'pass'],
    'a plugin that hooks authenticate has a member in members.ts',
  )
  for (const [name, member] of Object.entries(MEMBERS)) {
    const { payload } = member
    const ways: Readonly<Record<string, Ask>> = {
      ...WAYS,
      ...(payload !== null && {
        'WebSocket, by connection_init': (app, at, headers, address) =>
          bySocket(app, at, {}, payload(headers), address),
      }),
    }
    for (const [way, ask] of Object.entries(ways)) {
      t.test(`${name}: ${way}`, async (t) => {
        const isIn = async (at: number, headers: Headers, what: string): Promise<boolean> => {
          const { status, text } = await ask(app, at, headers, own())
          const isIn = ROW.test(text)
          if (!isIn)
            t.match(
              text,
              /UNAUTHENTICATED|invalid_token|44\d\d|40[13]|-320\d\d/,
              `${what}: it is said (${status} ${text})`,
            )
          return isIn
        }
        t.equal(await isIn(0, {}, 'nobody'), false, 'nobody is kept out')
        t.equal(await isIn(1, {}, 'nobody'), true, 'and sees what is open')
        for (const at of [0, 1]) t.equal(await isIn(at, member.good(), 'good'), true, 'its twin is let in')
        for (const [what, headers] of Object.entries(member.alike)) t.equal(await isIn(0, headers(), what), true, what)
        for (const [what, headers] of Object.entries(member.bad)) {
          if (way.includes('connection_init') && Object.values(headers()).includes('')) continue
          for (const at of [0, 1])
            t.equal(await isIn(at, headers(), what), false, `${what}, where it is ${at ? 'open' : 'closed'}`)
        }
        for (const [what, headers] of Object.entries(member.nobody)) {
          if (way.includes('connection_init')) continue
          t.equal(await isIn(0, headers(), what), false, what)
          t.equal(await isIn(1, headers(), what), true, `${what}, where it is open`)
        }
        if (way.includes('connection_init')) return
        for (const [other, { good, bad }] of Object.entries(MEMBERS)) {
          if (other === name) continue
          // The first kind that stands there decides, and what is bad of it is refused.
          const decides = KINDS.indexOf(other) < KINDS.indexOf(name)
          for (const [what, headers] of Object.entries(bad)) {
            const both = { ...headers(), ...member.good() }
            t.equal(await isIn(1, both, what), !decides, `beside ${other}: ${what}`)
            if (!decides) t.equal(await isIn(0, both, what), true, `beside ${other}: ${what}, where it is closed`)
          }
          t.equal(await isIn(0, { ...good(), ...member.good() }, other), true, `beside a good one: ${other}`)
        }
      })
    }
    t.test(`${name}: caches tell callers apart`, async (t) => {
      for (const url of [`/graphql?query=${encodeURIComponent(document(1))}`, '/rest/v1/secrets1/one-1']) {
        for (const [who, headers] of [
          ['nobody', {}],
          ['ann', member.good()],
        ] as const) {
          const { headers: said } = await app.inject({ url, headers: headers as never, address: own() })
          const names = String(said.vary).split(', ')
          t.ok(names.includes(member.vary), `${url}: ${said.vary}`)
          if (who === 'ann') t.match(said['cache-control'], /^(?:private|no-store)/, url)
        }
      }
    })
  }
}
