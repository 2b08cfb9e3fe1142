/**
 * Tests whether a granted scope covers a required one (docs/plugins/scopes.md#what-can-be-required). Scopes are compared exactly. In a
 * granted scope, a segment `*` matches any one segment: `read:*` covers `read:User`, but not `reads:User` or `read:User:email`.
 */
export function coversScope(granted: string, wanted: string): boolean {
  if (granted === wanted) return true
  if (!granted.includes('*')) return false
  const given = granted.split(':')
  const parts = wanted.split(':')
  return given.length === parts.length && given.every((segment, index) => segment === '*' || segment === parts[index])
}
