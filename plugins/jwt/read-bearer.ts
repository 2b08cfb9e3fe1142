/**
 * Reads the token of an `Authorization` header.
 * @returns `null` for another scheme; an empty string for no token or several tokens
 */
export function readBearer(header: string | readonly string[]): string | null {
  if (typeof header !== 'string') return ''
  if (!/^bearer(?: |$)/i.test(header)) return null
  return header.slice('bearer'.length).trim()
}
