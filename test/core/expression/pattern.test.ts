import fc from 'fast-check'
import t from 'tap'
import { compileAutomaton } from '../../../core/expression/pattern/automaton.ts'
import { compilePattern } from '../../../core/expression/pattern/pattern.ts'

t.test('says what the RegExp of the runtime says, for every pattern it takes', (t) => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\d',
    '\\w',
    '\\s',
    '\\x61',
    '\\u{1F600}',
    '\\uD83D\\uDE00',
    '\\u0061',
    '\\p{L}',
    '\\.',
    '😀',
  )
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc.constantFrom('^', '$', '\\b', '\\B', ''),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
      fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}', '*?', '{0}'))
        .map(([a, q]) => `(${a})${q}`),
      tie('pattern').map((a) => `(?=${a})`),
      tie('pattern').map((a) => `(?!${a})`),
    ),
  }))
  const text = fc
    .array(fc.constantFrom('a', 'b', '1', ' ', '.', '_', 'é', '😀'), { maxLength: 8 })
    .map((chars) => chars.join(''))
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const right = matchesAtACodePoint(source, value)
      t.equal(compilePattern(source).test(value), right, `/${source}/ on ${value}`)
      const automaton = compileAutomaton(source, 'u')
      t.equal(automaton(value), right, `/${source}/ on ${value}, by the automaton`)
      t.equal(automaton(value), right, `/${source}/ on ${value}, by what it kept`)
    }),
    {
      numRuns: 2000,
      examples: [
        ['\\B', 'a😀1'],
        ['\\uD83D\\uDE00', 'a😀'],
        ['a\\b', 'a1'],
      ],
    },
  )
  t.end()
})

/**
 * V8 also looks for matches that begin between the halves of a surrogate pair (`/\B/u` on `a😀1`), where the language
 * has none (ECMA-262, AdvanceStringIndex); so it is asked at each code point.
 */
function matchesAtACodePoint(source: string, text: string): boolean {
  const sticky = new RegExp(source, 'uy')
  let at = 0
  for (const char of [...text, '']) {
    sticky.lastIndex = at
    if (sticky.test(text)) return true
    at += char.length
  }
  return false
}

t.test('takes no longer where a backtracking engine hangs', (t) => {
  const text = `${'a'.repeat(5000)}!`
  for (const source of [
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '^(.*a){10}$',
    '^(?:a?){20}a{20}$b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '^(?=(a+)+$)',
  ]) {
    const started = process.hrtime.bigint()
    t.equal(compilePattern(source).test(text), false, source)
    t.ok(process.hrtime.bigint() - started < 3_000_000_000n, `${source} is done`)
  }
  t.end()
})

t.test('a text that is too long for its pattern is refused, and not waited for', (t) => {
  t.throws(() => compilePattern('(?=.*x)y').test('a'.repeat(5000)), {
    message: 'The text is too long for its pattern.',
  })
  t.end()
})

t.test('an unsupported or too large pattern is refused when it is compiled', (t) => {
  for (const [source, message] of [
    ['(a)\\1', /references to a group/],
    ['(?<n>a)\\k<n>', /references to a group/],
    ['(?<=a)b', /references to a group and \(\?<= … \)/],
    ['(?<!a)b', /linear time/],
    ['((a{100}){100}){100}', /repeats too much/],
    ['a{100000}', /repeats too much/],
    ['(((((x{0}){9999}){9999}){9999}){9999}){9999}', null],
    ['(', /Unterminated group/],
    ['a'.repeat(1001), /longer than 1000 bytes/],
    ['[z-a]', /out of order/],
  ] as const) {
    if (message === null) t.equal(compilePattern(source).test(''), true, source)
    else t.throws(() => compilePattern(source), { message }, source)
  }
  t.end()
})

t.test('syntax of other engines is refused with the supported form', (t) => {
  const told = (source: string): string => {
    try {
      compilePattern(source)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  t.match(told('a\\-b'), /Invalid escape\. No other signs than these are escaped: \^ \$/)
  t.equal(told('[a\\-b]'), '')
  t.match(told('(?i)abc'), /There are no flags here: write what they mean, \[Aa\] say$/)
  t.match(told('\\Aabc\\z'), /Write \^ for the beginning and \$ for the end$/)
  t.end()
})
