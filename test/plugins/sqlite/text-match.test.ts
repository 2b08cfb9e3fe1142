import fc from 'fast-check'
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

t.test('LIKE finds what an expression finds', async (t) => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'A', '%', '_', '\\', '😀', 'é', '\n'), { maxLength: 8 })
  let found = 0
  fc.assert(
    fc.property(letters, letters, fc.boolean(), (pattern, value, anyCase) => {
      // A lone backslash at the end never comes so far.
      const given = pattern.join('').replace(/(?<!\\)((?:\\\\)*)\\$/, '$1')
      const source = given.replace(/\\([\s\S])|(%)|(_)|[\s\S]/gu, (all, escaped, any, one) =>
        any !== undefined ? '.*' : one !== undefined ? '.' : (escaped ?? all) === '\\' ? '\\\\' : (escaped ?? all),
      )
      const holds = new RegExp(`^${source}$`, anyCase ? 'isu' : 'su').test(value.join(''))
      if (holds) found++
      return matchesLike(given, value.join(''), anyCase) === holds
    }),
    { numRuns: 3000 },
  )
  t.ok(found > 50, `${found} found`)
})

t.test('LIKE folds each character, and takes its time from the length alone', async (t) => {
  t.ok(matchesLike('STRAẞE_%', 'straße😀', true))
  t.ok(matchesLike('%\u212A', 'k', true), 'the sign of Kelvin')
  t.notOk(matchesLike('i', 'ı', true), 'the i without a dot')
  t.notOk(matchesLike('STRASSE', 'straße', true))
  const started = process.cpuUsage().user
  const text = 'a'.repeat(5000)
  for (const anyCase of [true, false]) {
    t.notOk(matchesLike(`${'%a'.repeat(500)}%b`, text, anyCase))
    t.notOk(matchesLike(`${'%_a'.repeat(500)}%b`, text, anyCase))
  }
  t.ok(matchesLike(`%${text}%`, text, true), 'no bound on the pattern')
  t.ok(process.cpuUsage().user - started < 2_000_000, 'it took minutes')
})

t.test('a dot is any character, as on PostgreSQL', async (t) => {
  t.ok(matchesRegex('^a.b$', 'a\nb', false))
  t.ok(matchesRegex('^A.B$', 'a\nb', true))
  t.notOk(matchesRegex('^b', 'a\nb', false))
})
