import t from 'tap'
import { collectStrays } from '../../helpers/collect-strays.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { createHostileProxy } from '../../helpers/hostile-proxy.ts'
import { openApp } from '../../helpers/open-app.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { ITEMS } from '../../schemas/items.ts'
import { until } from '../driver-suite.ts'

/** A server that answers without end: a request that met it fails soon and plainly, and the process goes on with the others. */
t.setTimeout(180_000)

const READ = '{ items { id name } }'
const WRITE = 'mutation { rename(id: 1, name: "two") { id } }'

/** A message of the protocol. */
function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, Buffer.from(body, 'latin1')])
}
const ERROR = message('E', 'SERROR\0VERROR\0C53200\0Mout of memory hunter2\0\0')

/** What the server sends without end, many at a time. */
const FLOODS: Readonly<Record<string, Buffer>> = {
  errors: Buffer.concat(Array.from({ length: 1000 }, () => ERROR)),
  'fatal errors': Buffer.concat(
    Array.from({ length: 1000 }, () => message('E', 'SFATAL\0VFATAL\0C57P01\0Mgoing hunter2\0\0')),
  ),
  'an error without end': Buffer.alloc(1 << 16, 'M'),
  notices: Buffer.concat(Array.from({ length: 1000 }, () => message('N', 'SNOTICE\0VNOTICE\0C00000\0Mhunter2\0\0'))),
  'errors, and that it is ready': Buffer.concat(Array.from({ length: 1000 }, () => [ERROR, message('Z', 'I')]).flat()),
}

if (await requireService(t, 'postgres')) {
  const url = await createPostgresDatabase(t, { sql: `${ITEMS.sql}INSERT INTO item (name) VALUES ('one')` })
  const strays = collectStrays(t)

  for (const [what, bytes] of Object.entries(FLOODS)) {
    for (const when of ['a statement', 'a new connection'] as const) {
      await t.test(`${what}, to ${when}`, async (t) => {
        const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
        const behind = new URL(url)
        behind.host = `127.0.0.1:${proxy.port}`
        const app = await openApp(t, { kind: 'postgres', url }, ITEMS.schema, {
          url: behind.href,
          server: { request_timeout_ms: 1500 },
          database: { connect_timeout_ms: 1000, idle_timeout_ms: 1000, pool_max: 3 },
        })
        const address = await app.listen()
        t.equal((await app.graphql(READ)).data.items[0].name.length, 3)

        const flood =
          what === 'an error without end' ? Buffer.concat([Buffer.from('E\x7f\xff\xff\xff', 'latin1'), bytes]) : bytes
        if (when === 'a new connection') proxy.cut()
        proxy.flood(flood)
        const answers = await Promise.all(
          [READ, WRITE, READ, READ].map(async (query) => {
            const reply = await fetch(`${address}/graphql`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ query }),
            })
            return { status: reply.status, text: await reply.text() }
          }),
        )
        for (const { status, text } of answers) {
          const { errors } = JSON.parse(text) as {
            readonly errors: readonly { readonly extensions: { code: string } }[]
          }
          const said = `${status} ${errors.map(({ extensions }) => extensions.code)}`
          t.ok(['200 DATABASE_ERROR', '200 TIMEOUT', '503 SERVICE_UNAVAILABLE', '504 TIMEOUT'].includes(said), text)
          t.notMatch(text, 'hunter2')
        }
        const alive = await fetch(`${address}/nothing`)
        t.equal(alive.status, 404, 'what needs no database is answered')
        // Floods that have begun go on, and nobody else has to wait for their end.
        proxy.heal()
        await until(async () => (await app.graphql(READ)).errors === undefined, 60_000)
        await until(() => proxy.flooded.connections === 0, 60_000)
        t.strictSame(strays.splice(0), [], 'no error that nobody handles')
      })
    }
  }
  await t.test('a server that never says goodbye does not keep the place of a connection', async (t) => {
    const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
    const behind = new URL(url)
    behind.host = `127.0.0.1:${proxy.port}`
    const config = { pool_max: 1, pool_min: 0, connect_timeout_ms: 500, idle_timeout_ms: 100 }
    const database = await openDatabase(t, behind.href, { config })
    const read = () => database.query({ name: null, text: 'SELECT 1', readOnly: true }, [], null)
    await read()
    proxy.flood(FLOODS.notices!, 'now')
    proxy.heal()
    await until(() => database.pool.idle === 0)
    await until(
      () =>
        read().then(
          () => true,
          () => false,
        ),
      60_000,
    )
    await until(() => proxy.flooded.connections === 0)
    t.strictSame(strays, [])
  })
}
