import type { Parameter } from '../../core/doors/plugin.ts'

/**
 * Parameters as they are bound: a list travels as one, in JSON.
 * @throws TypeError for what is neither text, null nor a list of them; for a character that no text can have here (an Error
 * with the SQLSTATE that PostgreSQL answers)
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

/** Node's library reads a text up to its first NUL, in some versions: what cannot be read back is not written. */
function checked(text: string): string {
  if (text.includes('\0')) throw Object.assign(new Error('a text has the character NUL'), { code: '22021' })
  return text
}
