import t from 'tap'
import { toVerifiedToken } from '../../../plugins/jwt/to-verified-token.ts'
import { TokenCache } from '../../../plugins/jwt/token-cache.ts'
import { claims, nowSecs } from './who.ts'

const tokenOf = (more: object = {}) =>
  toVerifiedToken(claims(more), { jwt_roles_claim: 'roles', jwt_clock_skew_secs: 60 }, false)

t.test('when the keys change, what was verified counts for nothing, and what is being verified neither', async (t) => {
  const cache = new TokenCache(100_000, 0)
  const token = tokenOf()
  cache.put('a', token, cache.generation)
  t.equal(cache.get('a'), token)
  const began = cache.generation
  cache.clear()
  t.equal(cache.get('a'), undefined)
  cache.put('b', token, began)
  t.equal(cache.get('b'), undefined, 'it began with the old keys')
  cache.put('b', token, cache.generation)
  t.equal(cache.get('b'), token)
})

t.test('the whole text is compared, not the end that it is found by', async (t) => {
  const cache = new TokenCache(100_000, 0)
  const token = tokenOf()
  const end = 's'.repeat(100)
  cache.put(`a.${end}`, token, cache.generation)
  t.equal(cache.get(`b.${end}`), undefined)
  t.equal(cache.get(end), undefined)
  t.equal(cache.get(`a.${end}`), token)
})

t.test('an entry ends with its token, skew included', async (t) => {
  const strict = new TokenCache(100_000, 0)
  const lenient = new TokenCache(100_000, 60)
  const ended = tokenOf({ exp: nowSecs() - 5 })
  for (const cache of [strict, lenient]) cache.put('a', ended, cache.generation)
  t.equal(strict.get('a'), undefined)
  t.equal(strict.size, 0, 'and its memory is free')
  t.equal(lenient.get('a'), ended)
})
