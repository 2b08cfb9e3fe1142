/** Text of standard or url-safe base64; `null` when it is none (behaviours 6). */
export function decodeBase64(text: string): string | null {
  if (text === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null
  const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
  const decoded = bytes.toString('utf8')
  // What does not come back was no base64 of UTF-8.
  const again = Buffer.from(decoded, 'utf8').toString('base64').replace(/=+$/, '')
  const given = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return again === given && !decoded.includes('\0') ? decoded : null
}

/** A global node id, base64 of `Type:id`; `null` when the text is none. */
export function nodeIdOf(text: string): { readonly type: string; readonly id: string } | null {
  const decoded = decodeBase64(text)
  const match = decoded === null ? null : /^([_A-Za-z][_0-9A-Za-z]*):([\s\S]+)$/.exec(decoded)
  return match === null ? null : { type: match[1] ?? '', id: match[2] ?? '' }
}
