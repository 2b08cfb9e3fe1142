import t from 'tap'
import { SvcError } from '../../../core/doors/plugin.ts'
import type { EventBody } from '../../../plugins/sse/event-body.ts'
import { serveRest } from '../../../plugins/sse/serve-rest.ts'
import type { FollowRequest } from '../../../plugins/subscriptions/api.ts'

/** A stream of rows; the test provides its reads and its subscription. */
async function requestStream({
  read = async () => 'row' as unknown,
  follow = (_id: string | null): void => {},
  canBeId = (_id: string): boolean => true,
  explain = async (_exchange: unknown, _operation: { readonly id: string }): Promise<unknown> => ({}),
} = {}) {
  const follows: FollowRequest[] = []
  const reported: unknown[] = []
  let sink: EventBody | undefined
  const scope = {
    engine: { run: read, authorize: async () => ({}), explain },
    pipeline: { toPublicError: (error: unknown) => void reported.push(error) },
  }
  const subscriptions = {
    async follow(request: FollowRequest, body: EventBody) {
      follows.push(request)
      sink = body
      follow(request.lastEventId)
      return { end() {} }
    },
    watch: () => () => {},
    onDrain: () => () => {},
  }
  const handler = serveRest(scope as never, { heartbeat_secs: 60, max_buffered_bytes: 1000 }, subscriptions as never)
  const exchange = { liftDeadline() {}, headers: {}, address: '::1', auth: null }
  const reply = await handler({
    exchange,
    route: { method: 'GET', path: '/orders/stream' },
    type: { name: 'Order', inject: [] },
    query: { inject: [] },
    lastEventId: 'seen',
    rowOperation: (id: string) => (canBeId(id) ? { id } : null),
    rowOf: (_operation: unknown, result: unknown) => result,
  } as never)
  const text = async (): Promise<string> => {
    let all = ''
    for await (const chunk of reply.body as EventBody) all += chunk
    return all
  }
  return { follows, reported, sink: sink!, text, exchange }
}

const event = { kind: 'UPDATE', entityId: '7', id: 'e', before: null }

t.test(
  'an outage while a row is read is thrown, so that the event is not lost; other errors skip the event',
  async (t) => {
    for (const [error, isThrown] of [
      [new SvcError('SERVICE_UNAVAILABLE', 'away'), true],
      [new SvcError('TIMEOUT', 'slow'), true],
      [new SvcError('FORBIDDEN', 'no'), false],
      [new SvcError('NOT_FOUND', 'no'), false],
      [Object.assign(new Error('x'), { code: 'TIMEOUT' }), false],
    ] as const) {
      const { follows, reported, exchange } = await requestStream({
        read: async () => {
          throw error
        },
      })
      const read = follows[0]!.read(exchange as never, [event as never])
      if (isThrown) await t.rejects(read, error)
      else t.strictSame(await read, [null], String(error))
      t.strictSame(reported, isThrown ? [] : [error], 'the error of a skipped event is reported')
    }
  },
)

t.test('each event reads its row; an event without a row has no text', async (t) => {
  let reads = 0
  const { follows, exchange } = await requestStream({ read: async () => `row ${++reads}` })
  const events = [event, { ...event, entityId: null }, { ...event, kind: 'CUSTOM' }]
  t.strictSame(await follows[0]!.read(exchange as never, events as never), ['row 1', null, 'row 2'])
  t.equal(follows[0]!.key, 'GET /orders/stream')
})

t.test('a stream that fails ends without a last event, so that the client reconnects', async (t) => {
  const { sink, text } = await requestStream()
  sink.next({ event, text: '{"a":\n1}' } as never)
  sink.fail(new SvcError('EVENTS_LOST', 'gone'))
  t.equal(await text(), 'event: ping\ndata: \n\nevent: update\nid: e\ndata: {"a": 1}\n\n')
})

t.test('after lost events the stream begins now and says so; other errors are thrown', async (t) => {
  const lost = await requestStream({
    follow(id) {
      if (id !== null) throw new SvcError('EVENTS_LOST', 'gone')
    },
  })
  t.strictSame(
    lost.follows.map(({ lastEventId }) => lastEventId),
    ['seen', null],
  )
  lost.sink.finish()
  t.equal(await lost.text(), ': events were lost; read the list again\n\nevent: ping\ndata: \n\n')
  for (const error of [new SvcError('FORBIDDEN', 'no'), Object.assign(new Error('x'), { code: 'EVENTS_LOST' })]) {
    await t.rejects(
      requestStream({
        follow() {
          throw error
        },
      }),
      error,
    )
  }
})

t.test('a resource whose ids match no sample has no stream', async (t) => {
  const wanted = { code: 'NOT_IMPLEMENTED', message: 'Rows of this resource have no id.' }
  await t.rejects(requestStream({ canBeId: () => false }), wanted)
  for (const canBeId of [(id: string) => id === '1', (id: string) => id !== '1', () => true]) {
    t.equal((await requestStream({ canBeId })).follows.length, 1)
  }
})

t.test('a caller that may read no row is refused at once; a sample id of another type is skipped', async (t) => {
  for (const [errors, code] of [
    [[new SvcError('FORBIDDEN', 'no')], 'FORBIDDEN'],
    [[new SvcError('UNAUTHENTICATED', 'no')], 'UNAUTHENTICATED'],
    [[new SvcError('BAD_USER_INPUT', 'no number'), new SvcError('FORBIDDEN', 'no')], 'FORBIDDEN'],
    [[new SvcError('BAD_USER_INPUT', 'no number'), null, new SvcError('FORBIDDEN', 'no')], null],
    [[new SvcError('BAD_USER_INPUT', 'no number'), new SvcError('BAD_USER_INPUT', 'no UUID')], null],
    [[null, new SvcError('FORBIDDEN', 'no')], null],
    [[Object.assign(new Error('x'), { status: 403 })], null],
  ] as const) {
    const left: (Error | null | undefined)[] = [...errors]
    const opened = requestStream({
      async explain() {
        const error = left.shift()
        if (error !== null && error !== undefined) throw error
      },
    })
    if (code === null) t.equal((await opened).follows.length, 1, String(errors))
    else await t.rejects(opened, { code })
  }
})
