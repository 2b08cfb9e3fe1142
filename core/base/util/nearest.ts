import { distance } from 'fastest-levenshtein'

/** A name that is longer is not mistyped, and looking takes the time of its length for each candidate. */
const LONGEST = 100

/**
 * The candidate a mistyped name most likely meant.
 * @returns `null` when nothing is near enough to be worth a guess
 */
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

/** ` Did you mean "x"?` with a leading space, or the empty string. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const guess = nearest(name, candidates)
  return guess === null ? '' : ` Did you mean "${guess}"?`
}

/** `a, b, c` for error texts, cut after `most` names. */
export function listNames(names: Iterable<string>, most = 20): string {
  const all = [...names]
  const shown = all.slice(0, most).join(', ')
  return all.length > most ? `${shown} and ${all.length - most} more` : shown
}
