import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadSchema } from '../../../core/compiler/load.ts'
import type { PrintedFile } from '../../../core/introspect/print/plan-files.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'

/** Loads printed files as the compiler would. @returns the schema without the places of its elements */
export async function loadPrinted(files: readonly PrintedFile[]): Promise<AuthoredSchema> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-printed-'))
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    return withoutPlaces((await loadSchema(join(folder, files[0]!.path))).schema)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the places of elements and fields. */
export function withoutPlaces<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === '$place' ? undefined : inner))) as T
}
