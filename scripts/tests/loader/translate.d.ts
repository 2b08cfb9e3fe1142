/** Translates these files at once, before the processes that need them start. */
export function translateAll(files: readonly string[]): Promise<void>
