import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import t from 'tap'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService, SERVICES, skip, type TestLike } from '../../helpers/services.ts'

const SSL_REQUEST = 80877103

interface TlsServer {
  readonly port: number
  /** Connections that were encrypted. */
  encrypted: number
}

/** Stands before the test server and speaks TLS, as a server with certificates does. `null`: no openssl here. */
async function createTlsServer(t: TestLike): Promise<TlsServer | null> {
  const folder = t.testdir({})
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const subject = ['-subj', '/CN=localhost', '-days', '1']
    const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    execFileSync('openssl', [...make, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
  } catch {
    return null
  }
  const pair = { key: readFileSync(key), cert: readFileSync(cert) }
  const open = new Set<Socket>()
  const state: { port: number; encrypted: number } = { port: 0, encrypted: 0 }
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => {})
    client.once('data', (first) => {
      const upstream = connect(SERVICES.postgres.port, SERVICES.postgres.host)
      open.add(upstream)
      upstream.on('error', () => {})
      let near: Socket = client
      if (first.length === 8 && first.readInt32BE(4) === SSL_REQUEST) {
        state.encrypted++
        client.write('S')
        near = new TLSSocket(client, { isServer: true, ...pair })
        near.on('error', () => {})
      } else {
        upstream.write(first)
      }
      near.pipe(upstream).pipe(near)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  state.port = (server.address() as { port: number }).port
  return state
}

t.test('encrypted connections', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const server = await createTlsServer(t)
  if (server === null) {
    skip(t, 'tls', 'openssl is not installed')
    return
  }
  const url = new URL(await createPostgresDatabase(t))
  url.host = `127.0.0.1:${server.port}`

  for (const [ssl_mode, expected] of [
    ['require', true],
    ['prefer', true],
    ['disable', false],
    ['allow', false],
  ] as const) {
    server.encrypted = 0
    const database = await openDatabase(t, url.href, { config: { ssl_mode } })
    const one = await database.query({ name: null, text: 'SELECT 1' }, [], null)
    t.equal(one.rows[0]![0], '1')
    t.equal(server.encrypted > 0, expected, ssl_mode)
    await database.close()
  }

  await t.test('a certificate that is checked and has no known issuer', async (t) => {
    const database = await openDatabase(t, `${url.href}?sslmode=verify-full`)
    const error = await database.query({ name: null, text: 'SELECT 1' }, [], null).catch((reason) => reason)
    t.match(error, { code: 'SERVICE_UNAVAILABLE', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
  })

  await t.test('statements are cancelled on them too', async (t) => {
    const database = await openDatabase(t, url.href, { config: { ssl_mode: 'require' } })
    const cancel = createCancellable()
    const sleeps = database.query({ name: null, text: 'SELECT pg_sleep(30)' }, [], cancel)
    setTimeout(() => cancel.abort(), 100)
    await t.rejects(sleeps, { code: 'TIMEOUT' })
    await database.close()
    t.pass('closing did not wait for the 30 seconds')
  })
})

t.test('a server without certificates', async (t) => {
  // Answers the request for TLS as such a server does.
  const server = createServer((client) => client.once('data', () => client.end('N')).on('error', () => {}))
  t.teardown(() => server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const required = await openDatabase(t, `postgres://postgres@127.0.0.1:${port}/postgres`, {
    config: { ssl_mode: 'require', pool_min: 0 },
  })
  await t.rejects(required.ping(), { code: 'SERVICE_UNAVAILABLE', cause: { message: /SSL/ } })
})
