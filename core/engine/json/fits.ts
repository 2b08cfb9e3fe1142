import { skipSpace, skipString, skipValue } from './json-text.ts'
import { takesStrings } from './leaf-rule.ts'
import type { MemberShape, ValueShape } from './value-shape.ts'

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const SMALL_N = 110
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Position in the text. One variable for all calls, because the check is synchronous. */
let at = 0

/**
 * Tests whether a JSON text from the database has the declared form, so that it can be sent unchanged. It is for
 * results whose types are not certain. It does not apply custom scalars (`serialize`); use `complete` for those.
 * @param text well-formed JSON
 */
export function fits(text: string, { shape }: MemberShape): boolean {
  at = 0
  return fitsValue(text, shape)
}

function fitsValue(text: string, shape: ValueShape): boolean {
  at = skipSpace(text, at)
  const code = text.charCodeAt(at)
  if (shape.items !== null && code === OPEN_BRACKET) return fitsItems(text, shape.items)
  if (shape.members !== null && code === OPEN_BRACE) return fitsMembers(text, shape.members)
  if (code === SMALL_N) {
    at += 4
    return shape.nullable
  }
  if (shape.items !== null || shape.members !== null) return false
  const from = at
  at = code === QUOTE ? skipString(text, at) : skipValue(text, at)
  if (shape.leaf === null || (code === QUOTE && takesStrings(shape.leaf))) return true
  const token = text.slice(from, at)
  return shape.leaf(token) === token
}

function fitsItems(text: string, items: ValueShape): boolean {
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) !== CLOSE_BRACKET) {
    if (!fitsValue(text, items)) return false
    skipComma(text)
  }
  at++
  return true
}

function fitsMembers(text: string, members: ReadonlyMap<string, MemberShape>): boolean {
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) !== CLOSE_BRACE) {
    const from = at
    at = skipString(text, at)
    const member = members.get(text.slice(from + 1, at - 1))
    at = skipSpace(text, skipSpace(text, at) + 1)
    if (member === undefined) at = skipValue(text, at)
    else if (!fitsValue(text, member.shape)) return false
    skipComma(text)
  }
  at++
  return true
}

function skipComma(text: string): void {
  at = skipSpace(text, at)
  if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1)
}
