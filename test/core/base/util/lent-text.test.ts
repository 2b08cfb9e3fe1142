import t from 'tap'
import { closeText, LentText, openText, WrappedText } from '../../../../core/base/util/lent-text.ts'

const textOf = (char: string, size = 10_000) => new LentText(Buffer.from(char.repeat(size)))

t.test('memory is used again when the text was sent, and not before', async (t) => {
  const a = textOf('a')
  t.equal(a.length, 10_000)
  t.equal(String(a), 'a'.repeat(10_000))
  t.ok(a.includes('aaa'))
  t.notOk(a.includes('b'))
  const bytes = openText(a)
  const again = openText(a)
  closeText(a)
  const b = textOf('b')
  t.notOk(Buffer.from(again).includes('b'), 'one reply is still on its way')
  closeText(a)
  const c = textOf('c', 9000)
  t.equal(Buffer.from(bytes).toString('latin1', 0, 9000), 'c'.repeat(9000))
  t.throws(() => String(a), /was sent and its memory is released/)
  t.throws(() => openText(a), /was sent and its memory is released/)
  t.throws(() => a.includes('a'), /was sent and its memory is released/)
  t.equal(String(b), 'b'.repeat(10_000))
  t.equal(String(c), 'c'.repeat(9000))
})

t.test('a text that is kept stays', async (t) => {
  const a = textOf('a')
  a.keep()
  openText(a)
  closeText(a)
  for (let i = 0; i < 10; i++) textOf('z')
  t.equal(String(a), 'a'.repeat(10_000))
})

t.test('texts of all sizes, more of them than are kept', async (t) => {
  for (const size of [1, 2, 4095, 4096, 4097, 65_536, 65_537, 5_000_000]) {
    const texts = Array.from({ length: 12 }, (_, i) => textOf(String.fromCharCode(97 + i), size))
    for (const [i, text] of texts.entries()) {
      const expected = String.fromCharCode(97 + i).repeat(size)
      t.ok(text.toString() === expected, `${size}`)
      openText(text)
      closeText(text)
    }
  }
})

t.test('a text with something around it', async (t) => {
  const wrapped = new WrappedText('{"ä":', textOf('1', 3), '}')
  t.equal(String(wrapped), '{"ä":111}')
  t.equal(wrapped.length, 10)
})
