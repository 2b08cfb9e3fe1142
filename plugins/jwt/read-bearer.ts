/**
 * The token of an `Authorization` header.
 * @returns `null`: another scheme; the empty text: there is none, or more than one
 */
export function readBearer(header: string | readonly string[]): string | null {
  if (typeof header !== 'string') return ''
  if (!/^bearer(?: |$)/i.test(header)) return null
  return header.slice('bearer'.length).trim()
}
