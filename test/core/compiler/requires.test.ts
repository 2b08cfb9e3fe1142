import t from 'tap'
import { requiredPlugins } from '../../../core/compiler/passes/requires.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const type = (more: object) => tableSchema({ name: 'T', fields: [], ...more })
const field = (more: object) => type({ fields: [{ name: 'f', type: 'Int', ...more }] })
const operation = (more: object) => [{ name: 'o', type: 'Int', ...more }]

/** Each option that asks for a plugin, by itself: dropping any of them must not go unnoticed. */
const SOURCES: readonly (readonly [plugin: string, what: string, schema: object])[] = [
  ['scopes', 'a field with a scope', field({ requires_scope: 'x' })],
  ['policies', 'a field with a policy', field({ authorize: 'x' })],
  ['scopes', 'a field of an interface', { interfaces: [{ name: 'I', fields: [{ name: 'f', requires_scope: 'x' }] }] }],
  ['scopes', 'a type with a role', type({ requires_role: 'admin' })],
  ['arrow', 'a type on the arrow plane', type({ dataplane: 'arrow' })],
  ['arrow', 'a query on the arrow plane', { queries: operation({ dataplane: 'arrow' }) }],
  ['federation', 'a type with a key', type({ key_fields: ['id'] })],
  ['federation', 'a type that extends', type({ extends: true })],
  ...Object.entries({ keys: ['id'], resolvable: false, shareable: true, inaccessible: true, tags: ['x'] }).map(
    ([key, value]) => ['federation', `a type with ${key}`, type({ [key]: value })] as const,
  ),
  ['federation', 'a type for an interface elsewhere', type({ interface_object: true })],
  ['federation', 'a type with directives', type({ directives: ['@x'] })],
  ['federation', 'an interface with a key', { interfaces: [{ name: 'I', fields: [], key_fields: ['id'] }] }],
  ['federation', 'an interface that is not shown', { interfaces: [{ name: 'I', fields: [], inaccessible: true }] }],
  ...['external', 'shareable', 'inaccessible', 'tags', 'override', 'override_label', 'provides', 'requires', 'sql'].map(
    (key) => ['federation', `a field with ${key}`, field({ [key]: 'x' })] as const,
  ),
  ...(['queries', 'mutations', 'subscriptions'] as const).flatMap((kind) => [
    ['scopes', `${kind} with a scope`, { [kind]: operation({ requires_scope: 'x' }) }] as const,
    ['scopes', `${kind} with a role`, { [kind]: operation({ requires_role: 'x' }) }] as const,
    ['api-keys', `${kind} with a key`, { [kind]: operation({ api_key_required: true }) }] as const,
    ['jwt', `${kind} with a claim`, { [kind]: operation({ inject: { a: 'jwt:sub' } }) }] as const,
  ]),
  ['subscriptions', 'a subscription', { subscriptions: operation({}) }],
  ['observers', 'an observer', { observers: [{ name: 'o' }] }],
]

for (const [plugin, what, schema] of SOURCES) {
  t.test(`${what} needs ${plugin}`, async (t) => {
    t.ok(requiredPlugins({ version: '1', ...schema } as unknown as AuthoredSchema, OWNED_KEYS).includes(plugin))
  })
}

t.test('nothing asks for nothing', async (t) => {
  const plain = {
    ...field({}),
    queries: [...operation({ cache: false, cache_ttl: 5, inject: {} }), ...operation({ cache: true, cache_ttl: 5 })],
    mutations: operation({}),
  }
  t.strictSame(requiredPlugins(plain as unknown as AuthoredSchema, OWNED_KEYS), [])
})
