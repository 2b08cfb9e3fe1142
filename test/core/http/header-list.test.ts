import t from 'tap'
import { headerList } from '../../../core/http/header-list.ts'
import type { HttpContext } from '../../../core/http/http-context.ts'

const list = (own: Record<string, string>, more: Record<string, string> | null): (string | number)[] =>
  headerList({ status: 200, headers: own, body: null }, { replyHeaders: more, hasId: false } as HttpContext)

t.test('Vary is one list, each name once, whoever adds it', async (t) => {
  const vary = (own: string, more: string) => list({ vary: own }, { vary: more })
  t.same(vary('Accept', 'Origin'), ['vary', 'Accept, Origin'])
  t.same(vary('Authorization, Cookie', 'origin, cookie'), ['vary', 'Authorization, Cookie, origin'])
  t.same(vary('Accept', 'Accept'), ['vary', 'Accept'])
  t.same(vary('*', 'Origin'), ['vary', '*'])
  t.same(vary('Accept', 'Origin'), ['vary', 'Accept, Origin'], 'the second time, too')
  t.same(list({ vary: 'Accept' }, null), ['vary', 'Accept'])
  t.same(list({}, { vary: 'Origin' }), ['vary', 'Origin'])
})

t.test('of any other header the word of the hook counts', async (t) => {
  t.same(list({ 'x-a': '1', 'x-b': '2' }, { 'x-a': '3' }), ['x-b', '2', 'x-a', '3'])
})
