import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import { openChannels } from '../../../plugins/subscriptions/match/channels.ts'
import type { Target } from '../../../plugins/subscriptions/match/target.ts'

t.test('malformed messages on a channel are ignored, and numbers are exact', async (t) => {
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

t.test('a channel that is wanted no more is let go, and one that cannot be is reported', async (t) => {
  const warned: unknown[] = []
  const steps: string[] = []
  const bus = async (channel: string) => {
    steps.push(`+${channel}`)
    return async () => {
      steps.push(`-${channel}`)
      if (channel === 'svc_stuck') throw new Error('it stays')
    }
  }
  const log = { warn: (fields: object, text: string) => void warned.push([fields, text]) }
  const channels = openChannels(
    { database: () => ({}), log } as never,
    { hear: bus },
    () => {},
    () => {},
  )
  const targets = (...names: readonly (string | null)[]) =>
    names.map((channel) => ({ channel, types: new Map([['Order', {}]]) }) as unknown as Target)
  await channels.listen(targets('svc_a', 'svc_b', null))
  t.strictSame(steps.splice(0), ['+svc_a', '+svc_b'])
  await channels.listen(targets('svc_b', 'svc_stuck'))
  t.strictSame(steps.splice(0), ['-svc_a', '+svc_stuck'])
  await channels.listen(targets('svc_b'))
  t.strictSame(steps.splice(0), ['-svc_stuck'])
  t.strictSame(warned, [[{ error: 'Error: it stays' }, 'a channel cannot be let go']])
  await channels.listen(targets('svc_b', 'svc_c'))
  t.strictSame(steps.splice(0), ['+svc_c'], 'the others are heard as before')
  await channels.close()
  t.strictSame(steps.splice(0), ['-svc_b', '-svc_c'])
  await channels.listen(targets('svc_d'))
  t.strictSame(steps, [], 'nothing is opened after the end')
})
