import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { EventBody, oneLine, streamReply } from '../../../plugins/sse/event-body.ts'
import type { OutgoingEvent } from '../../../plugins/subscriptions/api.ts'
import type { TestLike } from '../../helpers/services.ts'

const event = (text: string): OutgoingEvent => ({ text }) as OutgoingEvent

function createBody(t: TestLike, more: { readonly maxBufferedBytes?: number; readonly heartbeatMs?: number } = {}) {
  const body = new EventBody({
    maxBufferedBytes: 10,
    heartbeatMs: 60_000,
    heartbeat: '~',
    write: ({ text }) => `<${text}>`,
    failure: (error) => `!${error}`,
    ...more,
  })
  t.teardown(() => void body.destroy())
  const read = (): string => String(body.read() ?? '')
  return { body, read }
}

/** All text of a body up to its end. */
async function allOf(body: EventBody): Promise<string> {
  let text = ''
  for await (const chunk of body) text += chunk
  return text
}

t.test('an event on one line', async (t) => {
  for (const [json, line] of [
    ['{"a":1}', '{"a":1}'],
    ['{"a":\n1}', '{"a": 1}'],
    ['{"a":\r\n\r\n1,\n"b":\r2}', '{"a": 1, "b": 2}'],
    ['', ''],
  ] as const) {
    t.equal(oneLine(json), line)
  }
})

t.test('the headers of a stream forbid caches and buffering proxies', async (t) => {
  const { body } = createBody(t)
  t.strictSame(streamReply(body), {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      vary: 'Accept',
    },
    body,
  })
})

t.test('a heartbeat is sent only if nothing waits for the client', async (t) => {
  const { body, read } = createBody(t, { heartbeatMs: 20 })
  body.say('one')
  await sleep(100)
  t.equal(read(), 'one', 'no heartbeat behind an event that waits')
  await sleep(100)
  t.equal(read(), '~', 'one heartbeat, as long as it waits')
  await sleep(100)
  t.equal(read(), '~', 'the next one')
  body.finish()
  await sleep(100)
  t.equal(read(), '', 'none after the end')
})

t.test('a slow client gets no more events until it has read', async (t) => {
  const { body, read } = createBody(t)
  t.equal(body.next(event('12345678')), true, 'up to the limit')
  t.equal(body.next(event('9')), true, 'the limit is reached, not passed')
  t.equal(body.next(event('lost')), false)
  let hasRoom = false
  const room = body.room().then(() => {
    hasRoom = true
  })
  await sleep(60)
  t.equal(hasRoom, false, 'it waits')
  t.equal(read(), '<12345678><9>')
  await room
  t.equal(body.next(event('more')), true)
  t.equal(read(), '<more>')
})

t.test('room() resolves at once if nothing waits or the body is over', async (t) => {
  const { body } = createBody(t)
  await body.room()
  body.say('0123456789+')
  body.finish()
  await body.room()
  t.equal(body.next(event('late')), true, 'a closed body accepts and drops events')
  body.say('late')
  t.equal(await allOf(body), '0123456789+')
})

t.test('a body ends once, with a last text or without', async (t) => {
  for (const [name, end, last] of [
    ['finish with a word', (body: EventBody) => body.finish('bye'), 'bye'],
    ['finish', (body: EventBody) => body.finish(), ''],
    ['away', (body: EventBody) => body.away(), ''],
    ['fail', (body: EventBody) => body.fail('why'), '!why'],
  ] as const) {
    const { body } = createBody(t, { maxBufferedBytes: 1000 })
    const ends: string[] = []
    body.whenOver(() => ends.push('end'))
    body.serve({ end: () => void ends.push('subscriber') })
    body.say('first ')
    t.strictSame(ends, [], name)
    end(body)
    t.strictSame(ends, ['end', 'subscriber'], name)
    body.whenOver(() => ends.push('late'))
    body.fail('again')
    body.finish('again')
    t.equal(await allOf(body), `first ${last}`, name)
    await sleep(0)
    t.strictSame(ends, ['end', 'subscriber', 'late'], `${name}: each end runs once`)
  }
  const { body } = createBody(t)
  let isOver = false
  body.whenOver(() => {
    isOver = true
  })
  body.destroy()
  await sleep(0)
  t.equal(isOver, true, 'the client disconnects')
})
