import type { Filter } from './json-filter.ts'

/** What a request asks of rows that are embedded: `posts.limit`, `posts.status[eq]`. */
export interface EmbeddedParameter {
  /** Names from the row down, as the client wrote them. */
  readonly path: readonly string[]
  readonly what: 'sort' | 'limit' | 'offset' | 'condition'
  /** Of a condition: the field; else empty. */
  readonly field: string
  readonly operator: string
  readonly value: string
  /** The whole name. */
  readonly name: string
}

/** A page by numbers. */
export interface OffsetPage {
  readonly kind: 'offset'
  /** `null`: the query knows no limit. */
  readonly limit: number | null
  readonly offset: number | null
}

/** A page by cursors. */
export interface CursorPage {
  readonly kind: 'cursor'
  readonly direction: 'first' | 'last'
  readonly size: number
  readonly after: string | null
  readonly before: string | null
}

/** What path and query string of one request say about reading. */
export interface ReadRequest {
  /** The text of `select`; `null` = all fields. */
  readonly select: string | null
  readonly sort: string | null
  readonly page: OffsetPage | CursorPage | null
  readonly where: Filter | null
  readonly search: string | null
  /** Coerced, by name on the wire. */
  readonly args: Readonly<Record<string, unknown>>
  readonly embedded: readonly EmbeddedParameter[]
  /** Parameters that are no page, as the client wrote them, for links. */
  readonly kept: string
}
