import { skipSpace, skipString, skipValue } from '../../json/json-text.ts'
import type { Link, Places } from './cut-selection.ts'

/** The key of related rows in another database, with its position in the JSON response of the first database. */
export interface FoundKey {
  readonly link: Link
  /** The key of the related rows as text; `null`: the key is NULL, so that there are no related rows. */
  readonly key: string | null
  /** Index of the member with the key in the JSON text, at the start of its name. `to` is the index after its value. */
  readonly from: number
  readonly to: number
  /**
   * Path of the relation in the response, with list indexes; empty unless {@link findKeys} was called with `withPaths`.
   */
  readonly path: readonly (string | number)[]
}

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/**
 * Finds the keys of related rows in the JSON response of a database, in the order of the text.
 * @param text well-formed JSON
 * @param places where relations into other databases are
 * @param withPaths `true`: determine `FoundKey.path`
 */
export function findKeys(text: string, places: Places, withPaths = false): readonly FoundKey[] {
  const finder = new KeyFinder(text, withPaths)
  finder.value(skipSpace(text, 0), places)
  return finder.found
}

class KeyFinder {
  readonly found: FoundKey[] = []
  readonly #text: string
  readonly #withPaths: boolean
  readonly #path: (string | number)[] = []

  constructor(text: string, withPaths: boolean) {
    this.#text = text
    this.#withPaths = withPaths
  }

  /** Scans a value. @returns index after it */
  value(at: number, places: Places): number {
    const code = this.#text.charCodeAt(at)
    if (code === OPEN_BRACKET) return this.#items(at, places)
    return code === OPEN_BRACE ? this.#members(at, places) : skipValue(this.#text, at)
  }

  #items(from: number, places: Places): number {
    let at = skipSpace(this.#text, from + 1)
    for (let index = 0; this.#text.charCodeAt(at) !== CLOSE_BRACKET; index++) {
      this.#path.push(index)
      at = this.#next(this.value(at, places))
      this.#path.pop()
    }
    return at + 1
  }

  #members(from: number, places: Places): number {
    const text = this.#text
    let at = skipSpace(text, from + 1)
    while (text.charCodeAt(at) !== CLOSE_BRACE) {
      const nameEnd = skipString(text, at)
      const name = text.slice(at + 1, nameEnd - 1)
      const begin = skipSpace(text, skipSpace(text, nameEnd) + 1)
      const place = places.get(name)
      if (place === undefined) at = this.#next(skipValue(text, begin))
      else if ('key' in place) at = this.#next(this.#link(at, begin, place))
      else {
        this.#path.push(name)
        at = this.#next(this.value(begin, place))
        this.#path.pop()
      }
    }
    return at + 1
  }

  #link(from: number, begin: number, link: Link): number {
    const text = this.#text
    const to = skipValue(text, begin)
    const key = text.charCodeAt(begin) === QUOTE ? (JSON.parse(text.slice(begin, to)) as string) : null
    const path = this.#withPaths ? [...this.#path, link.relation.responseKey] : NO_PATH
    this.found.push({ link, key, from, to, path })
    return to
  }

  /** Returns the index after a comma, or of the closing bracket. */
  #next(at: number): number {
    const next = skipSpace(this.#text, at)
    return this.#text.charCodeAt(next) === COMMA ? skipSpace(this.#text, next + 1) : next
  }
}

const NO_PATH: FoundKey['path'] = Object.freeze([])
