import t from 'tap'
import { splitList } from '../../../core/base/util/split-list.ts'
import { acceptable } from '../../../core/service/http/acceptable.ts'
import { matchesTag } from '../../../core/service/http/entity-tag.ts'
import { readPairs } from '../../../core/service/http/query-pairs.ts'
import { offsetEnvelope } from '../../../plugins/rest/reply/links.ts'
import { parseGroup } from '../../../plugins/rest/request/parse-group.ts'
import { parseSelect } from '../../../plugins/rest/request/parse-select.ts'
import { readPreferences } from '../../../plugins/rest/request/preferences.ts'
import { kebab, pluralise, sourceName, withoutType } from '../../../plugins/rest/routes/names.ts'
import { MARK, nodesOfEdges, withoutCountMarks } from '../../../plugins/rest/template/mark.ts'

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    return `${(error as { code?: string }).code ?? 'Error'}: ${(error as Error).message}`
  }
  return 'none'
}

t.test('query strings', async (t) => {
  t.same(
    readPairs('a=1&b%5Bc%5D=x+y%2Bz&&d&e=f=g').map(({ name, value }) => [name, value]),
    [
      ['a', '1'],
      ['b[c]', 'x y+z'],
      ['d', ''],
      ['e', 'f=g'],
    ],
  )
  t.match(
    codeOf(() => readPairs('a=%E0%A4%A')),
    /^BAD_REQUEST: "%E0%A4%A" in the query string is no percent-encoded UTF-8/,
  )
  t.match(
    codeOf(() => readPairs('%ff=1')),
    /^BAD_REQUEST/,
  )
  t.match(
    codeOf(() => readPairs(`a=${'x'.repeat(1_048_576)}`)),
    /^VALIDATION_ERROR: A query string may have 1048576 bytes/,
  )
  t.match(
    codeOf(() => readPairs('a=1&'.repeat(1001))),
    /^VALIDATION_ERROR: A request may have 1000 parameters/,
  )
})

t.test('lists', async (t) => {
  for (const [text, items] of [
    ['', []],
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say \\"hi\\" \\\\ ",x', ['say "hi" \\ ', 'x']],
    ['a,', ['a', '']],
    ['it"s,b', ['it"s', 'b']],
  ] as const) {
    t.strictSame(splitList(text), items, text)
  }
  t.match(
    codeOf(() => splitList('"a')),
    /a quote is not closed/,
  )
  t.match(
    codeOf(() => splitList('"a"b')),
    /a comma follows/,
  )
})

t.test('groups', async (t) => {
  const condition = (name: string, value: string, isList = false) => ({ kind: 'condition', name, value, isList })
  t.strictSame(parseGroup('or', '(a[eq]=1,not=(b=x=y,c[in]=(1,"2,3")),d="e,)f")'), {
    kind: 'group',
    joint: 'or',
    items: [
      condition('a[eq]', '1'),
      { kind: 'group', joint: 'not', items: [condition('b', 'x=y'), condition('c[in]', '1,"2,3"', true)] },
      condition('d', 'e,)f'),
    ],
  })
  t.strictSame(parseGroup('and', '(a=f(x,y),b=)'), {
    kind: 'group',
    joint: 'and',
    items: [condition('a', 'f(x,y)'), condition('b', '')],
  })
  for (const text of [
    '',
    'a=1',
    '(a=1',
    '(a=1))',
    '()',
    '(a)',
    '(=1)',
    '(a=1,)',
    '(a="x)',
    '(a=(1)',
    '(or=(a=1)',
    '(a=1)x',
  ]) {
    t.match(
      codeOf(() => parseGroup('or', text)),
      /^BAD_REQUEST: or: /,
      text,
    )
  }
  const nested = (levels: number): string => `${'('.padEnd(1)}${'or=('.repeat(levels - 1)}a=1${')'.repeat(levels)}`
  t.equal(
    codeOf(() => parseGroup('or', nested(64))),
    'none',
  )
  for (const levels of [65, 128, 10_000]) {
    t.match(
      codeOf(() => parseGroup('or', nested(levels))),
      /^VALIDATION_ERROR: or: a filter may be nested 64 levels deep/,
    )
  }
})

t.test('select', async (t) => {
  const field = (name: string, more: object = {}) => ({ name, alias: null, nested: null, count: false, ...more })
  t.strictSame(parseSelect('id, n:name,posts.count,c:posts.count,w:author(id,x(y))', 3), [
    field('id'),
    field('name', { alias: 'n' }),
    field('posts', { count: true }),
    field('posts', { alias: 'c', count: true }),
    field('author', { alias: 'w', nested: [field('id'), field('x', { nested: [field('y')] })] }),
  ])
  for (const text of ['', ',', 'a,', 'a(', 'a()', 'a)', 'a b', 'a:', 'a.x', '1', 'a(b', 'a(b))', 'é']) {
    t.match(
      codeOf(() => parseSelect(text, 3)),
      /^BAD_REQUEST: select: /,
      text,
    )
  }
  t.match(
    codeOf(() => parseSelect('a(b(c(d(e))))', 3)),
    /^VALIDATION_ERROR: select: 4 levels of parentheses; at most 3/,
  )
  t.equal(
    codeOf(() => parseSelect('a(b(c(d)))', 3)),
    'none',
  )
  t.match(
    codeOf(() => parseSelect('a(b)', 0)),
    /^VALIDATION_ERROR/,
  )
  t.match(
    codeOf(() => parseSelect(`a${',a'.repeat(1000)}`, 3)),
    /^VALIDATION_ERROR: select: at most 1000/,
  )
  t.match(
    codeOf(() => parseSelect('a('.repeat(100_000), 3)),
    /^VALIDATION_ERROR/,
    'it does not go deeper than it may',
  )
})

t.test('headers', async (t) => {
  t.same(
    [...readPreferences('Return=Minimal, count="exact"; count=planned,odd,max-affected=5')],
    [
      ['return', 'minimal'],
      ['count', 'exact'],
      ['odd', ''],
      ['max-affected', '5'],
    ],
  )
  const both = ['application/json', 'application/x-ndjson'] as const
  for (const [accept, wanted] of [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['text/html, application/*;q=0.5', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/json;q=0.5, application/x-ndjson', 'application/x-ndjson'],
    ['application/json;q=0, */*', 'application/x-ndjson'],
  ] as const) {
    t.equal(acceptable(accept, both), wanted, String(accept))
  }
  for (const accept of ['text/html', 'application/json;q=0', 'text/event-stream', '']) {
    t.match(
      codeOf(() => acceptable(accept, ['application/json'])),
      /^NOT_ACCEPTABLE/,
      accept,
    )
  }
  t.ok(matchesTag('W/"a", "b"', 'W/"b"'))
  t.ok(matchesTag('*', 'W/"b"'))
  t.notOk(matchesTag('"c"', 'W/"b"'))
})

t.test('names', async (t) => {
  t.same(['user', 'box', 'church', 'category', 'day', 'news', 'series', 'analytics'].map(pluralise), [
    'users',
    'boxes',
    'churches',
    'categories',
    'days',
    'newses',
    'series',
    'analytics',
  ])
  t.same(['v_user', 'app.tb_order', 'tv_x', 'plain'].map(sourceName), ['user', 'order', 'x', 'plain'])
  t.equal(kebab('createHTTPKey_two'), 'create-http-key-two')
  t.same(withoutType('update_user_email', 'User'), ['update', 'email'])
  t.same(withoutType('archiveUsers', 'User'), ['archive'])
  t.same(withoutType('close_blog_post', 'BlogPost'), ['close'])
  t.equal(withoutType('reuse', 'User'), null)
})

t.test('links of the first, a middle, the last and an empty page', async (t) => {
  const links = (limit: number, offset: number, hasNext: boolean, total: number | null) =>
    JSON.parse(`{${offsetEnvelope('/r', 'a="x"', { kind: 'offset', limit, offset }, { hasNext, total })}}`)
  const at = (limit: number, offset: number) => `/r?a="x"&limit=${limit}&offset=${offset}`
  t.same(links(10, 0, true, null), {
    meta: { limit: 10, offset: 0 },
    links: { self: at(10, 0), next: at(10, 10), prev: null, first: at(10, 0) },
  })
  t.same(links(10, 5, false, 15).links, {
    self: at(10, 5),
    next: null,
    prev: at(10, 0),
    first: at(10, 0),
    last: at(10, 10),
  })
  t.equal(links(10, 20, false, 20).links.last, at(10, 10), 'a page that is exactly full is the last one')
  t.equal(links(10, 0, false, 0).links.last, at(10, 0))
  t.equal(links(0, 0, true, null).links.next, null, 'a page of no rows leads nowhere')
})

t.test('marks are taken out where they stand, and nowhere else', async (t) => {
  const stored = JSON.stringify({ text: `{"${MARK}":5}`, other: '},{' })
  t.equal(
    withoutCountMarks(`[{"n":{"${MARK}":5},"m":{"${MARK}": null},"s":${stored}}]`),
    `[{"n":5,"m": null,"s":${stored}}]`,
  )
  t.equal(
    nodesOfEdges(`[{"${MARK}":${stored}},{"${MARK}":{"a":[{"b":1},{"c":2}]}}]}`),
    `${stored},{"a":[{"b":1},{"c":2}]}`,
  )
  t.equal(nodesOfEdges(`[{"${MARK}":{"a":1}}, {"${MARK}":{"a":2}},{"${MARK}":{"a":3}}]}`), '{"a":1},{"a":2},{"a":3}')
  const counted = `{"n":{"${MARK}":5}}`
  t.equal(nodesOfEdges(`[{"${MARK}":${counted}},{"${MARK}":${counted}}]}`), `${counted},${counted}`)
  t.equal(nodesOfEdges('[]}'), '')
})
