import type { Filter } from './json-filter.ts'

/** A parameter of an embedded list: `posts.limit`, `posts.status[eq]`. */
export interface EmbeddedParameter {
  /** Names from the row to the embedded list, as the client wrote them. */
  readonly path: readonly string[]
  readonly what: 'sort' | 'limit' | 'offset' | 'condition'
  /** Field that a condition filters by; otherwise empty. */
  readonly field: string
  readonly operator: string
  readonly value: string
  /** Full name of the parameter in the query string. */
  readonly name: string
}

/** A page with limit and offset. */
export interface OffsetPage {
  readonly kind: 'offset'
  /** Maximum number of rows; `null`: the query has no limit. */
  readonly limit: number | null
  readonly offset: number | null
}

/** A page with cursors. */
export interface CursorPage {
  readonly kind: 'cursor'
  readonly direction: 'first' | 'last'
  readonly size: number
  readonly after: string | null
  readonly before: string | null
}

/** A read request, parsed from path and query string. */
export interface ReadRequest {
  /** Text of the parameter `select`; `null`: all fields. */
  readonly select: string | null
  readonly sort: string | null
  readonly page: OffsetPage | CursorPage | null
  readonly where: Filter | null
  readonly search: string | null
  /** Coerced arguments by wire name. */
  readonly args: Readonly<Record<string, unknown>>
  readonly embedded: readonly EmbeddedParameter[]
  /** Query string without paging parameters, as the client wrote it, for links to other pages. */
  readonly kept: string
}
