/** The `Prefer` header, with names and values in lower case. The first of two equal names counts (RFC 7240). */
export type Preferences = ReadonlyMap<string, string>

const NONE: Preferences = new Map()

export function readPreferences(header: string | readonly string[] | undefined): Preferences {
  if (header === undefined) return NONE
  const text = typeof header === 'string' ? header : header.join(',')
  const preferences = new Map<string, string>()
  for (const part of text.split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=').map((piece) => piece.trim())
    const known = name.toLowerCase()
    if (known !== '' && !preferences.has(known)) preferences.set(known, value.replace(/^"(.*)"$/, '$1').toLowerCase())
  }
  return preferences
}

/** Applied preferences, for `Preference-Applied` and `X-Preference-Fallback`. */
export class AppliedPreferences {
  #applied: string[] | null = null
  #fallback: string | null = null

  apply(name: string, value: string): void {
    this.#applied ??= []
    this.#applied.push(`${name}=${value}`)
  }

  /** Removes a preference that could not be applied. */
  withdraw(name: string): void {
    const left = (this.#applied ?? []).filter((one) => !one.startsWith(`${name}=`))
    this.#applied = left.length === 0 ? null : left
  }

  fallBack(reason: string): void {
    this.#fallback = reason
  }

  /** Adds the headers. */
  writeTo(headers: Record<string, string | readonly string[]>): void {
    if (this.#applied !== null) headers['preference-applied'] = this.#applied.join(', ')
    if (this.#fallback !== null) headers['x-preference-fallback'] = this.#fallback
  }
}
