/** Supported MCP revisions whose connections begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
/**
 * The newest MCP revision, without `initialize` and sessions: each request names the revision and the client's
 * capabilities.
 */
export const MODERN_VERSION = '2026-07-28'
/** All supported MCP revisions, newest first. */
export const VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** MCP revision for HTTP requests that do not name one, because revisions before 2025-06-18 had no header for it. */
export const UNSAID_VERSION = '2025-03-26'

/**
 * Chooses the protocol revision for an `initialize` request: the requested one if it is supported, else the newest
 * revision that has `initialize`.
 */
export function negotiate(requested: unknown): string {
  return LEGACY_VERSIONS.find((one) => one === requested) ?? LEGACY_VERSIONS[0]
}

/**
 * Tests whether an MCP revision has `structuredContent` in results. Revisions are dates, so they compare as strings.
 */
export const hasStructuredContent = (version: string): boolean => version >= '2025-06-18'
export const hasTitles = hasStructuredContent
export const hasAnnotations = (version: string): boolean => version >= '2025-03-26'
/** Tests whether an MCP revision allows JSON-RPC batches. Only 2025-03-26 does. */
export const hasBatches = (version: string): boolean => version === '2025-03-26'
export const isModern = (version: string): boolean => version >= MODERN_VERSION
