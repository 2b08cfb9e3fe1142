import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { bundle } from '../../scripts/build/bundle.ts'
import { DOORS } from '../../scripts/docs/api-pages.ts'
import { ROOT } from '../repo/source-files.ts'

t.setTimeout(120_000)

t.test('the bundle', async (t) => {
  const folder = t.testdir({})
  const dist = join(folder, 'dist')
  await bundle(ROOT, dist)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const chunks = readdirSync(join(dist, 'core')).filter((name) => name.endsWith('.js'))
  const texts = chunks.map((name) => readFileSync(join(dist, 'core', name), 'utf8'))

  await t.test('has each module once, so that classes and registries are shared', async (t) => {
    // Within a chunk, esbuild writes the path of a module above each of its parts.
    const names = texts.flatMap((text) => [
      ...new Set([...text.matchAll(/^\/\/ ((?:core|plugins|presets)\/\S+\.ts)$/gm)].map(([, name]) => name)),
    ])
    t.ok(names.length > 500)
    t.same(
      names.filter((name, at) => names.indexOf(name) !== at),
      [],
    )
  })

  await t.test('exports from each public entry the names that its source exports', async (t) => {
    const list = (url: string) =>
      execFileSync(
        process.execPath,
        [
          '--import',
          'tsx',
          '--input-type=module',
          '-e',
          `console.log(Object.keys(await import(${JSON.stringify(url)})).join())`,
        ],
        { cwd: ROOT, encoding: 'utf8' },
      )
    for (const { source } of DOORS) {
      const built = list(pathToFileURL(join(dist, `${source}.js`)).href)
      t.equal(built, list(pathToFileURL(join(ROOT, `${source}.ts`)).href), source)
    }
  })

  await t.test('finds files where they are in a build of one file per module', async (t) => {
    const urls = texts.flatMap((text) => [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)])
    t.ok(urls.length > 10)
    const base = pathToFileURL(join(dist, 'core/chunk.js'))
    for (const [, url = ''] of urls) {
      const source = fileURLToPath(new URL(url, base)).replace(dist, ROOT.replace(/\/$/, '')).replace(/\.js$/, '.ts')
      t.ok(existsSync(source), url)
    }
    for (const text of texts)
      t.notMatch(text.replace(/new URL\("\.[^"]+", import\.meta\.url\)/g, ''), /import\.meta\.(url|filename|dirname)/)
  })

  await t.test('reads only the modules of graphql-js that svc uses', async (t) => {
    const imported = new Set(
      texts.flatMap((text) => [...text.matchAll(/from "(graphql(?:\/[^"]+)?)"/g)].map(([, name]) => name!)),
    )
    t.ok(imported.has('graphql/language/parser.js'))
    t.notOk(imported.has('graphql'))
    for (const name of imported) t.ok(existsSync(join(ROOT, 'node_modules', name)), name)
  })
})
