/** Splits `svc://type/{name}` at its only variable. */
function partsOf(template: string): readonly [string, string, string] {
  const found = /^([^{]*)\{([A-Za-z0-9_]+)\}([^{]*)$/.exec(template)
  if (found === null) throw new Error(`${template} has not one value in braces`)
  return [found[1]!, found[2]!, found[3]!]
}

/** Returns the name of the variable in a URI template such as `shop://customer/{id}` (RFC 6570, level 1). */
export function nameIn(template: string): string {
  return partsOf(template)[1]
}

/** Returns the decoded value of the variable of a URI template in a URI; `null`: the URI does not match. */
export function valueIn(template: string, uri: string): string | null {
  const [before, , after] = partsOf(template)
  if (!uri.startsWith(before) || !uri.endsWith(after) || uri.length <= before.length + after.length) return null
  const value = uri.slice(before.length, uri.length - after.length)
  if (/[/?#]/.test(value)) return null
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}
