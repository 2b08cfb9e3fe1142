/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/** The revision whose requests say everything themselves. */
export const MODERN_VERSION = '2026-07-28'
/** All that are spoken, newest first. */
export const VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** Of a client that says none: revisions before 2025-06-18 had no header for it. */
export const UNSAID_VERSION = '2025-03-26'

/** The revision for a client that asks for one by `initialize`: that one, or the newest that begins so. */
export function negotiate(asked: unknown): string {
  return LEGACY_VERSIONS.find((one) => one === asked) ?? LEGACY_VERSIONS[0]
}

/** What a revision has; they are dates. */
export const hasStructuredContent = (version: string): boolean => version >= '2025-06-18'
export const hasTitles = hasStructuredContent
export const hasAnnotations = (version: string): boolean => version >= '2025-03-26'
/** Lists of messages were in one revision alone. */
export const hasBatches = (version: string): boolean => version === '2025-03-26'
export const isModern = (version: string): boolean => version >= MODERN_VERSION
