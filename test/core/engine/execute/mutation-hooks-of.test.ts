import t from 'tap'
import { pluginOf } from '../../../../core/base/errors/blame.ts'
import type { Scope } from '../../../../core/contract/scope.ts'
import { faultsOf } from '../../../../core/kernel/faults.ts'
import type { MutationModel } from '../../../../core/schema/model.ts'
import { emptySchema, testPlugin } from '../../../../core/testing/testing.ts'
import { boot, failure, plugin } from '../../../helpers/kernel.ts'

/** Which hooks of the moments are for which mutation. */

const mutation = (name: string, operation: MutationModel['operation']) =>
  ({ kind: 'mutation', name, wireName: name, operation }) as MutationModel
const [create, drop, other] = [mutation('create', 'CREATE'), mutation('drop', 'DELETE'), mutation('other', 'CUSTOM')]
const schemaWith = (...mutations: MutationModel[]) => ({
  ...emptySchema(),
  hash: mutations.map(({ name }) => name).join(),
  mutations: new Map(mutations.map((each) => [each.wireName, each])),
})

t.test('a hook names its mutations, evaluated once each before they serve', async (t) => {
  const asked: string[] = []
  const ran: string[] = []
  const deletes = ({ name, operation }: MutationModel) => {
    asked.push(name)
    return operation === 'DELETE'
  }
  const hook = (stage: 'mutation:before' | 'mutation:after', mutations?: (mutation: MutationModel) => boolean) => {
    const options = mutations === undefined ? {} : { mutations }
    return (scope: Scope) => scope.on(stage, () => void ran.push(`${scope.plugin} ${stage}`), options)
  }
  const kernel = await boot(
    [
      plugin('first', hook('mutation:before', deletes)),
      plugin(
        'second',
        hook('mutation:before', ({ operation }) => operation !== 'CUSTOM'),
      ),
      plugin(
        'third',
        hook('mutation:after', ({ name }) => name === 'drop'),
      ),
    ],
    { schema: schemaWith(create, drop, other) },
  )
  t.strictSame(asked, ['create', 'drop', 'other'], 'at boot')
  const mutationHooksOf = kernel.mutationHooksOf!
  t.equal(mutationHooksOf(other), null, 'it stays one statement')
  t.match(mutationHooksOf(create), { before: Function, after: null })
  await mutationHooksOf(create)!.before!({} as never, {} as never)
  t.strictSame(ran.splice(0), ['second mutation:before'])
  await mutationHooksOf(drop)!.before!({} as never, {} as never)
  await mutationHooksOf(drop)!.after!({} as never, {} as never, [])
  t.strictSame(ran, ['first mutation:before', 'second mutation:before', 'third mutation:after'])
  t.equal(mutationHooksOf(drop), mutationHooksOf(drop))
  t.equal(asked.length, 3, 'once')
  await kernel.buildGeneration(schemaWith(mutation('new', 'DELETE')))
  t.strictSame(asked.slice(3), ['new'], 'those of the next schema with it')
  await kernel.close()

  const all = await boot([plugin('all', hook('mutation:after'))], { schema: schemaWith(create) })
  t.match(all.mutationHooksOf!(create), { before: null, after: all.hooks['mutation:after']! })
  await all.close()
  const none = await boot([plugin('none')], { schema: schemaWith(create) })
  t.equal(none.mutationHooksOf, null, 'nobody hooked: nothing is asked')
  await none.close()
})

t.test('it is evaluated after the slots of the plugin are built', async (t) => {
  const order: string[] = []
  const kernel = await boot(
    [
      plugin('p', (scope) => {
        scope.perGeneration((schema) => void order.push(`built ${schema.hash}`))
        scope.on('mutation:before', () => {}, { mutations: ({ name }) => order.push(`asked ${name}`) > 0 })
      }),
    ],
    { schema: schemaWith(create) },
  )
  t.strictSame(order, ['built create', 'asked create'])
  await kernel.close()
})

t.test('an impossible declaration is a fault', async (t) => {
  const faults = async (setup: (scope: Scope) => void) => {
    const error = await failure(() => boot([plugin('p', setup)], { schema: schemaWith(create) }))
    return { error, faults: faultsOf(error) }
  }
  for (const setup of [
    (scope: Scope) => scope.on('mutation:before', () => {}, { mutations: ['create'] as never }),
    (scope: Scope) => scope.on('authorize', () => {}, { mutations: () => true }),
  ]) {
    const { error, faults: found } = await faults(setup)
    t.match(found, [{ code: 'SVC_HOOK_INVALID', plugin: /^p$/ }])
    t.match(error.message, /"mutations", which is a function, and for mutation:before and mutation:after/)
  }
  const { faults: thrown } = await faults((scope) =>
    scope.on('mutation:before', () => {}, {
      mutations() {
        throw new Error('cannot say')
      },
    }),
  )
  t.match(thrown, [{ plugin: /^p$/, message: /cannot say/ }])
})

t.test('a reload whose mutations a plugin cannot judge keeps the old schema', async (t) => {
  const kernel = await boot(
    [
      plugin('p', (scope) =>
        scope.on('mutation:after', () => {}, {
          mutations({ name }) {
            if (name === 'drop') throw new Error('cannot say')
            return true
          },
        }),
      ),
    ],
    { schema: schemaWith(create) },
  )
  const error = await failure(() => kernel.buildGeneration(schemaWith(drop)))
  t.match(error, { message: 'cannot say' })
  t.equal(pluginOf(error), 'p')
  await kernel.close()
})

t.test('in the test kit', async (t) => {
  const heard: string[] = []
  const tested = await testPlugin(
    plugin('p', (scope) => {
      scope.on('mutation:before', (_ctx, call) => void heard.push(call.mutation), {
        mutations: ({ operation, wireName }) => operation === 'DELETE' && wireName !== 'dropAll',
      })
    }),
  )
  await tested.before({ mutation: 'create', kind: 'CREATE' })
  await tested.before({ mutation: 'dropAll', kind: 'DELETE' })
  await tested.before({ mutation: 'drop', kind: 'DELETE' })
  t.strictSame(heard, ['drop'])
  await tested.close()
})
