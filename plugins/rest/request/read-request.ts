import type { Filter } from './json-filter.ts'

/** A query parameter for a list of related rows: `posts.limit`, `posts.status[eq]`. */
export interface EmbeddedParameter {
  /** Names from the row to the list, as the client wrote them: `posts` in `posts.limit`. */
  readonly path: readonly string[]
  readonly what: 'sort' | 'limit' | 'offset' | 'condition'
  /** Field that a condition compares; empty for other parameters. */
  readonly field: string
  readonly operator: string
  readonly value: string
  /** Full name of the parameter in the query string. */
  readonly name: string
}

/** A requested page with `limit` and `offset`. */
export interface OffsetPage {
  readonly kind: 'offset'
  /** Maximum number of rows; `null`: the query has no limit. */
  readonly limit: number | null
  readonly offset: number | null
}

/** A requested page with cursors. */
export interface CursorPage {
  readonly kind: 'cursor'
  readonly direction: 'first' | 'last'
  readonly size: number
  readonly after: string | null
  readonly before: string | null
}

/** A REST request that reads rows, parsed from its path and query string. */
export interface ReadRequest {
  /** Value of the parameter `select`; `null`: all fields. */
  readonly select: string | null
  readonly sort: string | null
  readonly page: OffsetPage | CursorPage | null
  readonly where: Filter | null
  readonly search: string | null
  /** Arguments of the query by GraphQL name, converted to their types. */
  readonly args: Readonly<Record<string, unknown>>
  readonly embedded: readonly EmbeddedParameter[]
  /** Query string without paging parameters, as the client wrote it, for links to other pages. */
  readonly kept: string
}
