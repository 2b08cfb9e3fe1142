const MOST_BYTES = 1000

/**
 * Checks a regular expression before the database sees it (behaviours 3.2): length, balance, and quantifiers inside
 * quantified groups, which can take exponential time.
 * @throws Error that says what is wrong
 */
export function convertRegex(value: unknown): string {
  const pattern = String(value)
  if (Buffer.byteLength(pattern) > MOST_BYTES) {
    throw new Error(`the regular expression is longer than ${MOST_BYTES} bytes`)
  }
  const fault = scan(pattern)
  if (fault !== null) throw new Error(fault)
  return pattern
}

const NESTED =
  'the regular expression repeats a group that repeats something itself, such as (a+)+; write it without nesting'

/** One pass with a stack of open groups; each knows whether it holds a quantifier. @returns the fault, or `null` */
function scan(pattern: string): string | null {
  const groups: boolean[] = [false]
  let index = 0
  while (index < pattern.length) {
    const char = pattern[index]
    if (char === '\\') {
      if (index + 1 >= pattern.length) return 'the regular expression ends with a lone backslash'
      index += 2
    } else if (char === '[') {
      const end = endOfClass(pattern, index)
      if (end === -1) return 'the regular expression has a [ without its ]'
      index = end + 1
    } else if (char === '(') {
      groups.push(false)
      index += pattern[index + 1] === '?' ? 2 : 1
    } else if (char === ')') {
      const inner = groups.pop() ?? false
      if (groups.length === 0) return 'the regular expression has a ) without its ('
      index += 1
      if (inner && repeats(pattern, index)) return NESTED
      if (inner) groups[groups.length - 1] = true
    } else {
      if (repeats(pattern, index)) groups[groups.length - 1] = true
      index += 1
    }
  }
  return groups.length === 1 ? null : 'the regular expression has a ( without its )'
}

/** Is there a quantifier at the index that can repeat? `?`, `{0,1}` and `{1}` cannot. */
function repeats(pattern: string, index: number): boolean {
  const char = pattern[index]
  if (char === '*' || char === '+') return true
  const bound = /^\{(\d*)(,?)(\d*)\}/.exec(pattern.slice(index, index + 20))
  if (bound === null) return false
  const most = bound[2] === '' ? bound[1] : bound[3]
  return most === '' || Number(most) > 1
}

/** Index of the `]` that closes a class; `[]a]` and `[^]a]` hold a bracket, `[[:alpha:]]` a named class. */
function endOfClass(pattern: string, start: number): number {
  let index = start + 1
  if (pattern[index] === '^') index += 1
  if (pattern[index] === ']') index += 1
  while (index < pattern.length) {
    const char = pattern[index]
    if (char === ']') return index
    if (char === '\\') index += 1
    else if (char === '[' && /[:.=]/.test(pattern[index + 1] ?? '')) {
      const close = pattern.indexOf(`${pattern[index + 1]}]`, index + 2)
      if (close === -1) return -1
      index = close + 1
    }
    index += 1
  }
  return -1
}
