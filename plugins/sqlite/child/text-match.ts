import { compileLike, type LikePattern } from './like-pattern.ts'

/** The last expression of a use: a statement asks for the same one in every row. */
interface Known {
  /** `null`: nothing was asked yet. An empty text is a pattern, too. */
  pattern: string | null
  expression: RegExp | LikePattern
}

const regex: readonly [Known, Known] = [none(), none()]
const like: readonly [Known, Known] = [none(), none()]

function none(): Known {
  return { pattern: null, expression: /(?:)/u }
}

/** A regular expression in JavaScript's dialect with Unicode. @throws SyntaxError */
export function matchesRegex(pattern: string, value: string, anyCase: boolean): boolean {
  const known = regex[anyCase ? 1 : 0]
  if (known.pattern !== pattern) {
    // A dot is any character, as it is on PostgreSQL; ^ and $ are the ends of the text.
    known.expression = new RegExp(pattern, anyCase ? 'isu' : 'su')
    known.pattern = pattern
  }
  return known.expression.test(value)
}

/** @see compileLike */
export function matchesLike(pattern: string, value: string, anyCase: boolean): boolean {
  const known = like[anyCase ? 1 : 0]
  if (known.pattern !== pattern) {
    known.expression = compileLike(pattern, anyCase)
    known.pattern = pattern
  }
  return known.expression.test(value)
}
