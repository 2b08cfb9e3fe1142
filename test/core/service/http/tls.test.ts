import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import t from 'tap'
import type { Signal } from '../../../../core/contract/signals.ts'
import { renewTls } from '../../../../core/service/http/renew-tls.ts'
import { loadTls, type TlsConfig, type TlsMaterial } from '../../../../core/service/http/tls.ts'
import { createSignals } from '../../../../core/service/signals/create-signals.ts'
import { serve } from './http-fixture.ts'
import { makePair } from './tls-pair.ts'

const config = (rest: Partial<TlsConfig>): TlsConfig => ({ enabled: true, min_version: '1.2', ...rest })

t.test('serves HTTPS, and refuses what is older than min_version', async (t) => {
  const folder = makePair(t)
  if (folder === null) return
  const tls = await loadTls(config({ cert_file: 'server.pem', key_file: 'server.key', min_version: '1.3' }), folder)
  const ok = { method: 'GET' as const, path: '/', handler: () => ({ status: 200, headers: {}, body: 'secret' }) }
  const { url } = await serve(t, [ok], { tls })
  t.match(url, /^https:/)
  const ca = readFileSync(join(folder, 'server.pem'))
  const { port } = new URL(url)
  const body = await new Promise<string>((resolve, reject) => {
    get({ port, host: '127.0.0.1', servername: 'localhost', ca }, (reply) => resolve(text(reply))).on('error', reject)
  })
  t.equal(body, 'secret')
  const refused = await new Promise<Error>((resolve, reject) => {
    const socket = connect(
      { port: Number(port), host: '127.0.0.1', servername: 'localhost', ca, maxVersion: 'TLSv1.2' },
      () => {
        reject(new Error('TLS 1.2 was accepted'))
      },
    )
    socket.on('error', resolve)
  })
  t.match(refused.message, /protocol version|alert/i)
})

t.test('files that cannot be used are named', async (t) => {
  const folder = makePair(t)
  if (folder === null) return
  t.equal(await loadTls({ enabled: false, min_version: '1.2' }, folder), null)
  const fault = (rest: Partial<TlsConfig>, message: RegExp) =>
    t.rejects(loadTls(config(rest), folder), { code: 'SVC_CONFIG_INVALID', message })
  await fault({ key_file: 'server.key' }, /server\.tls\.cert_file is not set/)
  await fault(
    { cert_file: 'nowhere.pem', key_file: 'server.key' },
    /server\.tls\.cert_file: the file nowhere\.pem cannot be read/,
  )
  await fault({ cert_file: 'server.pem', key_file: 'other.key' }, /cannot be used together/)
  await fault({ cert_file: 'text.pem', key_file: 'server.key' }, /cannot be used together/)
})

t.test(
  'a certificate that is renewed is used for new connections; one that cannot be used changes nothing',
  async (t) => {
    const folder = makePair(t)
    if (folder === null) return
    const options = (cert: string, key: string) => config({ cert_file: cert, key_file: key })
    const usual = options('server.pem', 'server.key')
    const before = (await loadTls(usual, folder))!
    const ok = { method: 'GET' as const, path: '/', handler: () => ({ status: 200, headers: {}, body: 'ok' }) }
    const { url, server } = await serve(t, [ok], { tls: before })
    const port = Number(new URL(url).port)
    const serial = () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().serialNumber)
          socket.destroy()
        })
        socket.on('error', reject)
      })
    const old = await serial()
    const signals = createSignals()
    const seen: Signal[] = []
    signals.subscribe((signal) => seen.push(signal))
    const renew = (files: TlsConfig, current: TlsMaterial) =>
      renewTls(files, folder, current, { use: (material) => server.renewTls(material), signals })
    t.equal(await renew(usual, before), before, 'the same files')
    t.equal(await renew(options('server.pem', 'other.key'), before), before, 'a pair that does not fit')
    t.equal(await renew(options('nowhere.pem', 'server.key'), before), before, 'a file that is not there')
    t.equal(await serial(), old)
    const other = options('other.pem', 'other.key')
    const after = await renew(other, before)
    t.not(await serial(), old)
    t.equal(await renew(other, after), after)
    t.match(seen, [{ type: 'certificate-refused' }, { type: 'certificate-refused' }, { type: 'certificate-renewed' }])
    t.equal(seen.length, 3)
  },
)
