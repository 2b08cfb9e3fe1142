import { isUtf8 } from 'node:buffer'

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const COLON = 0x3a

/** Text of standard or url-safe base64; `null` when it is none (behaviours 6). */
export function decodeBase64(text: string): string | null {
  return BASE64.test(text) ? textOf(Buffer.from(text, 'base64'), text) : null
}

/** @param bytes that `given` stands for @returns `null`: it is no text, or another one in base64 */
function textOf(bytes: Buffer, given: string): string | null {
  if (bytes.length === 0 || !isUtf8(bytes) || bytes.includes(0)) return null
  const safe = given.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return bytes.toString('base64url') === safe ? bytes.toString('utf8') : null
}

/** A global node id, base64 of `Type:id`; `null` when the text is none. */
export function nodeIdOf(text: string): { readonly type: string; readonly id: string } | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  // Nearly every id is a UUID or a number, which could be base64 and has no colon in it: that is seen before all the rest.
  if (!bytes.includes(COLON)) return null
  const decoded = textOf(bytes, text)
  const match = decoded === null ? null : /^([_A-Za-z][_0-9A-Za-z]*):([\s\S]+)$/.exec(decoded)
  return match === null ? null : { type: match[1] ?? '', id: match[2] ?? '' }
}
