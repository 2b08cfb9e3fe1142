import t from 'tap'
import { needsOf } from '../../../plugins/scopes/need.ts'
import { createRightsOf } from '../../../plugins/scopes/rights.ts'
import { authOf } from '../../helpers/test-credential.ts'

const meets = (guarded: Parameters<typeof needsOf>[0], auth: Parameters<typeof authOf>[0] | null) => {
  const rights = createRightsOf()(auth === null ? null : authOf(auth))
  return needsOf(guarded).every((need) => rights.meets(need))
}

t.test('scopes: all that are required; roles: any of them; a key: of the plugin that verifies keys', async (t) => {
  t.ok(meets({ requiresScope: 'a b' }, { scopes: ['b', 'a'] }))
  t.notOk(meets({ requiresScope: 'a b' }, { scopes: ['a'] }))
  t.notOk(meets({ requiresScope: 'a b' }, { scopes: ['a b'] }), 'one that looks like both is neither')
  t.ok(meets({ requiresRole: ['x', 'y'] }, { roles: ['y'] }))
  t.notOk(meets({ requiresRole: ['x'] }, { roles: ['X'] }))
  t.notOk(meets({ requiresRole: ['x'] }, { scopes: ['x'] }), 'a scope is no role')
  t.notOk(meets({ requiresScope: 'x' }, { roles: ['x'] }), 'a role is no scope')
  t.ok(meets({ apiKeyRequired: true }, { method: 'api-keys' }))
  t.notOk(meets({ apiKeyRequired: true }, { method: 'jwt', claims: { method: 'api-keys' } }))
  t.ok(meets({}, null), 'what asks for nothing')
})

t.test('absence denies', async (t) => {
  for (const guarded of [{ requiresScope: 'x' }, { requiresRole: ['x'] }, { apiKeyRequired: true }]) {
    t.notOk(meets(guarded, null), `${JSON.stringify(guarded)} of nobody`)
    const bare = { subject: 'x', claims: {}, method: 'jwt' } as never
    t.notOk(
      needsOf(guarded).every((need) => createRightsOf()(bare).meets(need)),
      'of who has no lists at all',
    )
  }
  t.notOk(meets({ requiresScope: ' ' }, { scopes: ['', ' '] }), 'a requirement of nothing is met by nobody')
  for (const name of ['constructor', '__proto__', 'toString', 'length']) {
    t.notOk(meets({ requiresRole: [name] }, { roles: ['admin'] }), `a role ${name}`)
    t.notOk(meets({ requiresScope: name }, { scopes: [] }), `a scope ${name}`)
    t.ok(meets({ requiresRole: [name] }, { roles: [name] }), `${name}, where it is granted`)
  }
})

t.test('those who have the same are one; what can still change is looked at each time', async (t) => {
  const rightsOf = createRightsOf()
  t.equal(rightsOf(authOf({ scopes: ['a'] })), rightsOf(authOf({ subject: 'bob', scopes: ['a'] })))
  t.not(rightsOf(authOf({ scopes: ['a', 'b'] })), rightsOf(authOf({ scopes: ['a b'] })))
  t.not(rightsOf(authOf({ scopes: ['a'] })), rightsOf(authOf({ roles: ['a'] })))
  t.not(rightsOf(authOf({ scopes: ['a'] })), rightsOf(authOf({ scopes: ['a'], method: 'api-keys' })))

  const [need] = needsOf({ requiresRole: ['admin'] })
  const roles = ['admin']
  const auth = { ...authOf({}), roles }
  t.ok(rightsOf(auth).meets(need!))
  roles.pop()
  t.notOk(rightsOf(auth).meets(need!), 'a role that was taken away')

  const frozen = Object.freeze({ ...authOf({}), roles: Object.freeze(['admin']), scopes: Object.freeze([]) })
  t.equal(rightsOf(frozen), rightsOf(frozen))
  t.ok(
    rightsOf(authOf({ scopes: [...Array(3000)].map((_, index) => `scope-${index}`), roles: ['admin'] })).meets(need!),
  )
})
