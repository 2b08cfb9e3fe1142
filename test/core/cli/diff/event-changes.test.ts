import t from 'tap'
import { compareAccess } from '../../../../core/cli/diff/access-changes.ts'
import { collectChanges } from '../../../../core/cli/diff/change.ts'
import { compareEvents } from '../../../../core/cli/diff/event-changes.ts'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { compileArtifact } from '../../../helpers/compile-fixture.ts'
import { ordersSchema } from '../../../schemas/orders.ts'

const field = (name: string, type: string, more: object = {}) => ({ name, type, ...more })
const watched = (more: object = {}, fields?: ReturnType<typeof field>[]) =>
  ordersSchema({ subscriptions: [{ name: 'order_shipped', type: 'Order!', ...more }] }, fields)
const HOOK = { type: 'webhook', url: 'https://a.example/' }
const observed = (more: object = {}) =>
  ordersSchema({ observers: [{ name: 'big', entity: 'Order', event: 'UPDATE', actions: [HOOK], ...more }] })
const writes = (operation: 'CREATE' | 'UPDATE', more: readonly object[] = []) =>
  ordersSchema({
    mutations: [
      { name: 'write', type: 'Order!', sql_source: 'fn_write', operation },
      ...(more as NonNullable<AuthoredSchema['mutations']>),
    ],
  })
const DELETES = { name: 'drop', type: 'Order!', sql_source: 'fn_drop', operation: 'DELETE' }
const OF = 'subscription orderShipped'

type Case = readonly [rule: string, level: string, place: string, before: AuthoredSchema, after: AuthoredSchema]

/** A subscription that comes and goes also makes an entity that comes and goes. */
const CASES: readonly Case[] = [
  ['SUBSCRIPTION_REMOVED', 'breaking', OF, watched(), ordersSchema({})],
  ['SUBSCRIPTION_ADDED', 'safe', OF, ordersSchema({}), watched()],
  ['ENTITY_REMOVED', 'breaking', 'entity Order', watched(), ordersSchema({})],
  ['ENTITY_ADDED', 'safe', 'entity Order', ordersSchema({}), watched()],
  ['SUBSCRIPTION_TYPE_CHANGED', 'breaking', OF, watched(), watched({ type: 'Item!' })],
  ['SUBSCRIPTION_ENTITY_CHANGED', 'breaking', OF, watched(), watched({ entity_type: 'Order' })],
  ['TOPIC_CHANGED', 'breaking', OF, watched({ topic: 'order_paid' }), watched({ topic: 'order_done' })],
  ['SUBSCRIPTION_FILTER_CHANGED', 'dangerous', OF, watched(), watched({ filter: "status == 'a'" })],
  ['OPERATION_REMOVED', 'breaking', OF, watched(), watched({ operation: ['INSERT', 'UPDATE'] })],
  ['OPERATION_ADDED', 'dangerous', OF, watched({ operation: ['INSERT', 'UPDATE'] }), watched()],
  ['GUARANTEE_REMOVED', 'breaking', OF, watched({ durable: true }), watched()],
  ['GUARANTEE_ADDED', 'safe', OF, watched(), watched({ durable: true })],
  ['OBSERVER_REMOVED', 'breaking', 'observer big', observed(), ordersSchema({})],
  ['OBSERVER_ADDED', 'safe', 'observer big', ordersSchema({}), observed()],
  ['OBSERVER_EVENT_CHANGED', 'breaking', 'observer big', observed(), observed({ event: 'INSERT' })],
  ['OBSERVER_CONDITION_CHANGED', 'dangerous', 'observer big', observed(), observed({ condition: "status == 'a'" })],
  ['OBSERVER_RETRY_CHANGED', 'safe', 'observer big', observed(), observed({ retry: { max_attempts: 9 } })],
  ['OBSERVER_SYNC_CHANGED', 'dangerous', 'observer big', observed(), observed({ sync: true })],
  ['ACTION_REMOVED', 'breaking', 'observer big', observed({ actions: [HOOK, { ...HOOK, type: 'chat' }] }), observed()],
  ['ACTION_ADDED', 'safe', 'observer big', observed(), observed({ actions: [HOOK, { ...HOOK, type: 'chat' }] })],
  [
    'ACTION_TARGET_CHANGED',
    'breaking',
    'observer big',
    observed(),
    observed({ actions: [{ ...HOOK, url: 'https://b.example/' }] }),
  ],
  [
    'ACTION_CONTENT_CHANGED',
    'dangerous',
    'observer big',
    observed(),
    observed({ actions: [{ ...HOOK, body_template: '{}' }] }),
  ],
  ['ENTITY_OPERATION_REMOVED', 'breaking', 'entity Order', writes('UPDATE', [DELETES]), writes('UPDATE')],
  ['ENTITY_OPERATION_ADDED', 'dangerous', 'entity Order', writes('UPDATE'), writes('UPDATE', [DELETES])],
  ['EVENT_FIELD_REMOVED', 'breaking', 'entity Order: status', watched(), watched({}, [field('id', 'ID!')])],
  ['EVENT_FIELD_ADDED', 'safe', 'entity Order: status', watched({}, [field('id', 'ID!')]), watched()],
  [
    'EVENT_FIELD_TYPE_CHANGED',
    'breaking',
    'entity Order: status',
    watched(),
    watched({}, [field('id', 'ID!'), field('status', 'Int')]),
  ],
  [
    'EVENT_FIELD_NARROWED',
    'safe',
    'entity Order: status',
    watched(),
    watched({}, [field('id', 'ID!'), field('status', 'String!')]),
  ],
]

for (const [rule, level, place, before, after] of CASES) {
  t.test(`${rule} is ${level}`, async (t) => {
    const [old, now] = [before, after].map((one) => compileArtifact(one, null))
    const changes = compareEvents(old!, now!)
    t.match(
      changes.filter((one) => one.rule === rule),
      [{ consumers: 'events', level, place }],
      JSON.stringify(changes),
    )
    t.strictSame(compareEvents(now!, now!), [])
  })
}

const guarded = (more: object, ofField: object = {}): AuthoredSchema =>
  ordersSchema({ queries: [{ name: 'orders', type: '[Order!]!', sql_source: 'v_order', ...more }] }, [
    field('id', 'ID!'),
    field('total', 'Int', ofField),
  ])

const ACCESS: readonly Case[] = [
  ['CLAIM_REQUIRED', 'breaking', 'Query.orders', guarded({}), guarded({ inject: { total: 'jwt:sub' } })],
  ['ACCESS_NARROWED', 'breaking', 'Query.orders', guarded({}), guarded({ requires_role: 'admin' })],
  [
    'ACCESS_WIDENED',
    'safe',
    'Query.orders',
    guarded({ requires_role: 'admin' }),
    guarded({ requires_role: ['admin', 'clerk'] }),
  ],
  [
    'ACCESS_NARROWED',
    'breaking',
    'Query.orders',
    guarded({ requires_role: ['admin', 'clerk'] }),
    guarded({ requires_role: ['admin'] }),
  ],
  ['ACCESS_WIDENED', 'safe', 'Query.orders', guarded({ authenticated: true }), guarded({})],
  ['ACCESS_NARROWED', 'breaking', 'Query.orders', guarded({ public: true }), guarded({})],
  ['ACCESS_WIDENED', 'safe', 'Query.orders', guarded({}), guarded({ public: true })],
  ['ACCESS_NARROWED', 'breaking', 'Order.total', guarded({}), guarded({}, { requires_scope: 'read:total' })],
]

for (const [rule, level, place, before, after] of ACCESS) {
  t.test(`${rule} at ${place} is ${level}`, async (t) => {
    const [old, now] = [before, after].map((one) => compileArtifact(one, null))
    t.match(
      collectChanges('graphql', (report) => compareAccess(old!, now!, report)),
      [{ rule, level, place }],
    )
  })
}
