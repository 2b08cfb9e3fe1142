/** A pattern of `t.match` that nearly every value has. */
export interface WeakPattern {
  /** Where it begins. */
  readonly at: number
  readonly line: number
  readonly text: string
}

/** Texts and regular expressions that are shorter say next to nothing: a text is found anywhere in the value. */
const LEAST = 3
const CALL = /\bt\.match\(/g
/** Comments, texts, and regular expressions, which stand behind a bracket, comma or operator. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[([{,:?=&|!>]\s*)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|[()[\]{},]/g

/** Patterns of `t.match(value, pattern)` that are shorter than three characters, in objects and lists too. */
export function weakPatternsOf(source: string): readonly WeakPattern[] {
  return [...source.matchAll(CALL)].flatMap(({ index, 0: call }) =>
    literalsOfPattern(source, index + call.length)
      .filter(({ text }) => isWeak(text))
      .map(({ at, text }) => ({ at, line: source.slice(0, at).split('\n').length, text })),
  )
}

interface Literal {
  readonly at: number
  readonly text: string
}

/** Values of the second argument; not the names of its members, nor what is handed to a function in it. */
function literalsOfPattern(source: string, from: number): readonly Literal[] {
  const open: string[] = []
  const found: Literal[] = []
  let argument = 0
  TOKEN.lastIndex = from
  for (let token = TOKEN.exec(source); token !== null; token = TOKEN.exec(source)) {
    const [text] = token
    if (text === ',') {
      if (open.length === 0) argument++
    } else if ('([{'.includes(text)) open.push(text)
    else if (')]}'.includes(text)) {
      if (open.pop() === undefined) return found
    } else if (argument === 1 && !open.includes('(') && isValue(source, TOKEN.lastIndex, text)) {
      found.push({ at: token.index, text })
    }
    if (argument > 1) return found
  }
  return found
}

function isValue(source: string, end: number, text: string): boolean {
  if (text.startsWith('//') || text.startsWith('/*') || text.includes('${')) return false
  return /^\s*([,)\]}]|as\b)/.test(source.slice(end, end + 40))
}

function isWeak(literal: string): boolean {
  const inner = literal.slice(1, literal.lastIndexOf(literal.charAt(0)))
  // With both ends it is an equality.
  if (literal.startsWith('/')) return inner.length < LEAST && !(inner.startsWith('^') && inner.endsWith('$'))
  // The empty one is compared as it is.
  return inner !== '' && inner.length < LEAST
}
