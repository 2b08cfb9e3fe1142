import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { findObstacle, layOutPlugin } from '../../scripts/new-plugin.ts'

const root = join(import.meta.dirname, '../..')
// Shaped like the repository, and inside of it, so that the packages are found.
const folder = join(root, 'node_modules/.cache/svc-new-plugin', String(process.pid))
mkdirSync(folder, { recursive: true })
symlinkSync(join(root, 'core'), join(folder, 'core'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
writeFileSync(
  join(folder, 'tsconfig.json'),
  JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['plugins', 'test'], exclude: [] }),
)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

// Under `tap` the child would take itself for a subtest and write another summary.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP/.test(name)))
const node = (...args: string[]) => spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env })

t.test('the created files are complete, compile and are formatted, and their test passes', async (t) => {
  t.equal(findObstacle(folder, 'rate-meter'), null)
  t.same(layOutPlugin(folder, 'rate-meter'), [
    'plugins/rate-meter/manifest.ts',
    'plugins/rate-meter/options.ts',
    'plugins/rate-meter/index.ts',
    'test/plugins/rate-meter/rate-meter.test.ts',
    'docs/plugins/rate-meter.md',
  ])
  t.same(readdirSync(join(folder, 'plugins/rate-meter')).sort(), ['index.ts', 'manifest.ts', 'options.ts'])

  const compiled = node(join(root, 'node_modules/typescript/bin/tsc'), '-p', folder)
  const own = compiled.stdout.split('\n').filter((line) => line.includes('rate-meter'))
  t.same(own, [], 'no type errors')

  for (const path of ['plugins/rate-meter/index.ts', 'test/plugins/rate-meter/rate-meter.test.ts']) {
    const text = readFileSync(join(folder, path), 'utf8')
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const formatted = spawnSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
      cwd: root,
      input: text,
      encoding: 'utf8',
    })
    t.equal(formatted.stdout, text, `${path} is formatted`)
  }

  const ran = node('--import=tsx', join(folder, 'test/plugins/rate-meter/rate-meter.test.ts'))
  t.equal(ran.status, 0, ran.stdout)
  t.match(ran.stdout, 'pass: 3')

  const { default: plugin } = await import(pathToFileURL(join(folder, 'plugins/rate-meter/index.ts')).href)
  t.match(plugin.manifest, { name: 'rate-meter', config: 'rate_meter' })
})

t.test('refuses what exists and what is no name', async (t) => {
  mkdirSync(join(folder, 'docs/plugins'), { recursive: true })
  writeFileSync(join(folder, 'docs/plugins/written.md'), '')
  t.match(findObstacle(folder, 'written'), /docs.plugins.written\.md exists already/)
  t.match(findObstacle(root, 'cors'), /plugins.cors exists already/)
  t.match(findObstacle(folder, 'server'), 'share the section [server] with core')
  for (const name of ['', 'Rate', 'rate_limit', '-x', 'x-', 'a--b', '../x', '1x', 'a/b']) {
    t.match(findObstacle(folder, name), /is no name for a plugin/, name)
  }
})

t.test('the command says what is wrong', async (t) => {
  const script = join(root, 'scripts/new-plugin.ts')
  const none = node('--import=tsx', script)
  t.match(none, { status: 2, stderr: /Usage: npm run new:plugin NAME/ })
  t.match(node('--import=tsx', script, 'a', 'b'), { status: 2 })
  t.match(node('--import=tsx', script, 'cors'), { status: 2, stderr: /exists already/, stdout: '' })
})
