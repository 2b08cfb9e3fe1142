import t from 'tap'
import { cursorEnvelope } from '../../../plugins/rest/reply/links.ts'
import { isEffective } from '../../../plugins/rest/write/serve-matching.ts'

/** A write by a filter is refused where the filter leaves no row out. */
const NARROWS = { a: { _eq: 1 } }
const FITS_ALL = { a: { _like: '%' } }
const EMPTY = {}

t.test('filters that exclude rows, and filters that are true for every row', async (t) => {
  const cases: readonly (readonly [filter: unknown, is: boolean, negatedIs: boolean])[] = [
    [null, false, false],
    ['a', false, false],
    [EMPTY, false, false],
    [NARROWS, true, true],
    [{ a: { _isnull: true } }, true, true],
    [{ a: { _in: [1] } }, true, true],
    [{ a: { _in: [] } }, true, false],
    [{ a: { _nin: [1] } }, true, true],
    [{ a: { _nin: [] } }, false, true],
    [{ a: {} }, false, false],
    [{ list: { some: {} } }, true, true],
    [{ list: { none: {} } }, true, true],
    [{ list: { every: {} } }, false, false],
    [{ list: { every: NARROWS } }, true, true],
    // Every text fits; the opposite is true of no text.
    ...['_contains', '_icontains', '_startswith', '_istartswith', '_endswith', '_iendswith'].flatMap(
      (operator) =>
        [
          [{ a: { [operator]: '' } }, false, true],
          [{ a: { [operator]: 'x' } }, true, true],
          [{ a: { [operator]: '%' } }, true, true],
        ] as const,
    ),
    ...['_like', '_ilike'].flatMap(
      (operator) =>
        [
          [{ a: { [operator]: '%' } }, false, true],
          [{ a: { [operator]: '%%' } }, false, true],
          [{ a: { [operator]: '' } }, true, true],
          [{ a: { [operator]: 'x%' } }, true, true],
          [{ a: { [operator]: '%x' } }, true, true],
          [{ a: { [operator]: '_%' } }, true, true],
        ] as const,
    ),
    ...['_regex', '_iregex'].flatMap(
      (operator) =>
        [
          ...['', '^', '$', '.*', '^.*$', '^.*', '.*.*'].map(
            (all) => [{ a: { [operator]: all } }, false, true] as const,
          ),
          ...['x', '.', '^x', '.+', 'x.*', '.*x'].map((some) => [{ a: { [operator]: some } }, true, true] as const),
        ] as const,
    ),
    [{ a: { _eq: '' } }, true, true],
    [{ a: { _neq: '%' } }, true, true],
    // Of several members one is enough, and in the opposite each has to do it.
    [{ a: { _like: '%' }, b: { _eq: 1 } }, true, true],
    [{ a: { _nin: [] }, b: { _nin: [] } }, false, true],
    [{ a: { _in: [] }, b: { _eq: 1 } }, true, false],
    [{ _and: [] }, false, false],
    [{ _or: [] }, false, false],
    [{ _and: [NARROWS, EMPTY] }, true, false],
    [{ _and: [FITS_ALL, EMPTY] }, false, false],
    [{ _and: [NARROWS, NARROWS] }, true, true],
    [{ _or: [NARROWS, EMPTY] }, false, true],
    [{ _or: [NARROWS, NARROWS] }, true, true],
    [{ _or: [FITS_ALL, EMPTY] }, false, true],
    [{ _or: [EMPTY, EMPTY] }, false, false],
    [{ _not: EMPTY }, false, false],
    [{ _not: NARROWS }, true, true],
    [{ _not: FITS_ALL }, true, false],
    [{ _not: { _not: FITS_ALL } }, false, true],
    [{ _and: [{ _or: [EMPTY, NARROWS] }, { _not: { _nin: [] } }] }, true, false],
  ]
  for (const [filter, is, negatedIs] of cases) {
    t.equal(isEffective(filter), is, JSON.stringify(filter))
    t.equal(isEffective({ _not: filter }), negatedIs, `not ${JSON.stringify(filter)}`)
  }
})

t.test('the envelope of a page by cursors', async (t) => {
  const page = { kind: 'cursor', direction: 'first', size: 2, after: null, before: null } as const
  const info = { hasNextPage: true, hasPreviousPage: false, startCursor: 'a', endCursor: 'b&c' }
  const of = (...args: Parameters<typeof cursorEnvelope>) => JSON.parse(`{${cursorEnvelope(...args)}}`)
  t.strictSame(of('/posts', '', page, info, null), {
    meta: { hasNextPage: true, hasPreviousPage: false },
    links: { self: '/posts?first=2', next: '/posts?first=2&after=b%26c' },
  })
  t.strictSame(of('/posts', 'sort=id', { ...page, after: 'x=y' }, info, 7), {
    meta: { hasNextPage: true, hasPreviousPage: false, total: 7 },
    links: { self: '/posts?sort=id&first=2&after=x%3Dy', next: '/posts?sort=id&first=2&after=b%26c' },
  })
  const back = { ...page, direction: 'last', before: 'z' } as const
  t.strictSame(of('/posts', '', back, { ...info, hasNextPage: false, hasPreviousPage: true }, 0), {
    meta: { hasNextPage: false, hasPreviousPage: true, total: 0 },
    links: { self: '/posts?last=2&before=z', next: null },
  })
  t.equal(of('/posts', '', page, { ...info, endCursor: null }, null).links.next, null)
})
