import { isUtf8 } from 'node:buffer'

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const COLON = 0x3a

/**
 * Decodes standard or URL-safe base64 (RFC 4648, sections 4 and 5) to text; `null`: the input is not the base64 of a
 * UTF-8 text.
 */
export function decodeBase64(text: string): string | null {
  return BASE64.test(text) ? textOf(Buffer.from(text, 'base64'), text) : null
}

/**
 * @param bytes decoded form of `given`
 * @returns `null` when the bytes are no UTF-8 text, or encode to another text than `given`
 */
function textOf(bytes: Buffer, given: string): string | null {
  if (bytes.length === 0 || !isUtf8(bytes) || bytes.includes(0)) return null
  const safe = given.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return bytes.toString('base64url') === safe ? bytes.toString('utf8') : null
}

/**
 * Decodes a global id of the root field `node`, which is the base64 of `Type:id`; `null`: the text is not a global id.
 */
export function nodeIdOf(text: string): { readonly type: string; readonly id: string } | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  // Plain ids, a UUID or a number, can be valid base64, too. They decode to no colon, which is the cheapest check.
  if (!bytes.includes(COLON)) return null
  const decoded = textOf(bytes, text)
  const match = decoded === null ? null : /^([_A-Za-z][_0-9A-Za-z]*):([\s\S]+)$/.exec(decoded)
  return match === null ? null : { type: match[1] ?? '', id: match[2] ?? '' }
}
