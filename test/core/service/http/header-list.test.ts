import t from 'tap'
import { UNKNOWN_CALLERS } from '../../../../core/service/http/cacheability.ts'
import { headerList } from '../../../../core/service/http/header-list.ts'
import type { HttpContext } from '../../../../core/service/http/http-context.ts'

const POST = { method: 'POST', headers: {}, auth: null, route: null, isPrivate: false, id: 'r' }
const whole = (own: Record<string, string>, more: Record<string, string> | null): (string | number)[] =>
  headerList(
    { status: 200, headers: own, body: null },
    { ...POST, replyHeaders: more } as never as HttpContext,
    UNKNOWN_CALLERS,
  )
/** Without the id of the request, which stands last. */
const list = (...given: Parameters<typeof whole>): (string | number)[] => whole(...given).slice(0, -2)
const NOBODY = ['cache-control', 'no-store']

t.test('every answer carries the id of its request', async (t) => {
  t.same(whole({ 'x-a': '1' }, null), ['x-a', '1', ...NOBODY, 'x-request-id', 'r'])
})

t.test('Vary is one list with each name once', async (t) => {
  const vary = (own: string, more: string) => list({ vary: own }, { vary: more })
  t.strictSame(vary('Accept', 'Origin'), [...NOBODY, 'vary', 'Accept, Origin'])
  t.strictSame(vary('Authorization, Cookie', 'origin, cookie'), [...NOBODY, 'vary', 'Authorization, Cookie, origin'])
  t.strictSame(vary('Accept', 'Accept'), [...NOBODY, 'vary', 'Accept'])
  t.strictSame(vary('*', 'Origin'), [...NOBODY, 'vary', '*'])
  t.strictSame(vary('Accept', 'Origin'), [...NOBODY, 'vary', 'Accept, Origin'], 'the second time, too')
  t.strictSame(list({ vary: 'Accept' }, null), [...NOBODY, 'vary', 'Accept'])
  t.strictSame(list({}, { vary: 'Origin' }), [...NOBODY, 'vary', 'Origin'])
})

t.test('of any other header the word of the hook counts', async (t) => {
  t.strictSame(list({ 'x-a': '1', 'x-b': '2' }, { 'x-a': '3' }), ['x-b', '2', 'x-a', '3', ...NOBODY])
  t.strictSame(list({ 'cache-control': 'public, max-age=60' }, { 'cache-control': 'no-cache' }), [
    'cache-control',
    'no-cache',
  ])
})

t.test('a response with Set-Cookie is not cacheable, from a front or a hook', async (t) => {
  const shared = { 'cache-control': 'public, max-age=60' }
  t.strictSame(list({ ...shared, 'set-cookie': 'a=b' }, null), ['set-cookie', 'a=b', ...NOBODY])
  t.strictSame(list(shared, { 'set-cookie': 'a=b' }), ['set-cookie', 'a=b', ...NOBODY])
  t.strictSame(
    list(shared, { 'x-a': '1' }),
    ['x-a', '1', 'cache-control', 'public, max-age=60'],
    'the twin that is kept',
  )
})
