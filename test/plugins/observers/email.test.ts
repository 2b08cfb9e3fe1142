import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import t from 'tap'
import { email } from '../../../core/authoring/index.ts'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { observe } from '../../../core/engine/changes/observed-change.ts'
import { bindEmail } from '../../../plugins/observers/actions/bind-action.ts'
import type { DeclaredEmail } from '../../../plugins/observers/actions/declared.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import type { ObserverOptions } from '../../../plugins/observers/options.ts'
import { createMailer } from '../../../plugins/observers/outgoing/mailer.ts'
import type { TestLike } from '../../helpers/services.ts'
import { makeCertificate } from './certificate.ts'

/** Mails, against a server of the test's own. */
const shape = shapeOfAuthored({
  name: 'Order',
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'mail', type: 'String' },
    { name: 'note', type: 'String' },
  ],
} as never)
const { event } = sampleChange(shape)
const orderOf = (row: object) => observe({ ...event, kind: 'INSERT', entity: JSON.stringify(row) }, shape)
const never = new AbortController().signal

const folder = t.testdir()
const certificate = makeCertificate(folder)

interface Sink {
  readonly port: number
  readonly mails: { readonly to: readonly string[]; readonly text: string; readonly secure: boolean }[]
}

async function openSink(t: TestLike, options: SMTPServerOptions): Promise<Sink> {
  const mails: Sink['mails'] = []
  const server = new SMTPServer({
    ...certificate,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('no')),
    onRcptTo({ address }, _session, done) {
      const code = Number(/^code(\d{3})@/.exec(address)?.[1] ?? 0)
      done(code === 0 ? null : Object.assign(new Error('no'), { responseCode: code }))
    },
    async onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString(), secure })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { port: (server.server.address() as { port: number }).port, mails }
}

async function mailerFor(t: TestLike, port: number, more: Partial<ObserverOptions>) {
  const bounds = { max_concurrent_per_target: 2, connect_timeout_ms: 3000, request_timeout_ms: 3000 }
  const options = { smtp_host: 'localhost', smtp_port: port, smtp_from: 'svc@example.com', max_payload_bytes: 10_000 }
  const mailer = await createMailer({ ...bounds, ...options, smtp_tls: 'starttls', ...more } as ObserverOptions, folder)
  t.teardown(() => mailer?.close())
  return mailer
}

const declared = email(
  '{mail}, boss@example.com',
  'Order {id}: {note}',
  'Dear {mail},\n{note}',
) as unknown as DeclaredEmail

t.test('a mail goes out encrypted, with what the row has where it is put', async (t) => {
  const sink = await openSink(t, {})
  const action = bindEmail(
    declared,
    shape,
    await mailerFor(t, sink.port, { smtp_ca_file: 'cert.pem', smtp_user: 'u', smtp_password: 'right' }),
  )
  t.equal(action.targetOf(orderOf({})), `localhost:${sink.port}`)
  const order = orderOf({ id: 7, mail: 'ann@example.com', note: 'ä\r\nBcc: x@example.com' })
  t.same(await action.run(order, 'e1/1', never), { kind: 'done' })
  const [mail] = sink.mails
  t.same(mail?.to, ['ann@example.com', 'boss@example.com'], 'nobody else')
  t.equal(mail?.secure, true)
  t.match(mail!.text, /^Message-ID: <e1\.1@svc>\r$/m, 'the same on every attempt')
  t.match(mail!.text, /^From: svc@example\.com\r$/m)
  t.notMatch(mail!.text.split('\r\n\r\n')[0]!, /^Bcc/m)
  for (const wrong of ['a@b.c, d@e.f', 'Ann <a@b.c>', 'a@b.c\r\nBcc: x@y.z', '', 'ann'])
    t.match(await action.run(orderOf({ mail: wrong }), 'e2', never), { kind: 'never', error: /address 1/ }, wrong)
  for (const [code, kind] of [
    [500, 'never'],
    [550, 'never'],
    [554, 'never'],
    [451, 'again'],
    [499, 'again'],
  ] as const) {
    const answer = await action.run(orderOf({ mail: `code${code}@example.com` }), `e3.${code}`, never)
    t.strictSame(answer, { kind, error: `it answered ${code}` })
  }
  const long = orderOf({ mail: 'ann@example.com', note: 'x'.repeat(20_000) })
  t.match(await action.run(long, 'e5', never), { kind: 'never', error: /max_payload_bytes/ })
  t.match(await action.run(order, 'e6', AbortSignal.abort()), { kind: 'again' })
  t.same(
    sink.mails.map(({ to }) => to.length),
    [2, 1, 1, 1, 1, 1],
    'the other address has its mail',
  )
})

t.test('modes of TLS', async (t) => {
  const plain = await openSink(t, { disabledCommands: ['STARTTLS'] })
  const tls = await openSink(t, { secure: true })
  const mail = { from: null, to: ['a@example.com'], subject: 's', text: 't', id: 'x' }
  const send = async (port: number, more: Partial<ObserverOptions>) => (await mailerFor(t, port, more))!.send(mail)
  t.match(await send(plain.port, {}), { kind: 'again' }, 'without encryption nothing is said')
  t.same(await send(plain.port, { smtp_tls: 'none' }), { kind: 'done' })
  t.same(await send(tls.port, { smtp_tls: 'tls', smtp_ca_file: 'cert.pem' }), { kind: 'done' })
  t.match(await send(tls.port, { smtp_tls: 'tls' }), { kind: 'again' }, 'a certificate that nobody trusts')
  const login = { smtp_tls: 'tls', smtp_ca_file: 'cert.pem', smtp_user: 'u', smtp_password: 'wrong' } as const
  t.match(await send(tls.port, login), { kind: 'again' }, 'for the operator to mend')
  t.same([plain.mails.length, tls.mails.length], [1, 1])
})

t.test('faults are reported before anything is sent', async (t) => {
  await t.rejects(mailerFor(t, 1, { smtp_user: 'u' }), { code: 'SVC_CONFIG_INVALID' })
  await t.rejects(mailerFor(t, 1, { smtp_user: 'u', smtp_password: 'p', smtp_tls: 'none' }), /in clear/)
  t.equal(await createMailer({} as ObserverOptions, folder), null)
  t.throws(() => bindEmail(declared, shape, null), /smtp_host/)
  t.throws(() => bindEmail({ ...declared, to: 'no address' }, shape, undefined), /no address/)
  t.throws(() => bindEmail({ ...declared, subject: '{nte}' }, shape, undefined), /nte/)
})
