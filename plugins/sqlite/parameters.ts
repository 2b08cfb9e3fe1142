import type { Parameter } from '../../core/doors/plugin.ts'

/**
 * Converts statement parameters to the values that are sent to SQLite. A list becomes one JSON text.
 * @throws TypeError unless each value is a text, null or a list of them; Error for a text with a character that
 * PostgreSQL would reject
 */
export function toBound(parameters: readonly Parameter[]): readonly (string | null)[] {
  return parameters.map((parameter) => {
    if (parameter === null) return null
    if (typeof parameter === 'string') return checked(parameter)
    if (Array.isArray(parameter)) return JSON.stringify(parameter.map(toItem))
    throw new TypeError(`A parameter must be text, null or a list of them, not ${typeof parameter}`)
  })
}

function toItem(item: unknown): string | null {
  if (item === null) return null
  if (typeof item === 'string') return checked(item)
  throw new TypeError(`An item of a list must be text or null, not ${typeof item}`)
}

/** Rejects NUL: some versions of Node's library read a text only up to its first NUL, so that the rest could not be read back. */
function checked(text: string): string {
  if (text.includes('\0')) throw Object.assign(new Error('a text has the character NUL'), { code: '22021' })
  return text
}
