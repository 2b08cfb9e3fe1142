import { link, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeCompiledSchema } from '../../../core/compiler/emit.ts'
import { writeSchemaJson } from '../../../core/compiler/write-schema-json.ts'
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

t.test('schema.json is put in place whole, too', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'schema.json')
  await writeSchemaJson({ version: 'old' }, path)
  const old = join(folder, 'old.json')
  await link(path, old)
  t.equal(await writeSchemaJson({ version: 'new' }, path), true)
  t.match(await readFile(path, 'utf8'), /"new"/)
  t.match(await readFile(old, 'utf8'), /"old"/, 'the file was not written in place')
  t.strictSame((await readdir(folder)).sort(), ['old.json', 'schema.json'], 'no draft is left')
  await t.rejects(writeSchemaJson({ version: 'x' }, join(folder, 'none', 'schema.json')), { code: 'ENOENT' })
})
