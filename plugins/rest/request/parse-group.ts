import { queryStrings } from '../../../core/doors/front.ts'
import { badRequest, overLimit } from './refusals.ts'

/** Syntax tree of the query parameters `and`, `or` and `not`: `or=(status[eq]=a,not=(views[gt]=5))`. */
export type GroupNode =
  | { readonly kind: 'group'; readonly joint: Joint; readonly items: readonly GroupNode[] }
  | { readonly kind: 'condition'; readonly name: string; readonly value: string; readonly isList: boolean }

export type Joint = 'and' | 'or' | 'not'

/**
 * Maximum nesting depth of `and`, `or` and `not` in query parameters (docs/guides/rest.md#filters). It keeps filters
 * within the depth that queries allow.
 */
export const DEEPEST_GROUP = 64

/**
 * Parses the value of the query parameter `and`, `or` or `not`: conditions in parentheses, separated by commas.
 * @throws SvcError BAD_REQUEST, VALIDATION_ERROR
 */
export function parseGroup(joint: Joint, text: string): GroupNode {
  let at = 0

  function fail(what: string): Error {
    return badRequest(`${joint}: ${what} at character ${at + 1} of "${text.slice(0, 200)}".`)
  }

  function readItems(own: Joint, depth: number): GroupNode {
    if (depth > DEEPEST_GROUP) throw overLimit(`${joint}: a filter may be nested ${DEEPEST_GROUP} levels deep.`)
    if (text[at] !== '(') throw fail('there has to be "("')
    at += 1
    if (text[at] === ')') throw fail('a group has members')
    const items: GroupNode[] = []
    for (;;) {
      items.push(readItem(depth))
      if (text[at] === ',') at += 1
      else if (text[at] === ')') {
        at += 1
        return { kind: 'group', joint: own, items }
      } else throw fail(at >= text.length ? 'a parenthesis is not closed' : 'there has to be "," or ")"')
    }
  }

  function readItem(depth: number): GroupNode {
    const equals = text.indexOf('=', at)
    const stop = text.slice(at).search(/[,()]/)
    if (equals === -1 || (stop !== -1 && at + stop < equals)) throw fail('a member is field[operator]=value')
    const name = text.slice(at, equals).trim()
    if (name === '') throw fail('a member has a name')
    at = equals + 1
    if ((name === 'and' || name === 'or' || name === 'not') && text[at] === '(') return readItems(name, depth + 1)
    return { kind: 'condition', name, ...readValue() }
  }

  function readValue(): { readonly value: string; readonly isList: boolean } {
    if (text[at] === '"') {
      const { value, end } = quoted()
      at = end
      return { value, isList: false }
    }
    const start = at
    const isList = text[at] === '('
    let open = 0
    for (; at < text.length; at++) {
      const character = text[at]
      if (character === '"' && open > 0) at = quoted().end - 1
      else if (character === '(') open += 1
      else if (character === ')' && open > 0) {
        open -= 1
        if (isList && open === 0) {
          at += 1
          return { value: text.slice(start + 1, at - 1), isList }
        }
      } else if ((character === ',' || character === ')') && open === 0) break
    }
    if (open > 0) throw fail('a parenthesis is not closed')
    return { value: text.slice(start, at), isList: false }
  }

  function quoted(): { readonly value: string; readonly end: number } {
    try {
      return queryStrings.readQuoted(text, at)
    } catch (error) {
      throw fail((error as Error).message)
    }
  }

  const group = readItems(joint, 1)
  if (at < text.length) throw fail('the group has ended')
  return group
}
