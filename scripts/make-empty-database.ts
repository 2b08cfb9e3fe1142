/**
 * Part of `npm run build`: an initialised, empty database for the embedded engine, so that a service does not create
 * it at run time.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { readEngineVersion, templateName } from '../plugins/pglite/engine/engine-files.ts'

/** @param folder folder of the build in which the engine looks for it */
export async function makeEmptyDatabase(folder: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'svc-build-'))
  try {
    await (await PGlite.create(data)).close()
    // Closed cleanly, and read without a start: the packed database needs no recovery.
    const closed = await PGlite.create(data, { noInitDb: true })
    const packed = await closed.dumpDataDir('gzip')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, templateName(await readEngineVersion())), Buffer.from(await packed.arrayBuffer()))
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}
