/** Options without a test, and the reason. An option with a test must not be listed here. */
export const GAPS: Readonly<Record<string, string>> = {}
