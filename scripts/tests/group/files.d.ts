/** The test that stands for a file, by the file's URL. */
export const FILES: Map<string, unknown>
