import type { QueryModel } from '../../../core/doors/plugin.ts'
import type { CursorPage, OffsetPage } from './read-request.ts'
import { badInput, badRequest } from './refusals.ts'
import type { RequestLimits } from './request-limits.ts'

const LARGEST = 2_147_483_647

/** Reads the paging parameters of a REST list. The query decides whether pages have offsets or cursors. */
export class PageReader {
  /** Names of the paging parameters. */
  readonly names: readonly string[]
  readonly #query: QueryModel
  /** Maximum page size. A larger one is reduced to it. */
  readonly most: number
  readonly byDefault: number

  constructor(query: QueryModel, options: RequestLimits, maxRows: number) {
    const { limit, offset } = query.autoParams
    this.#query = query
    this.most = maxRows > 0 ? Math.min(options.max_page_size, maxRows) : options.max_page_size
    this.byDefault = Math.min(options.default_page_size, this.most)
    this.names = query.relay
      ? ['first', 'after', 'last', 'before']
      : [...(limit ? ['limit'] : []), ...(offset ? ['offset'] : [])]
  }

  /** @throws SvcError BAD_REQUEST for a paging parameter that this list does not have */
  check(name: string): void {
    if (this.names.includes(name)) return
    const { wireName, relay } = this.#query
    const way = this.names.length === 0 ? 'it has no pages' : `use ${this.names.slice(0, 2).join(' and ')}`
    const kind = relay ? 'pages by cursors' : 'pages by limit and offset'
    throw badRequest(
      `"${name}" is no parameter of ${wireName}, which ${this.names.length === 0 ? 'comes whole' : kind}: ${way}.`,
      {
        parameter: name,
        available: this.names,
      },
    )
  }

  /** @throws SvcError BAD_USER_INPUT */
  read(given: Readonly<Record<string, string>> | null): OffsetPage | CursorPage {
    if (this.#query.relay) return this.#cursors(given ?? {})
    const { limit, offset } = this.#query.autoParams
    return {
      kind: 'offset',
      limit: limit ? this.#size('limit', given?.limit) : null,
      offset: offset ? count('offset', given?.offset ?? '0') : null,
    }
  }

  /** Reads the limit of a stream, which has no maximum. @throws SvcError BAD_REQUEST, BAD_USER_INPUT */
  readWhole(given: Readonly<Record<string, string>> | null): OffsetPage {
    const { limit, ...others } = given ?? {}
    const [other] = Object.keys(others)
    if (other !== undefined) throw badRequest(`"${other}" is for pages, and a stream has none.`, { parameter: other })
    return { kind: 'offset', limit: limit === undefined ? null : count('limit', limit), offset: null }
  }

  #cursors({ first, after, last, before }: Readonly<Record<string, string>>): CursorPage {
    const direction = last !== undefined && first === undefined ? 'last' : 'first'
    if (last !== undefined) count('last', last)
    return {
      kind: 'cursor',
      direction,
      size: this.#size(direction, direction === 'last' ? last : first),
      after: after ?? null,
      before: before ?? null,
    }
  }

  #size(name: string, text: string | undefined): number {
    return text === undefined ? this.byDefault : Math.min(count(name, text), this.most)
  }
}

/**
 * Parses a query parameter that is a number of rows, such as `limit`.
 * @param name name of the parameter, for errors
 * @throws SvcError BAD_USER_INPUT
 */
export function count(name: string, text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= LARGEST) return number
  throw badInput(`${name}: ${JSON.stringify(text.slice(0, 60))} is no number of rows, 0 to ${LARGEST}.`, name)
}
