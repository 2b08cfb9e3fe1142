import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import t from 'tap'
import type { HttpExchange } from '../../../../core/contract/http-exchange.ts'
import { createBareApp } from '../../../helpers/bare-app.ts'
import { entry, plugin } from '../../../helpers/kernel.ts'
import { makePair } from './tls-pair.ts'

const ACCEPTED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n'

t.test('upgrades over TLS', async (t) => {
  const folder = makePair(t)
  if (folder === null) return
  const [cert, key] = [join(folder, 'server.pem'), join(folder, 'server.key')]
  const exchanges: HttpExchange[] = []
  const sockets: Duplex[] = []
  const app = await createBareApp(t, {
    server: { tls: { enabled: true, min_version: '1.3', cert_file: cert, key_file: key }, shutdown_timeout_ms: 300 },
    plugins: [
      entry(
        plugin('sockets', (scope) => {
          scope.upgrade('/echo', (ctx, upgrade) => {
            exchanges.push(ctx)
            const { socket, head } = upgrade.take()
            sockets.push(socket)
            socket.write(ACCEPTED)
            socket.write(head)
            socket.pipe(socket)
          })
          scope.route({ method: 'GET', path: '/page', handler: () => ({ status: 200, headers: {}, body: 'page' }) })
        }),
      ),
    ],
  })
  const { port } = new URL(await app.listen())
  const given = { port, host: '127.0.0.1', servername: 'localhost', ca: readFileSync(cert) }
  const ask = (path: string): Promise<{ status: number; body: string; socket: Duplex | null }> =>
    new Promise((resolve, reject) => {
      const asked = request({ ...given, path, headers: { connection: 'Upgrade', upgrade: 'echo' } })
      asked.on('error', reject)
      asked.on('upgrade', ({ statusCode }, socket) => resolve({ status: statusCode ?? 0, body: '', socket }))
      asked.on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, body: await text(response), socket: null })
      })
      asked.end()
    })

  const { status, socket } = await ask('/echo')
  t.equal(status, 101)
  t.ok(sockets[0] instanceof TLSSocket, 'what is taken is the encrypted connection')
  const long = 'x'.repeat(100_000)
  let back = ''
  socket!.setEncoding('utf8').on('data', (chunk: string) => {
    back += chunk
  })
  socket!.write(long)
  while (back.length < long.length) await once(socket!, 'data')
  t.ok(back === long, 'both ways')

  const gone = new Promise<void>((done) => exchanges[0]!.onAbort(done))
  socket!.end()
  await gone
  t.equal(exchanges[0]!.abortReason, 'client')

  t.match(await ask('/nowhere'), { status: 404, socket: null }, 'nobody takes it: an answer in HTTP')
  t.match(await ask('/page'), { status: 200, body: 'page' })

  const stubborn = await ask('/echo')
  const cut = once(stubborn.socket!.on('error', () => {}).resume(), 'close')
  await app.close()
  await cut
  t.equal(exchanges[1]!.abortReason, 'client', 'a stop ends it')
})
