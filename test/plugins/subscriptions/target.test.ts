import t from 'tap'
import type { ObjectType } from '../../../core/doors/plugin.ts'
import manifest from '../../../plugins/subscriptions/manifest.ts'
import { targetOfType } from '../../../plugins/subscriptions/match/target.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'
import { NOTES } from '../../schemas/notes.ts'

t.test(
  'the target of a stream of a type matches each change to a row of the type, and no message of a channel',
  async (t) => {
    const { types } = compileFixture(NOTES.schema, null)
    const target = targetOfType(types.get('Note') as ObjectType)
    const event = {
      entityType: 'Note',
      entityId: '1',
      kind: 'UPDATE',
      mutation: null,
    } as unknown as Parameters<typeof target.matches>[0]
    t.equal(target.matches(event), true)
    t.equal(target.matches({ ...event, entityType: 'Comment' }), false, 'another type')
    t.equal(target.matches({ ...event, entityId: null }), false, 'no row')
    t.equal(target.hears(event), false)
    t.equal(target.channel, null)
    t.equal(target.usesContext, false, 'readers with different claims share it')
    t.equal(target.durable, true)
    t.equal(target.replay, true)
  },
)

t.test('each metric has a help text, which /metrics shows', async (t) => {
  for (const [name, { help }] of Object.entries(manifest.metrics ?? {})) t.match(help, /^[A-Z].+ .+\.$/, name)
})
