import type { CursorPage, OffsetPage } from '../request/read-request.ts'

/** Whether a page with `limit` and `offset` has a next page, and the total number of rows. */
export interface PageFacts {
  readonly hasNext: boolean
  /** Number of rows on all pages; `null`: not requested. */
  readonly total: number | null
}

/**
 * Writes `meta` and `links` for a page with `limit` and `offset`, as JSON members after `data`.
 * @param kept query string without paging parameters, which links repeat
 */
export function offsetEnvelope(
  pathname: string,
  kept: string,
  page: OffsetPage,
  { hasNext, total }: PageFacts,
): string {
  const { limit, offset } = page
  const counted = total === null ? '' : `,"total":${total}`
  const link = linker(pathname, kept)
  const at = (start: number): string => {
    const paging = limit === null ? '' : `limit=${limit}${offset === null ? '' : `&offset=${start}`}`
    return link(limit === null && offset !== null ? `offset=${start}` : paging)
  }
  const start = offset ?? 0
  const canPage = limit !== null && limit > 0 && offset !== null
  const next = canPage && hasNext ? at(start + limit) : 'null'
  const prev = canPage && start > 0 ? at(Math.max(0, start - limit)) : 'null'
  const last = total === null ? '' : `,"last":${at(canPage ? lastStart(total, limit) : start)}`
  return `"meta":{"limit":${limit},"offset":${start}${counted}},"links":{"self":${at(start)},"next":${next},"prev":${prev},"first":${at(0)}${last}}`
}

function lastStart(total: number, limit: number): number {
  return Math.max(0, Math.floor((total - 1) / limit) * limit)
}

/** The Relay object `pageInfo` of a page with cursors. */
export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/**
 * Writes `meta` and `links` for a page with cursors, as JSON members after `data`.
 * @param kept query string without paging parameters, which links repeat
 * @param total number of rows on all pages; `null`: not requested
 */
export function cursorEnvelope(
  pathname: string,
  kept: string,
  page: CursorPage,
  info: PageInfo,
  total: number | null,
): string {
  const link = linker(pathname, kept)
  const { direction, size, after, before } = page
  const from = `${after === null ? '' : `&after=${encodeURIComponent(after)}`}${before === null ? '' : `&before=${encodeURIComponent(before)}`}`
  const next =
    info.hasNextPage && info.endCursor !== null
      ? link(`first=${size}&after=${encodeURIComponent(info.endCursor)}`)
      : 'null'
  const counted = total === null ? '' : `,"total":${total}`
  const meta = `"meta":{"hasNextPage":${info.hasNextPage},"hasPreviousPage":${info.hasPreviousPage}${counted}}`
  return `${meta},"links":{"self":${link(`${direction}=${size}${from}`)},"next":${next}}`
}

/** Returns a function that writes the link with given paging parameters as JSON. */
function linker(pathname: string, kept: string): (paging: string) => string {
  const before = JSON.stringify(kept === '' ? pathname : `${pathname}?${kept}`).slice(0, -1)
  const joint = kept === '' ? '?' : '&'
  return (paging) => (paging === '' ? `${before}"` : `${before}${joint}${paging}"`)
}
