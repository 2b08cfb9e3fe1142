import fc from 'fast-check'
import t from 'tap'
import { matchesLike, matchesRegex, matchesSearch } from '../../../plugins/sqlite/child/text-match.ts'

// The order matters: what is asked first finds nothing that was compiled before.
t.test('an empty pattern is one from the start: of LIKE it is the empty text, of an expression any', async (t) => {
  for (const anyCase of [true, false]) {
    t.equal(matchesLike('', 'text', anyCase), false)
    t.equal(matchesLike('', '', anyCase), true)
    t.equal(matchesSearch('', 'text', anyCase), true)
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
  t.ok(matchesRegex('^a.b$', 'a\nb'))
  t.ok(matchesSearch('^a.b$', 'a\nb', false))
  t.ok(matchesSearch('^A.B$', 'a\nb', true))
  t.notOk(matchesSearch('^b', 'a\nb', false))
})

t.test('a search finds what the expression of the runtime finds', async (t) => {
  const atom = fc.constantFrom(
    'a',
    'b',
    'K',
    '😀',
    'é',
    '.',
    '[a-k]',
    '[^b]',
    '\\w',
    '\\d',
    '\\b',
    '\\B',
    '^',
    '$',
    '(?=a)',
    '(?!b)',
  )
  const part = fc.tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?'))
  const source = fc.array(fc.oneof(part, fc.constantFrom(['|', ''], ['(?:a|bb)', '*'], ['(x|a?)', '+'])), {
    maxLength: 7,
  })
  const text = fc.array(fc.constantFrom('a', 'b', 'k', 'A', '\u212a', '😀', 'é', 'É', '1', ' ', '\n'), {
    maxLength: 12,
  })
  let found = 0
  fc.assert(
    fc.property(source, text, fc.boolean(), (parts, characters, anyCase) => {
      // The runtime repeats no place; the edge of a word is one of ASCII letters here.
      const pattern = parts.map(([of, times]) => (/^(?:\\[bB]|[\^$]|\(\?[=!])/.test(of) ? of : of + times)).join('')
      const value = characters.join('')
      if (/\\[bB]/.test(pattern) && anyCase && value.includes('\u212a')) return true
      const holds = new RegExp(pattern, anyCase ? 'isu' : 'su').test(value)
      if (holds) found++
      return matchesSearch(pattern, value, anyCase) === holds
    }),
    { numRuns: 5000 },
  )
  t.ok(found > 500, `${found} found`)
})

t.test('a search takes its time from the length of the text alone', async (t) => {
  const started = process.cpuUsage().user
  const text = 'a'.repeat(100_000)
  for (const anyCase of [true, false]) {
    for (const pattern of [
      '(a|a)*b',
      '(a|aa)+$b',
      'a*a*a*a*b',
      '(?:a?){60}a{60}b',
      '(.|a)*(.|a)*(.|a)*z',
      '(?=a{0,50}b)a',
    ]) {
      t.notOk(matchesSearch(pattern, text, anyCase), pattern)
    }
  }
  // Each character leads somewhere new: what is remembered has a bound.
  const all = Array.from({ length: 60_000 }, (_, code) => String.fromCodePoint(code + 0x10000)).join('')
  t.notOk(matchesSearch('.{3}z', all, false))
  let random = 1
  const noise = Array.from({ length: 30_000 }, () => {
    random = (random * 48_271) % 2_147_483_647
    return random % 2 === 0 ? 'a' : 'b'
  }).join('')
  t.notOk(matchesSearch('a.{60}[cd]', noise, false))
  t.ok(process.cpuUsage().user - started < 8_000_000, 'it took hours')
  for (const back of ['(a)\\1', '(?<=a)b', '(?<n>a)\\k<n>', '(']) {
    t.throws(() => matchesSearch(back, 'a', false), { name: 'SyntaxError', message: /^Invalid regular expression: / })
  }
})
