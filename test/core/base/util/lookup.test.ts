import t from 'tap'
import { claimPathFault, lookup, splitPath } from '../../../../core/base/util/lookup.ts'

t.test('a path of a claim', async (t) => {
  const claims = {
    resource_access: { 'shop.example.com': { roles: ['staff'] } },
    'https://example.com/claims': { 'x-roles': ['admin'], 'a"b': 1 },
    'https://example.com/tenant': 't1',
    'realm.roles': ['literal'],
    realm: { roles: ['nested'] },
  }
  for (const [path, value] of [
    ['resource_access."shop.example.com".roles', ['staff']],
    ['"resource_access"."shop.example.com"."roles"', ['staff']],
    ['"https://example.com/claims".x-roles', ['admin']],
    ['"https://example.com/claims"."a\\"b"', 1],
    ['"https://example.com/tenant"', 't1'],
    ['https://example.com/tenant', 't1'],
    ['realm.roles', ['literal']],
    ['"realm".roles', ['nested']],
    ['resource_access.shop.example.com.roles', undefined],
    ['"__proto__".x', undefined],
  ] as const) {
    t.strictSame(lookup(claims, path), value, path)
  }
})

t.test('a quote encloses a whole key', async (t) => {
  for (const path of ['"a', 'a"', 'a."b"c', '"a""b"', 'a..b"c"', '""', 'a."".b', '"a".']) {
    t.equal(splitPath(path), null, path)
    t.match(claimPathFault(path), /is no path of a claim: a key that holds dots stands in double quotes/)
  }
  for (const path of ['a', 'a.b', '"a.b".c', 'https://x.y/z']) t.equal(claimPathFault(path), null, path)
})
