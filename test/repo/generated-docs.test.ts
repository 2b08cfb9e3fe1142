import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { listKeys } from '../../core/config/assemble-schema.ts'
import { valueAt } from '../../core/config/key-path.ts'
import { loadConfig } from '../../core/config/load-config.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

t.test('generated documents are up to date', async (t) => {
  const run = promisify(execFile)
  await t.resolves(run(process.execPath, ['--import=tsx', 'scripts/generate-docs.ts', '--check'], { cwd: root }))
})

t.test('svc.toml.example, uncommented, is a valid file with every key at its default', async (t) => {
  const example = readFileSync(`${root}svc.toml.example`, 'utf8')
  const dir = t.testdir({ 'svc.toml': example.replace(/^# /gm, ''), 'empty.toml': '' })
  const catalog = () => ({ manifests: listManifests() })
  const written = await loadConfig({ file: 'svc.toml', cwd: dir, env: {}, catalog })
  const { config: defaults, schema } = await loadConfig({ file: 'empty.toml', cwd: dir, env: {}, catalog })
  for (const { path, schema: node } of listKeys(schema)) {
    const key = path.join('.')
    // Other names of keys, which stand there under the one that is meant.
    if (node.deprecated === true) continue
    t.equal(written.sources.get(key)?.layer, 'file', `${key} is in the example`)
    const byDefault = valueAt(defaults, path)
    if (byDefault !== undefined) t.strictSame(valueAt(written.config, path), byDefault, key)
  }
})

t.test('every key has a description, every default is one that its key takes', async (t) => {
  const { schema } = await loadConfig({
    file: 'none.toml',
    optional: true,
    cwd: t.testdir(),
    env: {},
    catalog: () => ({ manifests: listManifests() }),
  })
  for (const { path, schema: key } of listKeys(schema)) t.type(key.description, 'string', path.join('.'))
})
