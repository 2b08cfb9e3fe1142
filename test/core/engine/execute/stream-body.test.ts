import { text } from 'node:stream/consumers'
import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { streamBody } from '../../../../core/base/util/stream-body.ts'
import type { Row } from '../../../../core/contract/statement.ts'
import { OpenStream } from '../../../../core/engine/execute/stream/open-stream.ts'
import { createCancellable } from '../../../helpers/cancellable.ts'

/** Batches of one row each, and what was asked of them. */
async function createStream(count: number, more: { idleMs?: number; failAt?: number; chars?: number } = {}) {
  const seen = { asked: 0, returned: 0 }
  const source: AsyncIterator<readonly Row[]> = {
    async next() {
      if (seen.asked === more.failAt) throw new Error('secret')
      if (seen.asked >= count) return { done: true, value: undefined }
      return { done: false, value: [[String(seen.asked++).padStart(more.chars ?? 1, '0')]] }
    },
    async return() {
      seen.returned++
      return { done: true, value: undefined }
    },
  }
  const exchange = createCancellable()
  const stream = new OpenStream<string>({
    key: 'list',
    source,
    first: await source.next(),
    exchange,
    idleMs: more.idleMs ?? 0,
    convert: (rows) => rows.map(([value]) => value ?? 'null'),
    failureOf: () => new SvcError('DATABASE_ERROR', 'public'),
  })
  let closed = 0
  stream.onClose(() => closed++)
  return { stream, seen, exchange, closed: () => closed }
}

const write = (rows: readonly string[]): string => `${rows.join('\n')}\n`
const end = (error: unknown): string => (error === null ? 'end' : `failed: ${(error as Error).message}`)

t.test('a body has all batches, and closes the stream', async (t) => {
  const { stream, seen, closed, exchange } = await createStream(3)
  t.equal(await text(streamBody(stream, write, end)), '0\n1\n2\nend')
  t.strictSame([seen.returned, closed(), stream.count], [1, 1, 3])
  t.notOk(exchange.isWatched, 'the exchange is let go')
})

t.test('no batch is read without room for it', async (t) => {
  const { stream, seen } = await createStream(1000, { chars: 10_000 })
  const body = streamBody(stream, write, end)
  await new Promise((resolve) => body.once('readable', resolve))
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.ok(seen.asked < 15, `${seen.asked} batches`)
  body.destroy()
  await new Promise((resolve) => body.once('close', resolve))
  t.equal(seen.returned, 1)
})

t.test('a body that is destroyed before it was begun closes the stream', async (t) => {
  const { stream, seen, closed } = await createStream(3)
  const body = streamBody(stream, write, end)
  body.destroy()
  await new Promise((resolve) => body.once('close', resolve))
  t.strictSame([seen.returned, closed()], [1, 1])
})

t.test('a failure ends the body; an unformatted one breaks it', async (t) => {
  const told = await createStream(5, { failAt: 2 })
  t.equal(await text(streamBody(told.stream, write, end)), '0\n1\nfailed: public')
  const untold = await createStream(5, { failAt: 2 })
  const broken = streamBody(untold.stream, write, (error) => {
    throw error
  })
  await t.rejects(text(broken), { message: 'public' })
  t.equal(untold.seen.returned, 1)
})

t.test('the end of the exchange closes an idle stream, and is reported', async (t) => {
  const { stream, seen, exchange, closed } = await createStream(5)
  const batches = stream[Symbol.asyncIterator]()
  await batches.next()
  exchange.abort('client')
  t.equal(seen.returned, 1)
  await t.rejects(batches.next(), { code: 'TIMEOUT', message: /client/ })
  await t.rejects(batches.next(), { code: 'TIMEOUT' }, 'it never seems to be at its end')
  t.equal(closed(), 1)
})

t.test('a client that stops reading rows gets an error and holds nothing', async (t) => {
  const { stream, seen } = await createStream(5, { idleMs: 20 })
  const batches = stream[Symbol.asyncIterator]()
  await batches.next()
  await new Promise((resolve) => setTimeout(resolve, 60))
  t.equal(seen.returned, 1)
  await t.rejects(batches.next(), { code: 'TIMEOUT', message: /within 20 ms/ })
  const untouched = await createStream(5, { idleMs: 20 })
  await new Promise((resolve) => setTimeout(resolve, 60))
  t.equal(untouched.seen.returned, 1, 'nor does one that nobody ever takes')
})

t.test('a loop that is left closes; a stream is read once', async (t) => {
  const { stream, seen, closed } = await createStream(5)
  for await (const rows of stream) {
    t.strictSame(rows, ['0'])
    break
  }
  t.strictSame([seen.returned, closed()], [1, 1])
  t.throws(() => stream[Symbol.asyncIterator](), /read once/)
  await stream.close()
  t.equal(seen.returned, 1)
  let late = false
  stream.onClose(() => (late = true))
  t.ok(late)
})
