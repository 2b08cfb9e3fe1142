import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { createHttpSender, type HttpSender } from '../../../plugins/observers/outgoing/http-sender.ts'
import { readCa } from '../../../plugins/observers/outgoing/read-ca.ts'
import { makeCertificate } from './certificate.ts'

/** Webhooks over TLS, against a server with a certificate of its own. */
const folder = t.testdir()
const certificate = makeCertificate(folder)

t.test('a webhook is sent only to a server with a valid certificate', async (t) => {
  const heard: string[] = []
  const server = createServer({ ...certificate, maxVersion: 'TLSv1.3' }, async (request, response) => {
    for await (const chunk of request) heard.push(String(chunk))
    response.end('ok')
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const bounds = { connectTimeoutMs: 5000, requestTimeoutMs: 5000, maxPayloadBytes: 1000 }
  const allowHosts = ['localhost', '127.0.0.1']
  const trusting = await createHttpSender({ ...bounds, allowHosts, ...(await readCa('x', 'cert.pem', folder)) })
  const plain = await createHttpSender({ ...bounds, allowHosts })
  t.teardown(async () => {
    await Promise.all([trusting.close(), plain.close()])
    server.closeAllConnections()
    server.close()
  })
  const send = (sender: HttpSender, url: string) =>
    sender.send({ url, method: 'POST', headers: { authorization: 'secret' }, body: Buffer.from('{}') })
  t.match(await send(plain, `https://localhost:${port}/`), { kind: 'again', error: /SELF_SIGNED/ })
  t.match(await send(trusting, `https://127.0.0.1:${port}/`), { kind: 'again', error: /ALTNAME/ }, 'another name')
  t.match(await send(trusting, `http://localhost:${port}/`), { kind: 'again' }, 'no TLS is no way round it')
  t.same(heard, [], 'nothing was said to who could not')
  t.same(await send(trusting, `https://localhost:${port}/`), { kind: 'done' })
  t.same(heard, ['{}'])
})

t.test('an invalid certificate file is an error at boot', async (t) => {
  writeFileSync(join(folder, 'none.pem'), 'nothing')
  t.same(await readCa('webhook_ca_file', undefined, folder), {})
  for (const [path, message] of [
    ['missing.pem', /webhook_ca_file cannot be read: ENOENT/],
    ['none.pem', /webhook_ca_file, .*none\.pem, holds no certificate in PEM/],
    ['key.pem', /holds no certificate/],
  ] as const)
    await t.rejects(readCa('webhook_ca_file', path, folder), { code: 'SVC_CONFIG_INVALID', message }, path)
})
