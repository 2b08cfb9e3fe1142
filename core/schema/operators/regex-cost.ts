/**
 * Cost of a part of a regular expression when a database builds an automaton from it. The automaton has a transition
 * from each character to each possible next one: the short `(x?){250}` has 31,000 transitions.
 */
export interface RegexCost {
  /** Number of characters in the part that a match can begin with. `last` counts those that a match can end with. */
  readonly first: number
  readonly last: number
  /** `true` if this part of the regular expression matches the empty text. */
  readonly isEmpty: boolean
  /** Number of transitions between characters within the part. */
  readonly arrows: number
  /** Length in characters of the longest text that the part can match; `Infinity`: no limit. */
  readonly reach: number
}

/** Cost of an empty regular expression, and of an anchor such as `^`. */
export const NOTHING: RegexCost = { first: 0, last: 0, isEmpty: true, arrows: 0, reach: 0 }

/**
 * Returns the cost of a part of a regular expression that matches one character.
 * @param kinds number of character classes that the character can match: each is a transition
 */
export function costOfCharacter(kinds: number): RegexCost {
  return { first: kinds, last: 1, isEmpty: false, arrows: kinds, reach: 1 }
}

export function costOfSequence(left: RegexCost, right: RegexCost): RegexCost {
  return {
    first: left.first + (left.isEmpty ? right.first : 0),
    last: right.last + (right.isEmpty ? left.last : 0),
    isEmpty: left.isEmpty && right.isEmpty,
    arrows: left.arrows + right.arrows + left.last * right.first,
    reach: left.reach + right.reach,
  }
}

export function costOfChoice(left: RegexCost, right: RegexCost): RegexCost {
  return {
    first: left.first + right.first,
    last: left.last + right.last,
    isEmpty: left.isEmpty || right.isEmpty,
    arrows: left.arrows + right.arrows,
    reach: Math.max(left.reach, right.reach),
  }
}

/**
 * Returns the cost of repeating a part of a regular expression from `least` to `most` times (`Infinity`: no limit). A
 * bounded repetition is expanded: `a{2,4}` costs as much as `aa(a(a)?)?`.
 */
export function costOfRepeat(part: RegexCost, least: number, most: number): RegexCost {
  const { first, last, isEmpty } = part
  const copies = Number.isFinite(most) ? most : Math.max(1, least)
  const between = isEmpty ? (copies * (copies - 1)) / 2 : Math.max(0, copies - 1)
  const around = Number.isFinite(most) ? 0 : first * last
  return {
    first: isEmpty ? first * copies : first,
    last: last * (isEmpty ? copies : Math.max(1, copies - least + 1)),
    isEmpty: isEmpty || least === 0,
    arrows: part.arrows * copies + first * last * between + around,
    reach: part.reach === 0 ? 0 : part.reach * most,
  }
}
