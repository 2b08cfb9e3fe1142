import { rename, rm, writeFile } from 'node:fs/promises'

/** Replaces a file atomically: writes a temporary file and renames it, so that readers never see a partial file. */
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
