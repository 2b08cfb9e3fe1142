import t from 'tap'
import { coversScope } from '../../../core/base/util/covers-scope.ts'
import { splitScopes } from '../../../plugins/scopes/need.ts'

t.test('a granted scope covers itself, and what its wildcards stand for', async (t) => {
  for (const [granted, wanted, expected] of [
    ['read:user', 'read:user', true],
    ['read:*', 'read:User', true],
    ['read:*', 'read:User.email', true],
    ['*', 'admin', true],
    ['*:email', 'read:email', true],
    ['*:*', 'read:email', true],
    ['read:*', 'read:user:email', false],
    ['read:*', 'read', false],
    ['read:*', 'reads:user', false],
    ['read*', 'read:user', false],
    ['re*:user', 'read:user', false],
    ['*', 'read:user', false],
    ['read:user', 'read:users', false],
    ['read:user', 'READ:user', false],
    ['read', 'read:user', false],
    ['', 'read', false],
    ['read:user write:user', 'read:user', false],
    ['constructor', '__proto__', false],
  ] as const) {
    t.equal(coversScope(granted, wanted), expected, `${granted} ${expected ? 'covers' : 'does not cover'} ${wanted}`)
  }
})

t.test('a requirement is all of its scopes', async (t) => {
  t.strictSame(splitScopes(' read:user  write:user '), ['read:user', 'write:user'])
  t.strictSame(splitScopes(' '), [])
})
