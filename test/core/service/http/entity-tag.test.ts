import t from 'tap'
import { LentText, WrappedText } from '../../../../core/base/util/lent-text.ts'
import { createEntityTagger, matchesTag } from '../../../../core/service/http/entity-tag.ts'

const PIECE = 65_536
const tagger = await createEntityTagger()
const wrap = (text: string) => new WrappedText('{"data":"', new LentText(Buffer.from(text)), '"}')

t.test('the same text has the same tag, as a string and as bytes in however many pieces', async (t) => {
  for (const length of [1, 31, 8192, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 17]) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * 7 + (i >> 8)) % 26))).join('')
    const tag = tagger(`{"data":"${text}"}`)
    t.match(tag, /^W\/"[0-9a-f]{16}"$/)
    t.equal(tagger(wrap(text)), tag, `${length} bytes`)
  }
  const letters = 'é日'.repeat(40_000)
  t.equal(tagger(wrap(letters)), tagger(`{"data":"${letters}"}`), 'a piece may end within a letter')
})

t.test('another byte, wherever it is, is another tag', async (t) => {
  const text = 'x'.repeat(3 * PIECE)
  const tags = new Set([tagger(wrap(text)), tagger(wrap(`${text}x`))])
  const places = [0, PIECE - 1, PIECE, 2 * PIECE + 5, text.length - 1]
  for (const at of places) tags.add(tagger(wrap(`${text.slice(0, at)}y${text.slice(at + 1)}`)))
  t.equal(tags.size, places.length + 2)
})

t.test('tags are compared weakly, one of a list suffices, and a part of one is none', async (t) => {
  const tag = 'W/"0123456789abcdef"'
  for (const header of [
    tag,
    '"0123456789abcdef"',
    `"x", ${tag}`,
    `${tag}, "x"`,
    '*',
    ' * ',
    `"x","0123456789abcdef"`,
  ]) {
    t.equal(matchesTag(header, tag), true, header)
  }
  for (const header of [
    '',
    '"x"',
    '"0123456789abcde"',
    '"0123456789abcdef0"',
    '0123456789abcdef',
    '"*"',
    'w/"0123456789abcdef"',
  ]) {
    t.equal(matchesTag(header, tag), false, header)
  }
})
