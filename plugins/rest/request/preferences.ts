/** Preferences in the header `Prefer` (RFC 7240), by lower-case name. Of two equal names, the first counts. */
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

/** Collects the preferences that a reply followed, for the headers `Preference-Applied` and `X-Preference-Fallback`. */
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
