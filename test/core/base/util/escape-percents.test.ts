import t from 'tap'
import { escapePercents } from '../../../../core/base/util/escape-percents.ts'

t.test('a percent sign that encodes nothing stands for itself', async (t) => {
  for (const [written, read] of [
    ['redis://app:50%off@host:1/0', '50%off'],
    ['redis://app:50%25off@host:1/0', '50%off'],
    ['redis://app:100%@host', '100%'],
    ['redis://app:%@host', '%'],
    ['redis://app:%%40@host', '%@'],
    ['redis://app:p%C3%A4ss%C3@host', 'päss%C3'],
    ['redis://app:%c3b%FF%2F@host', '%c3b%FF%2F'],
  ] as const) {
    t.equal(decodeURIComponent(new URL(escapePercents(written)).password), read, written)
  }
  const plain = 'postgres://svc:p%40ss@host/shop?options=-c%20geqo%3Doff'
  t.equal(escapePercents(plain), plain)
})
