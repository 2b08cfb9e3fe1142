// This process has nothing else of core, whose start would take several times as long.
import { compileAutomaton } from '../../../core/expression/pattern/automaton.ts'
import { compileLike } from './like-pattern.ts'
import { recently } from './recently.ts'

type Test = (value: string) => boolean

/** A dot is any character, as it is on PostgreSQL; ^ and $ are the ends of the text. */
const regex = recently((pattern) => new RegExp(pattern, 'su'))
const search = [recently(linear('su')), recently(linear('isu'))] as const
const like = [
  recently((pattern) => compileLike(pattern, false)),
  recently((pattern) => compileLike(pattern, true)),
] as const

function linear(flags: 'su' | 'isu'): (pattern: string) => Test {
  return (pattern) => {
    try {
      return compileAutomaton(pattern, flags)
    } catch (error) {
      throw new SyntaxError(`Invalid regular expression: ${error instanceof Error ? error.message : error}`)
    }
  }
}

/** REGEXP of authors: all that JavaScript has, with Unicode. @throws SyntaxError */
export function matchesRegex(pattern: string, value: string): boolean {
  return regex(pattern).test(value)
}

/**
 * A regular expression of a client, in the same syntax without references and looking back: in time that grows with the
 * length of the text, whatever both are.
 * @throws SyntaxError
 */
export function matchesSearch(pattern: string, value: string, anyCase: boolean): boolean {
  return search[anyCase ? 1 : 0](pattern)(value)
}

/** @see compileLike */
export function matchesLike(pattern: string, value: string, anyCase: boolean): boolean {
  return like[anyCase ? 1 : 0](pattern).test(value)
}
