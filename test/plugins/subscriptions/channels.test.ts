import t from 'tap'
import type { ChangeEvent } from '../../../core/index.ts'
import { openChannels } from '../../../plugins/subscriptions/match/channels.ts'
import type { Target } from '../../../plugins/subscriptions/match/target.ts'

t.test('whatever is said on a channel, nobody is harmed, and a number is the number that it is', async (t) => {
  const heard: ChangeEvent[] = []
  const warned: unknown[] = []
  let say: (text: string) => void = () => {}
  let interrupt: () => void = () => {}
  const bus = async (_channel: string, said: (text: string) => void, gap: () => void = () => {}) => {
    say = said
    interrupt = gap
    return async () => {}
  }
  const gaps: string[] = []
  const scope = { database: () => ({}), log: { warn: (fields: object) => void warned.push(fields) } }
  const channels = openChannels(
    scope as never,
    { hear: bus },
    (event) => void heard.push(event),
    (channel) => void gaps.push(channel),
  )
  t.teardown(() => channels.close())
  await channels.listen([{ channel: 'svc_paid', types: new Map([['Order', {}]]) } as unknown as Target])

  const deep = '['.repeat(200_000)
  say(`{"id":1,"deep":${deep}${deep.replaceAll('[', ']')}}`)
  t.equal(heard.length, 0)
  t.equal(warned.length, 1, 'it is said')

  say('{"id":9007199254740993,"total":1}')
  say('{"id":7}')
  t.same(
    heard.map(({ entityId }) => entityId),
    ['9007199254740993', '7'],
  )
  t.same(gaps, [])
  interrupt()
  t.same(gaps, ['svc_paid'], 'an interruption is of its channel')
  t.match(heard[0], { entityType: 'Order', kind: 'CUSTOM', before: null, tenant: null })
})
