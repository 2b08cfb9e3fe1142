import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes a file beside its place and moves it there, so that nobody ever reads half of it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
