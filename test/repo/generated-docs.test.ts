import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { CODES } from '../../core/base/errors/codes.ts'
import {
  assembleConfigSchema,
  isSection,
  listKeys,
  propertiesOf,
  type SchemaNode,
} from '../../core/config/assemble-schema.ts'
import { environmentName } from '../../core/config/environment.ts'
import { valueAt } from '../../core/config/key-path.ts'
import { loadConfig } from '../../core/config/load-config.ts'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { listFiles } from './source-files.ts'

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

t.test('svc.toml.example names every key, of tables in arrays and other names of keys too', async (t) => {
  const example = readFileSync(`${root}svc.toml.example`, 'utf8')
  const missing: string[] = []
  const sectionOf = (path: readonly string[]): string => {
    const [, text = ''] = example.split(`\n# [${path.join('.')}]\n`)
    return text.split(/\n# \[[^\]\n]+\]\n/)[0]!
  }
  const look = (node: SchemaNode, path: readonly string[]): void => {
    const text = sectionOf(path)
    for (const [key, child] of Object.entries(propertiesOf(node))) {
      if (isSection(child)) {
        look(child, [...path, key])
        continue
      }
      if (!new RegExp(`^(# ${key} = |## ${key}: )`, 'm').test(text)) missing.push([...path, key].join('.'))
      for (const item of Object.keys(propertiesOf(child.items as SchemaNode | undefined))) {
        if (!new RegExp(`^##   ${item}( \\(required\\))?: `, 'm').test(text))
          missing.push(`${[...path, key].join('.')}[].${item}`)
      }
    }
    const named = node.additionalProperties
    if (typeof named === 'object' && named !== null) look(named as SchemaNode, [...path, 'crm'])
  }
  look(assembleConfigSchema(listManifests()), [])
  t.strictSame(missing, [])
})

t.test('every variable that the documents name is one that svc reads', async (t) => {
  const keys = listKeys(assembleConfigSchema(listManifests()))
  const known = new Set([
    ...keys.map(({ path }) => environmentName(path)),
    ...keys.flatMap(({ schema: { environment } }) => (typeof environment === 'string' ? [environment] : [])),
    ...Object.keys(CODES),
    'SVC_LOG_LEVEL',
    'SVC_LOG_FORMAT',
    'SVC_DIST',
    'SVC_REQUIRE_KVSTORE',
    'SVC_MCP_STDIO',
  ])
  const files = ['docs/plugins', 'docs/guides', 'docs/reference', 'docs/tutorial', 'deploy'].flatMap((folder) => [
    ...listFiles(folder, '.md'),
    ...listFiles(folder, '.yml'),
    ...listFiles(folder, '.yaml'),
  ])
  t.ok(files.length > 60)
  const unknown = files.flatMap((file) => {
    const text = readFileSync(`${root}${file}`, 'utf8').replace(/\$\{SVC_\w+/g, '')
    return [...text.matchAll(/\bSVC_[A-Z][A-Z0-9_]*[A-Z0-9]\b/g)]
      .filter(([name]) => !known.has(name) && !name.startsWith('SVC_TEST_') && !name.startsWith('SVC_DATABASES__'))
      .map(([name]) => `${file}: ${name}`)
  })
  t.strictSame(unknown, [])
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
