import { distance } from 'fastest-levenshtein'

/** Limit for names to compare. A longer name is no typing mistake, and the time of a comparison grows with its length. */
const LONGEST = 100

/** Returns the candidate that is most similar to a mistyped name, ignoring case; `null`: none is similar enough. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST) return null
  const wanted = name.toLowerCase()
  let best: string | null = null
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const d = distance(wanted, candidate.toLowerCase())
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/** Shorter starts match by chance. */
const SHORTEST_START = 4

/**
 * Returns the longest candidate that the words of a name begin with: `cacheTtl` for `cacheTtlSeconds`; `null`: none.
 */
export function longestStart(name: string, candidates: readonly string[]): string | null {
  let best: string | null = null
  for (const candidate of candidates) {
    const { length } = candidate
    if (length < Math.max(SHORTEST_START, best?.length ?? 0)) continue
    if (name.startsWith(candidate) && /^[_A-Z]/.test(name.slice(length))) best = candidate
  }
  return best
}

/**
 * Returns a suggestion to append to an error message about a mistyped name: ` Did you mean "x"?`, with a leading space.
 * Empty when no candidate is similar enough.
 */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const guess = nearest(name, candidates)
  return guess === null ? '' : ` Did you mean "${guess}"?`
}

/** Joins names for an error message: `a, b, c`. After `most` names it ends with `and 5 more`. */
export function listNames(names: Iterable<string>, most = 20): string {
  const all = [...names]
  const shown = all.slice(0, most).join(', ')
  return all.length > most ? `${shown} and ${all.length - most} more` : shown
}
