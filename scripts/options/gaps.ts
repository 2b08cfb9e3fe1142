/** Options that no test proves yet, and why. One that has a test must not stand here. */
export const GAPS: Readonly<Record<string, string>> = {}
