/** Translates these files at once, before the processes that need them start. */
export function translateAll(files: readonly string[]): Promise<void>

/** @returns the JavaScript of a file, with its map at the end */
export function translateSync(file: string): string
