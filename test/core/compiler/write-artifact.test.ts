import { link, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeCompiledSchema } from '../../../core/compiler/emit.ts'
import type { CompiledSchema } from '../../../core/schema/compiled.ts'

t.test('the artifact is put in place whole: who has the old one open reads that to its end', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'out', 'schema.compiled.json')
  await writeCompiledSchema(path, { version: 'old' } as CompiledSchema)
  const old = join(folder, 'old.json')
  await link(path, old)
  await writeCompiledSchema(path, { version: 'new' } as CompiledSchema)
  t.match(await readFile(path, 'utf8'), /"new"/)
  t.match(await readFile(old, 'utf8'), /"old"/, 'the file was not written in place')
  t.strictSame(await readdir(join(folder, 'out')), ['schema.compiled.json'], 'no draft is left')
})
