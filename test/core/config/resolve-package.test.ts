import { join } from 'node:path'
import t from 'tap'
import { resolvePackage, resolvePluginPath } from '../../../core/config/resolve-package.ts'

const manifest = (fields: object) => JSON.stringify({ name: 'x', version: '1.0.0', ...fields })

t.test('packages are resolved from the folder of svc.toml, however they export', async (t) => {
  const dir = t.testdir({
    project: {
      node_modules: {
        classic: { 'package.json': manifest({ main: 'lib/main.js' }), lib: { 'main.js': '' } },
        'import-only': {
          'package.json': manifest({ exports: { '.': { types: './x.d.ts', import: { default: './esm.mjs' } } } }),
          'esm.mjs': '',
        },
        '@me': { scoped: { 'package.json': manifest({ exports: { import: './index.js' } }), 'index.js': '' } },
        closed: { 'package.json': manifest({ exports: { './other': './x.js' } }) },
        browser: { 'package.json': manifest({ exports: { '.': { browser: './b.js' } } }) },
      },
    },
    elsewhere: {},
  })
  const base = join(dir, 'project')
  const modules = join(base, 'node_modules')
  t.equal(resolvePackage('classic', base), join(modules, 'classic/lib/main.js'))
  t.equal(resolvePackage('import-only', base), join(modules, 'import-only/esm.mjs'))
  t.equal(resolvePackage('@me/scoped', base), join(modules, '@me/scoped/index.js'))
  t.equal(resolvePackage('classic', join(base, 'sub')), join(modules, 'classic/lib/main.js'), 'folders above count')
  for (const name of ['closed', 'browser']) {
    t.throws(() => resolvePackage(name, base), {
      code: 'SVC_PLUGIN_UNKNOWN',
      message: /has no entry that can be imported/,
    })
  }
  const elsewhere = join(dir, 'elsewhere')
  t.throws(() => resolvePackage('import-only', elsewhere), {
    code: 'SVC_PLUGIN_UNKNOWN',
    message: `The package "import-only" of [plugins] cannot be used. It is not installed in ${elsewhere}. Install it there with: npm install import-only`,
  })
})

t.test('paths: a file, a folder with an index, a folder with a package.json', async (t) => {
  const dir = t.testdir({
    'audit.ts': '',
    indexed: { 'index.mjs': '' },
    packaged: { 'package.json': manifest({ main: './lib/entry.js' }) },
    mainless: { 'package.json': manifest({}), 'index.js': '' },
    empty: {},
  })
  t.equal(resolvePluginPath('./audit.ts', dir), join(dir, 'audit.ts'))
  t.equal(resolvePluginPath(join(dir, 'audit.ts'), '/'), join(dir, 'audit.ts'))
  t.equal(resolvePluginPath('indexed', dir), join(dir, 'indexed/index.mjs'))
  t.equal(resolvePluginPath('packaged', dir), join(dir, 'packaged/lib/entry.js'))
  t.equal(resolvePluginPath('mainless', dir), join(dir, 'mainless/index.js'))
  t.throws(() => resolvePluginPath('nope.ts', dir), {
    code: 'SVC_PLUGIN_UNKNOWN',
    message: `The plugin "nope.ts" of [plugins] does not exist: there is no ${join(dir, 'nope.ts')}.`,
  })
  t.throws(() => resolvePluginPath('empty', dir), {
    message: /is a folder without an entry: it has none of index\.ts, index\.js, index\.mjs/,
  })
})
