/**
 * Decodes the value of an MCP header. `=?base64?…?=` encodes text that a header cannot contain.
 * @returns `null` for invalid base64
 */
export function headerText(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const coded = value.slice('=?base64?'.length, -'?='.length)
  const bytes = Buffer.from(coded, 'base64')
  return bytes.toString('base64') === coded ? bytes.toString('utf8') : null
}
