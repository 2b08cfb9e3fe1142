import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { shapeOfAuthored } from '../../../core/engine/changes/entity-shape.ts'
import { sampleChange } from '../../../plugins/observers/actions/webhook.ts'
import { Dispatcher } from '../../../plugins/observers/deliver/dispatcher.ts'
import { createMemoryDeliveries } from '../../../plugins/observers/deliver/memory-deliveries.ts'
import { createHttpSender, type HttpSender } from '../../../plugins/observers/outgoing/http-sender.ts'
import type { TestLike } from '../../helpers/services.ts'

/** Receivers and names that want to harm whoever calls them. */
t.setTimeout(120_000)

const BOUNDS = { connectTimeoutMs: 2000, requestTimeoutMs: 500, maxPayloadBytes: 1000, concurrency: 2 }
const send = (sender: HttpSender, url: string) =>
  sender.send({ url, method: 'POST', headers: {}, body: Buffer.from('{}') })

/** A server that says what the test wants, as bytes. */
async function openRaw(
  t: TestLike,
  answer: (socket: Socket) => void,
): Promise<{ readonly url: string; open(): number }> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => answer(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, open: () => sockets.size }
}

/** Says it as long as somebody reads. @returns how many bytes were taken */
async function pour(socket: Socket, piece: Buffer, pauseMs = 0): Promise<void> {
  while (!socket.destroyed) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    if (pauseMs > 0) await sleep(pauseMs)
  }
}

const CHUNK = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
const HEAD = 'HTTP/1.1 200 OK\r\n'

t.test('answers without an end cost neither memory nor a connection for long', async (t) => {
  const cases: Record<string, readonly [kind: string, answer: (socket: Socket) => void]> = {
    'chunks for ever': [
      'done',
      (socket) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
        void pour(socket, CHUNK)
      },
    ],
    'a body of ten terabytes': [
      'done',
      (socket) => {
        socket.write(`${HEAD}Content-Length: 10000000000000\r\n\r\n`)
        void pour(socket, CHUNK)
      },
    ],
    'a body that drips': [
      'done',
      (socket) => {
        socket.write(`${HEAD}Content-Length: 60000\r\n\r\n`)
        void pour(socket, Buffer.from('x'), 20)
      },
    ],
    'headers that drip': [
      'again',
      (socket) => {
        socket.write(HEAD)
        void pour(socket, Buffer.from('x-a: b\r\n'), 20)
      },
    ],
    'headers for ever': [
      'again',
      (socket) => {
        socket.write(HEAD)
        void pour(socket, Buffer.from(`x-a: ${'b'.repeat(1000)}\r\n`))
      },
    ],
    'steps before the answer, for ever': [
      'again',
      (socket) => void pour(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'), 5),
    ],
    'no HTTP': ['again', (socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
    'nothing, and the end': ['again', (socket) => void socket.destroy()],
  }
  for (const [name, [kind, answer]] of Object.entries(cases)) {
    let taken = 0
    const { url, open } = await openRaw(t, (socket) => {
      answer(socket)
      socket.on('close', () => (taken += socket.bytesWritten))
    })
    const sender = await createHttpSender({ ...BOUNDS, allowHosts: ['127.0.0.1'] })
    t.equal((await send(sender, url)).kind, kind, name)
    for (let left = 1000; open() > 0 && left > 0; left--) await sleep(5)
    t.equal(open(), 0, `${name}: nobody reads on`)
    // What stands in the buffers of two sockets is more than what was read.
    t.ok(taken < 32_000_000, `${name}: ${taken} bytes`)
    await sender.close()
  }
})

t.test('limits on the delay for other deliveries', async (t) => {
  let after = ''
  const server = createServer((_, response) => response.writeHead(503, { 'retry-after': after }).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = await createHttpSender({ ...BOUNDS, requestTimeoutMs: 20_000, allowHosts: ['127.0.0.1'] })
  t.teardown(async () => {
    await sender.close()
    server.close()
  })
  const HOUR = 3_600_000
  for (const [text, expected] of [
    [String(365 * 86_400), HOUR],
    ['9'.repeat(400), undefined],
    ['9'.repeat(30), HOUR],
    [new Date(Date.now() + 365 * 86_400_000).toUTCString(), HOUR],
    [new Date(Date.now() - 86_400_000).toUTCString(), 0],
    ['-1', 0],
    ['soon', undefined],
  ] as const) {
    after = text
    const { afterMs } = (await send(sender, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)) as {
      afterMs?: number
    }
    t.equal(afterMs, expected, text.slice(0, 40))
  }
})

t.test('a name that leads elsewhere when it is looked up again', async (t) => {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(request.url!)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const real = dns.lookup
  const answers: string[][] = []
  let asked = 0
  const fake = (_name: string, _options: unknown, done: (error: null, addresses: object[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)]!
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  dns.lookup = fake as never
  syncBuiltinESMExports()
  t.teardown(() => {
    dns.lookup = real
    syncBuiltinESMExports()
    server.close()
  })
  // Nobody answers at the address of an example network of IPv6 that counts as public.
  const somewhere = '2a00::1'
  for (const [found, kind] of [
    [[[somewhere], ['127.0.0.1']], 'again'],
    [[['127.0.0.1']], 'never'],
    [[[somewhere, '127.0.0.1']], 'never'],
    [[['::ffff:127.0.0.1']], 'never'],
    [[['::ffff:169.254.169.254', somewhere]], 'never'],
    [[[]], 'never'],
  ] as const) {
    answers.splice(0, answers.length, ...found.map((addresses) => [...addresses]))
    asked = 0
    const sender = await createHttpSender({ ...BOUNDS, allowHosts: [] })
    const outcome = await send(sender, `http://rebind.example:${port}/secret`)
    t.equal(outcome.kind, kind, JSON.stringify(found))
    t.equal(asked, 1, 'it is looked up once: what was checked is what is called')
    await sender.close()
  }
  t.same(calls, [])
})

t.test('one that is dead beside a thousand that are not', async (t) => {
  const shape = shapeOfAuthored({ name: 'Account', fields: [{ name: 'id', type: 'ID!' }] } as never)
  const told = new Set<string>()
  let isOver = false
  const turn = new AbortController().signal
  const dispatcher = new Dispatcher({
    watch: (event) => [
      {
        change: { ...sampleChange(shape), event },
        observer: {
          name: 'hook',
          sync: false,
          retry: { max_attempts: 3, backoff_strategy: 'fixed', initial_delay_ms: 1, max_delay_ms: 1 },
          actions: [
            {
              type: 'webhook',
              targetOf: ({ event: { mutation } }) => mutation!,
              run: async ({ event: { mutation } }) => {
                if (mutation === 'dead') while (!isOver) await sleep(10)
                told.add(mutation!)
                return { kind: 'done' }
              },
            },
          ],
        },
      },
    ],
    find: () => null,
    store: createMemoryDeliveries(),
    report: { attempted() {}, buried() {}, failed: (error) => t.fail(String(error)) },
    concurrency: 10,
    turn: () => turn,
  })
  await dispatcher.start()
  const { event } = sampleChange(shape)
  const live: Promise<void>[] = []
  const dead: Promise<void>[] = []
  for (let n = 0; n < 1000; n++) {
    dead.push(dispatcher.deliver({ ...event, id: `d${n}`, entityId: `d${n}`, mutation: 'dead' }))
    live.push(dispatcher.deliver({ ...event, id: `l${n}`, entityId: `l${n}`, mutation: `live${n}` }))
  }
  await Promise.all(live)
  t.equal(told.size, 1000, 'while the other has told nobody anything')
  isOver = true
  await Promise.all(dead)
  await dispatcher.stop()
})
