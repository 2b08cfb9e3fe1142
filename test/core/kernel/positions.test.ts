import t from 'tap'
import type { Scope } from '../../../core/contract/scope.ts'
import type { Position } from '../../../core/contract/stages.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { boot, failure, plugin } from '../../helpers/kernel.ts'

const hook = (position?: Position) => (scope: Scope) =>
  scope.on('onRequest', (_ctx, next) => next(), position === undefined ? {} : { position })

t.test('hooks stand where their position says, whatever the order of set-up', async (t) => {
  const kernel = await boot([
    plugin('flights', hook('share')),
    plugin('kept', hook('cache')),
    plugin('plain-1', hook()),
    plugin('limit', hook('guard')),
    plugin('plain-2', hook()),
    plugin('origins', hook('guard')),
    plugin('counts', hook('measure')),
  ])
  t.match(kernel.describe().hooks[0], {
    stage: 'onRequest',
    plugins: ['counts', 'limit', 'origins', 'plain-1', 'plain-2', 'kept', 'flights'],
    positions: ['measure', 'guard', 'guard', null, null, 'cache', 'share'],
  })
  await kernel.close()
})

t.test('a position that does not exist is a fault with the nearest', async (t) => {
  const error = await failure(() => boot([plugin('p', hook('guards' as Position))]))
  t.match(faultsOf(error), [{ code: 'SVC_HOOK_INVALID', plugin: /^p$/ }])
  t.match(error.message, 'unknown position "guards". Did you mean "guard"? Positions: measure, guard, cache, share.')
})

t.test('names in after and before must be names of plugins', async (t) => {
  const known = [{ name: 'metrics', howToEnable: 'x' }]
  const kernel = await boot([plugin('a', undefined, { after: ['metrics', 'b'] }), plugin('b')], { known })
  await kernel.close()
  const error = await failure(() =>
    boot([plugin('a', undefined, { after: ['metric'], before: ['bb'] }), plugin('b')], { known }),
  )
  t.match(faultsOf(error), [
    { code: 'SVC_PLUGIN_UNKNOWN', plugin: /^a$/, message: /`after` .* names "metric".* Did you mean "metrics"\?/ },
    { code: 'SVC_PLUGIN_UNKNOWN', plugin: /^a$/, message: /`before` .* names "bb".* Did you mean "b"\?/ },
  ])
})
