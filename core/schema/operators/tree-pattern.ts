/** PostgreSQL's limits for an lquery and its labels. */
const MOST_BYTES = 1000
const MOST_LABEL = 255
const MOST_LEVELS = 65_535
/**
 * Limit of parts with a variable length. The database tries all lengths of each: with seven such parts, a path of 60
 * labels took 8 seconds.
 */
const MOST_OPEN = 3

const LEVEL = /^(?:\*|!?[^.{}]+)(?:\{(?!\})(\d{0,5})(,?)(\d{0,5})\})?$/
const VARIANT = /^([A-Za-z0-9_]+)[@*%]*$/

/**
 * Checks a pattern from a client of PostgreSQL's type lquery, which matches tree paths: `top.*{1,2}.!a|b*`. Returns the
 * pattern.
 * @throws Error whose message describes the problem
 */
export function parseTreePattern(value: unknown): string {
  const pattern = textOf(value)
  let open = 0
  for (const level of pattern.split('.')) {
    const bounds = LEVEL.exec(level)
    const name = level.replace(/\{.*$/, '')
    if (bounds === null || (name !== '*' && !name.replace(/^!/, '').split('|').every(isVariant))) {
      throw new Error(
        `the operand is a pattern of labels, such as "top.*.astro*"; "${level.slice(0, 40)}" is no level of one`,
      )
    }
    const [least, most] = boundsOf(bounds, name === '*')
    if (least > most || least > MOST_LEVELS || (most > MOST_LEVELS && most !== Number.POSITIVE_INFINITY)) {
      throw new Error(
        `the operand repeats "${name.slice(0, 40)}" within bounds that are none: up to ${MOST_LEVELS}, the first not above the second`,
      )
    }
    if (least !== most) open++
  }
  if (open > MOST_OPEN) {
    throw new Error(
      `the operand has ${open} parts of any length (*, a{1,2}); ${MOST_OPEN} are the most, because each multiplies the time`,
    )
  }
  return pattern
}

function isVariant(text: string): boolean {
  const word = VARIANT.exec(text)?.[1]
  return word !== undefined && word.length <= MOST_LABEL
}

function boundsOf([, least, comma, most]: RegExpExecArray, isStar: boolean): readonly [number, number] {
  // Without braces, a star matches any number of labels, a name exactly one.
  if (least === undefined) return isStar ? [0, Number.POSITIVE_INFINITY] : [1, 1]
  const from = least === '' ? 0 : Number(least)
  if (comma === '') return least === '' ? [0, Number.POSITIVE_INFINITY] : [from, from]
  return [from, most === '' ? Number.POSITIVE_INFINITY : Number(most)]
}

const TOKEN = /\s*(?:([A-Za-z0-9_]+)[@*%]*|([&|!()]))\s*/y

/**
 * Checks a pattern from a client of PostgreSQL's type ltxtquery, which matches words of tree paths: words with `&`,
 * `|`, `!` and parentheses. Returns the pattern.
 * @throws Error whose message describes the problem
 */
export function parseTreeWords(value: unknown): string {
  const query = textOf(value)
  let depth = 0
  let wantsWord = true
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < query.length) {
    const [, word, sign] = TOKEN.exec(query) ?? []
    if (word === undefined && sign === undefined) throw notWords()
    if (word !== undefined && word.length > MOST_LABEL)
      throw new Error(`the operand has a word of more than ${MOST_LABEL} characters`)
    const opens = word !== undefined || sign === '!' || sign === '('
    if (opens !== wantsWord) throw notWords()
    if (sign === '(') depth++
    else if (sign === ')') depth--
    if (depth < 0) throw notWords()
    wantsWord = sign !== undefined && sign !== ')'
  }
  if (wantsWord || depth !== 0) throw notWords()
  return query
}

function notWords(): Error {
  return new Error('the operand is words with &, | and ! between them, such as "europe & !transport"')
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('the operand is a text')
  if (value.length > MOST_BYTES) throw new Error(`the operand is longer than ${MOST_BYTES} characters`)
  return value
}
