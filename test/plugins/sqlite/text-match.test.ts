import t from 'tap'
import { matchesLike, matchesRegex } from '../../../plugins/sqlite/child/text-match.ts'

// The order matters: what is asked first finds nothing that was compiled before.
t.test('an empty pattern is one from the start: of LIKE it is the empty text, of an expression any', async (t) => {
  for (const anyCase of [true, false]) {
    t.equal(matchesLike('', 'text', anyCase), false)
    t.equal(matchesLike('', '', anyCase), true)
    t.equal(matchesRegex('', 'text', anyCase), true)
    t.equal(matchesLike('t%', 'text', anyCase), true)
    t.equal(matchesLike('', 'text', anyCase), false, 'behind another')
  }
})
