import t from 'tap'
import { longestStart, nearest } from '../../../../core/base/util/nearest.ts'
import { shorten } from '../../../../core/base/util/shorten.ts'

t.test('the nearest name, and none that is far off', async (t) => {
  const names = ['books', 'book', 'authors']
  t.equal(nearest('bookz', names), 'books')
  t.equal(nearest('AUTHOR', names), 'authors')
  t.equal(nearest('shelf', names), null)
  t.equal(nearest('x', ['abc', 'ab']), 'ab')
  t.equal(nearest('x', ['abcd']), null)
  t.equal(nearest(`${'a'.repeat(99)}b`, ['a'.repeat(100)]), 'a'.repeat(100))
  t.equal(nearest(`${'a'.repeat(100)}b`, ['a'.repeat(101)]), null, 'longer than anybody mistypes')
})

t.test('the longest start of a name', async (t) => {
  t.equal(longestStart('cacheTtlSeconds', ['cache', 'cacheTtl', 'caches']), 'cacheTtl')
  t.equal(longestStart('abcDefghijkl', ['abc']), null, 'a short start is a coincidence')
  t.equal(longestStart('cachesome', ['cache']), null, 'a start that is no word of the name')
})

t.test('a text is cut between characters', async (t) => {
  t.equal(shorten('abc', 3), 'abc')
  t.equal(shorten('abcd', 3), 'abc…')
  t.equal(shorten('ab😀d', 3), 'ab…')
  t.equal(shorten('ab😀d', 4), 'ab😀…')
})
