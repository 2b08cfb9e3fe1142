/**
 * Does a filter leave rows out, as far as can be told without looking at them? What is always true does not.
 * @param filter in the engine's spelling
 */
export function isEffective(filter: unknown): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  return Object.entries(filter).some(([key, value]) => {
    if (key === '_and') return (value as readonly unknown[]).some(isEffective)
    if (key === '_or') return (value as readonly unknown[]).every(isEffective)
    if (key === '_not') return isEffective(value)
    if (key.startsWith('_')) return key !== '_nin' || !Array.isArray(value) || value.length > 0
    if (key === 'some' || key === 'none') return true
    return isEffective(value)
  })
}
