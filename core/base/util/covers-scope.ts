/**
 * Tests whether an OAuth scope of the caller satisfies a scope that the schema requires
 * (docs/plugins/scopes.md#what-can-be-required). A segment `*` of the granted scope matches any one segment: `read:*`
 * covers `read:User`, but not `reads:User` or `read:User:email`. Otherwise scopes are compared exactly.
 * @param granted scope of the caller
 * @param wanted required scope
 */
export function coversScope(granted: string, wanted: string): boolean {
  if (granted === wanted) return true
  if (!granted.includes('*')) return false
  const given = granted.split(':')
  const parts = wanted.split(':')
  return given.length === parts.length && given.every((segment, index) => segment === '*' || segment === parts[index])
}
