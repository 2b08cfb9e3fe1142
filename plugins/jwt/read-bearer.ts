/**
 * Returns the token in an `Authorization` header.
 * @returns `null` for a scheme other than Bearer; an empty string for a missing token or several headers
 */
export function readBearer(header: string | readonly string[]): string | null {
  if (typeof header !== 'string') return ''
  if (!/^bearer(?: |$)/i.test(header)) return null
  return header.slice('bearer'.length).trim()
}
