import type { CursorPage, OffsetPage } from '../request/read-request.ts'

/** What is known of a page by numbers, once it is there. */
export interface PageFacts {
  readonly hasNext: boolean
  /** Of all rows, where the client wants to know. */
  readonly total: number | null
}

/** `meta` and `links` of a page by numbers, as JSON text. Links are paths, with all other parameters kept. */
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

/** What the engine says of a page by cursors. */
export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** `meta` and `links` of a page by cursors, as JSON text. */
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

/** The link with this paging, as JSON text. */
function linker(pathname: string, kept: string): (paging: string) => string {
  const before = JSON.stringify(kept === '' ? pathname : `${pathname}?${kept}`).slice(0, -1)
  const joint = kept === '' ? '?' : '&'
  return (paging) => (paging === '' ? `${before}"` : `${before}${joint}${paging}"`)
}
