import t, { type Test } from 'tap'
import { readPluginCatalogue } from '../../../core/config/plugin-catalog.ts'
import type { Preset } from '../../../core/config/preset.ts'
import { KERNEL_API } from '../../../core/contract/manifest.ts'
import { plugin } from '../../helpers/kernel.ts'

const MANIFEST = `{ name: 'x', version: '1', kernelApi: ${KERNEL_API}, description: 'x', compile: './part' }`
const ENTRY = `export default { manifest: ${MANIFEST}, setup() {} }`

async function find(t: Test, files: Readonly<Record<string, string>>) {
  const baseDir = t.testdir({ own: files })
  const [path] = Object.keys(files)
  const section = { preset: 'p', enable: [], disable: [], use: [{ path: `./own/${path}`, options: {} }] }
  const presets: readonly Preset[] = [{ name: 'p', plugins: [] }]
  const { available } = await readPluginCatalogue({ presets, section, baseDir })
  return available[0]!
}

t.test('a file beside the entry is found by its name without ending', async (t) => {
  const typescript = await find(t, {
    'index.ts': ENTRY,
    'part.ts': 'export default 1 as number',
    'part.js': 'export default 2',
  })
  t.equal((await typescript.loadModule('./part')).default, 1, 'the ending of the entry first')
  const built = await find(t, { 'index.js': ENTRY, 'part.js': 'export default 2' })
  t.equal((await built.loadModule('./part')).default, 2)
  t.equal((await built.loadModule('./part.js')).default, 2, 'with its ending, too')
})

t.test('one that is not there, or does not load, names the plugin', async (t) => {
  const missing = await find(t, { 'index.js': ENTRY })
  await t.rejects(missing.loadModule('./part'), {
    code: 'SVC_PLUGIN_INVALID',
    message: /manifest of use \.\/own\/index\.js names "\.\/part", and there is none of .*part\.js/,
  })
  const broken = await find(t, { 'index.js': ENTRY, 'part.js': 'throw new Error("on import")' })
  await t.rejects(broken.loadModule('./part'), {
    code: 'SVC_PLUGIN_INVALID',
    message: /"\.\/part" of .* cannot be loaded: on import/,
  })
})

t.test('a preset lists the files of its plugins', async (t) => {
  const entry = {
    manifest: plugin('x').manifest,
    load: async () => ({ default: plugin('x') }),
    modules: { './part': async () => ({ default: 3 }) },
  }
  const section = { preset: 'p', enable: [], disable: [], use: [] }
  const { available } = await readPluginCatalogue({ presets: [{ name: 'p', plugins: [entry] }], section, baseDir: '/' })
  t.equal((await available[0]!.loadModule('./part')).default, 3)
  await t.rejects(available[0]!.loadModule('./other'), {
    code: 'SVC_PLUGIN_INVALID',
    message: 'The preset has no "./other" of plugin "x".',
  })
})
