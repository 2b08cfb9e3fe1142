/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** The revision without sessions: each request names its revision and the capabilities of the client. */
export const MODERN_VERSION = '2026-07-28'
/** All supported revisions, newest first. */
export const VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** Protocol revision for clients that do not name one, because revisions before 2025-06-18 had no header for it. */
export const UNSAID_VERSION = '2025-03-26'

/** Chooses the revision for an `initialize` request: the requested one if it is supported, else the newest revision with `initialize`. */
export function negotiate(requested: unknown): string {
  return LEGACY_VERSIONS.find((one) => one === requested) ?? LEGACY_VERSIONS[0]
}

/** Features by revision. Revisions are dates, so that strings compare. */
export const hasStructuredContent = (version: string): boolean => version >= '2025-06-18'
export const hasTitles = hasStructuredContent
export const hasAnnotations = (version: string): boolean => version >= '2025-03-26'
/** Tests whether a protocol revision allows JSON-RPC batches. Only one revision does. */
export const hasBatches = (version: string): boolean => version === '2025-03-26'
export const isModern = (version: string): boolean => version >= MODERN_VERSION
