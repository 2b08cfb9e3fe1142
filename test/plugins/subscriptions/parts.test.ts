import t from 'tap'
import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { ObjectType, SvcError } from '../../../core/doors/plugin.ts'
import { shapeOfModel } from '../../../core/engine/changes/entity-shape.ts'
import { observe } from '../../../core/engine/changes/observed-change.ts'
import { EarlyWords } from '../../../plugins/subscriptions/connection/bounded-operations.ts'
import { argumentFilter } from '../../../plugins/subscriptions/match/argument-filter.ts'
import { ReadQuota } from '../../../plugins/subscriptions/session/read-quota.ts'
import { compileFixture } from '../../helpers/compile-fixture.ts'
import { failure } from '../../helpers/kernel.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

t.test('early messages of a client are processed once, in order', async (t) => {
  const early = new EarlyWords(10)
  const done: string[] = []
  const add = (name: string, bytes: number) => early.add(bytes, () => void done.push(name))
  t.equal(early.isEmpty, true)
  t.strictSame([add('a', 4), add('b', 6), add('c', 1)], [true, true, false], 'ten bytes, and no more')
  t.equal(early.isEmpty, false)
  early.run()
  t.strictSame(done, ['a', 'b'])
  t.equal(early.isEmpty, true)
  early.run()
  t.strictSame(done, ['a', 'b'], 'once')
  t.equal(add('d', 10), true, 'there is room again')
  early.clear()
  early.run()
  t.strictSame(done, ['a', 'b'])
  const many = new EarlyWords(1000)
  const taken = Array.from({ length: 101 }, () => many.add(1, () => {}))
  t.equal(taken.filter(Boolean).length, 100, 'a hundred, however short')
})

t.test('different subscriptions are counted by connection and by caller', async (t) => {
  const quota = new ReadQuota({ perConnection: 2, perCaller: 3 })
  const caller = (subject: string | null, address = 'here') =>
    ({ auth: subject === null ? null : { subject }, address }) as Parameters<ReadQuota['take']>[0]
  const refusal = async (...args: Parameters<ReadQuota['take']>) => {
    const error = await failure(async () => quota.take(...args))
    t.equal(error.code, 'VALIDATION_ERROR')
    return error.message
  }
  const ofConnection = 'A connection has at most 2 different subscriptions at once.'
  const ofCaller = 'A caller has at most 3 different subscriptions at once.'
  const ann = caller('ann')
  const ends = [quota.take(ann, 'c1', 'x'), quota.take(ann, 'c1', 'y'), quota.take(ann, 'c1', 'x')]
  t.equal(await refusal(ann, 'c1', 'z'), ofConnection)
  ends.push(quota.take(ann, 'c2', 'z'))
  t.equal(await refusal(ann, 'c3', 'w'), ofCaller)
  t.equal(await refusal(ann, null, 'w'), ofCaller, 'a stream of its own is of the caller, too')
  ends.push(quota.take(ann, null, 'x'))
  quota.take(caller('bob'), 'c4', 'w')()
  ends[0]!()
  ends[0]!()
  t.equal(await refusal(ann, 'c1', 'z'), ofConnection, 'the other one like it still counts')
  ends[2]!()
  ends.push(quota.take(ann, 'c1', 'z'))
  t.equal(await refusal(ann, 'c5', 'w'), ofCaller, 'the stream has the first one still')
  ends[4]!()
  quota.take(ann, 'c5', 'w')()
  // Of callers without a credential the address counts.
  for (const key of ['x', 'y', 'z']) quota.take(caller(null, 'there'), null, key)
  t.equal(await refusal(caller(null, 'there'), null, 'w'), ofCaller)
  quota.take(caller(null, 'elsewhere'), null, 'w')
  quota.take(caller('there'), null, 'w')
})

const model = compileFixture(
  tableSchema(
    {
      name: 'Order',
      sql_source: 'v_order',
      list: 'orders',
      fields: { id: 'ID!', the_status: 'String', total: 'Int', customer: 'JSON' },
    },
    {
      subscriptions: [
        {
          name: 'moved',
          type: 'Order!',
          arguments: [
            { name: 'the_status', type: 'String' },
            { name: 'totals', type: '[Int]' },
            { name: 'town', type: 'String' },
            { name: 'missing', type: 'String' },
          ],
        },
      ],
    },
  ),
  null,
)
const shape = shapeOfModel(model.types.get('Order') as ObjectType)
const PATHS = new Map([
  ['totals', ['total']],
  ['town', ['customer', 'town']],
])

function filterOf(args: Readonly<Record<string, unknown>>) {
  const root = {
    kind: 'operation',
    responseKey: 'mine',
    operation: model.subscriptions.get('moved')!,
    arguments: Object.entries(args).map(([name, value]) => ({ name, value: { kind: 'constant', value } as const })),
    selection: null,
    location: null,
  } as const
  return argumentFilter(root, {})
}
const changeTo = (row: object) =>
  observe({ kind: 'UPDATE', entityType: 'Order', entity: JSON.stringify(row), before: null } as ChangeEvent, shape)

t.test('arguments are conditions on the row', async (t) => {
  t.equal(filterOf({}), null)
  t.equal(filterOf({ theStatus: null }), null, 'null asks for nothing')
  const row = { id: '1', the_status: 'paid', total: 7, customer: { town: 'Ulm' } }
  for (const [args, accepts, fields] of [
    [{ theStatus: 'paid' }, true, ['the_status']],
    [{ theStatus: 'open' }, false, ['the_status']],
    [{ totals: [5, 7] }, true, ['total']],
    [{ totals: [5, 8] }, false, ['total']],
    [{ totals: [] }, false, ['total']],
    [{ town: 'Ulm' }, true, ['customer']],
    [{ town: 'Bonn' }, false, ['customer']],
    [{ theStatus: 'paid', town: 'Bonn' }, false, ['the_status', 'customer']],
    [{ missing: 'x' }, false, []],
  ] as const) {
    const filter = filterOf(args)!
    t.equal(filter.accepts(changeTo(row), PATHS), accepts, JSON.stringify(args))
    t.strictSame(filter.fields(shape, PATHS), fields)
  }
  const bare = filterOf({ town: 'Ulm' })!
  for (const customer of [undefined, null, 'Ulm', ['Ulm'], {}, { town: null }]) {
    t.equal(bare.accepts(changeTo({ ...row, customer }), PATHS), false, JSON.stringify(customer))
  }
  const error = await failure(async () => filterOf({ totals: [5, null] }))
  t.match(error, { code: 'BAD_USER_INPUT', message: /^Argument "totals" of "mine": null is no value/ })
  t.strictSame([(error as SvcError).path, (error as SvcError).details], [['mine'], { argument: 'totals' }])
})
