/**
 * Does what was granted cover the scope? Scopes are compared to the letter; `*` as a whole segment of a granted scope
 * stands for any one segment: `read:*` covers `read:User`, and neither `reads:User` nor `read:User:email` (behaviours 11.1).
 */
export function coversScope(granted: string, wanted: string): boolean {
  if (granted === wanted) return true
  if (!granted.includes('*')) return false
  const given = granted.split(':')
  const parts = wanted.split(':')
  return given.length === parts.length && given.every((segment, index) => segment === '*' || segment === parts[index])
}
