import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
  // Read at import; `npm run build` copies the files that are no modules.
  const asset = 'core/cli/generate/typescript/runtime.txt'
  cpSync(join(ROOT, asset), join(dist, asset))
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
      t.notMatch(
        // Packages are found from any file of the build.
        text.replace(/new URL\("\.[^"]+", import\.meta\.url\)|createRequire\d*\(import\.meta\.url\)/g, ''),
        /import\.meta\.(url|filename|dirname)/,
      )
  })

  await t.test('reads only the modules of graphql-js that svc uses', async (t) => {
    const loaded = /createRequire\d*\(import\.meta\.url\)\("(graphql\/[^"]+)"\)/g
    const imported = new Set(texts.flatMap((text) => [...text.matchAll(loaded)].map(([, name]) => name!)))
    t.ok(imported.has('graphql/language/parser.js'))
    for (const text of texts) t.notMatch(text, /(?:from |import\()"graphql["/]/, 'it is loaded as CommonJS')
    for (const name of imported) t.ok(existsSync(join(ROOT, 'node_modules', name)), name)
  })

  await t.test('shares the classes of graphql-js with plugins that import the package', async (t) => {
    const script = `const { printSdl } = await import(${JSON.stringify(pathToFileURL(join(dist, 'plugins/graphql/index.js')).href)})
      const { createRequire } = await import('node:module')
      const graphql = await import('graphql')
      const loaded = createRequire(${JSON.stringify(join(dist, 'core/x.js'))})('graphql/error/GraphQLError.js')
      console.log(loaded.GraphQLError === graphql.GraphQLError, typeof printSdl)`
    const shown = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' })
    t.match(shown, /^true /)
  })

  await t.test('holds what every service loads in two files, so that a start reads few', async (t) => {
    const linksOf = (name: string): readonly string[] =>
      [...readFileSync(join(dist, 'core', name), 'utf8').matchAll(/^(?:import|export)[^;]*? from "\.\/([^"]+)"/gm)].map(
        ([, file]) => file!,
      )
    const read = new Set<string>()
    const add = (name: string): void => {
      if (read.has(name)) return
      read.add(name)
      linksOf(name).forEach(add)
    }
    for (const name of ['svc-cli.js', 'core-cli-run-run.js', 'plugins-graphql-index.js', 'plugins-postgres-index.js'])
      add(name)
    t.ok(read.has('layer-start.js') && read.has('layer-service.js'))
    t.ok(read.size < 25, [...read].join(' '))
    t.same(linksOf('layer-start.js'), [])
    t.same([...new Set(linksOf('layer-service.js'))], ['layer-start.js'])
    const service = readFileSync(join(dist, 'core', 'layer-service.js'), 'utf8')
    const plugins = [...service.matchAll(/^\/\/ plugins\/\S+\/(\S+\.ts)$/gm)].map(([, file]) => file)
    t.ok(plugins.length > 50)
    const listing = /^(manifest|options|schema-keys|api|tables?|own-tables|([a-z]+-)?packages?)\.ts$/
    t.same(
      plugins.filter((file) => !listing.test(file!)),
      [],
      'a plugin that a service leaves out is not in them',
    )
  })

  await t.test(
    'has only ASCII there, because V8 stores a file with any other character in two bytes each',
    async (t) => {
      for (const name of ['layer-start.js', 'layer-service.js']) {
        const text = readFileSync(join(dist, 'core', name), 'utf8')
        t.same(text.match(/.{0,40}[^\0-\x7f].{0,40}/g), null, `${name}: write \\uXXXX in the regular expression`)
      }
    },
  )
})
