import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { DOORS } from '../../scripts/docs/api-pages.ts'
import { importsOf, listFiles, ROOT, read } from './source-files.ts'

/** Static imports and re-exports that stay when types are erased. */
const AT_RUN_TIME = /^(?:import|export)\s+(?!type\b)(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm

/** What loading a module loads: files of the project and packages. */
function loadedBy(entry: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (files.has(file)) return
    files.add(file)
    for (const [, specifier] of read(file).matchAll(AT_RUN_TIME)) {
      if (specifier!.startsWith('.')) visit(join(dirname(file), specifier!))
      else if (!specifier!.startsWith('node:')) packages.add(specifier!)
    }
  }
  visit(entry)
  return { files, packages }
}

/** Lines of the kernel. May only fall. */
const KERNEL_LINES = 1371

t.test('importing svc loads little', async (t) => {
  const { files, packages } = loadedBy('core/doors/plugin.ts')
  t.ok(files.size <= 45, `${files.size} modules; at most 45 are allowed`)
  // definePlugin and messages that suggest a name: every service loads both.
  t.same([...packages].sort(), ['fastest-levenshtein', 'fastify-plugin'])
  t.ok(files.has('core/kernel/plugin.ts'), 'the walk follows imports')
})

t.test('a manifest is data', async (t) => {
  const manifests = listFiles('plugins', 'manifest.ts')
  t.ok(manifests.length > 30)
  for (const manifest of manifests) {
    const { files, packages } = loadedBy(manifest)
    t.ok(files.size <= 10, `${manifest} loads ${files.size} modules; at most 10 are allowed`)
    t.same([...packages], [], `${manifest} loads no package`)
  }
})

t.test('every public entry is in package.json, tsconfig.json and the reference', async (t) => {
  const { exports } = JSON.parse(read('package.json')) as {
    readonly exports: Record<string, { types: string; default: string }>
  }
  const { compilerOptions } = JSON.parse(read('tsconfig.json')) as {
    readonly compilerOptions: { readonly paths: object }
  }
  const specifiers = Object.keys(exports).filter((name) => name !== './package.json')
  t.same(specifiers.map((name) => name.replace(/^\./, 'svc')).sort(), DOORS.map(({ specifier }) => specifier).sort())
  t.same(Object.keys(compilerOptions.paths).sort(), DOORS.map(({ specifier }) => specifier).sort())
  for (const { specifier, source, page } of DOORS) {
    const entry = exports[specifier.replace(/^svc/, '.')]
    t.same(entry, { types: `./dist/${source}.d.ts`, default: `./dist/${source}.js` }, specifier)
    t.ok(existsSync(join(ROOT, `${source}.ts`)), source)
    t.ok(read('docs/reference/api/README.md').includes(`(${page}.md)`), `${page}.md is in the index`)
  }
})

t.test('no name is exported by two of the doors', async (t) => {
  const names = DOORS.filter(({ source }) => source.startsWith('core/doors/')).flatMap(({ page }) =>
    [...read(`docs/reference/api/${page}.md`).matchAll(/^## `(\w+)`$/gm)].map(([, name]) => name!),
  )
  t.ok(names.length > 300)
  t.same(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  )
})

/** Names that a door exports. May only fall: svc is for every plugin, and a family of names of a front is a namespace. */
const MOST_NAMES: Readonly<Record<string, number>> = { svc: 108, front: 102, driver: 115, command: 79 }

t.test('the doors stay small', async (t) => {
  for (const [page, most] of Object.entries(MOST_NAMES)) {
    const names = [...read(`docs/reference/api/${page}.md`).matchAll(/^## `/gm)]
    t.equal(names.length, most, `${page}: lower MOST_NAMES, or export fewer names`)
  }
})

/** Names of the members of an interface or type, from its source. */
function membersOf(file: string, name: string): readonly string[] {
  const [, body = ''] = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(read(file)) ?? []
  return [...new Set([...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(<:]/gm)].map(([, member]) => member!))]
}

t.test('the scope of plugins and the options of the kernel stay small', async (t) => {
  const scope = membersOf('core/contract/scope.ts', 'Scope')
  t.ok(scope.includes('engine') && scope.includes('use'))
  t.ok(scope.length <= 24, `Scope has ${scope.length} members; at most 24 are allowed: ${scope}`)
  const files = {
    KernelOptions: 'core/kernel/kernel-options.ts',
    ServiceKernelOptions: 'core/service/plugins/service-kernel-options.ts',
  }
  for (const [name, file] of Object.entries(files)) {
    const options = membersOf(file, name)
    t.ok(options.includes('schema'))
    t.ok(options.length <= 15, `${name} has ${options.length} members; at most 15 are allowed: ${options}`)
  }
})

t.test('the kernel is small and knows no product', async (t) => {
  const files = listFiles('core/kernel', '.ts')
  const lines = files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)
  t.equal(lines, KERNEL_LINES, 'lower KERNEL_LINES; it may only fall, and the goal is 1,400')
  for (const file of files) {
    t.same(read(file).match(/graphql|\bsql\b|mutation|\brest(?:ful)? api|http/gi) ?? [], [], file)
    const rooms = importsOf(read(file)).filter((specifier) => specifier.startsWith('../'))
    t.same(
      rooms.filter((specifier) => !/^\.\.\/(base|contract)\//.test(specifier)),
      [],
      file,
    )
  }
})

t.test('the service is composed in one place', async (t) => {
  const composing = ['createEngine(', 'createIdentity(', 'createEntrance(', 'createServer(', 'createDefaultPolicy(']
  for (const call of composing) {
    const files = listFiles('core', '.ts').filter((file) => {
      const text = read(file)
      return text.includes(call) && !text.includes(`function ${call}`) && !/from 'node:(?:net|http)'/.test(text)
    })
    t.same(files, ['core/service/compose-service.ts'], call)
  }
})

t.test('plans are the engine’s', async (t) => {
  const fronts = [...listFiles('plugins', '.ts'), ...listFiles('core', '.ts')]
  t.same(
    fronts.filter((file) => read(file).includes('plans: new Map()')),
    [],
  )
})
