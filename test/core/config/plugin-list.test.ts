import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../core/config/load-config.ts'
import { readPluginCatalogue } from '../../../core/config/plugin-catalog.ts'
import { loadPlugins, resolvePluginList } from '../../../core/config/plugin-list.ts'
import type { Preset, PresetEntry } from '../../../core/config/preset.ts'
import type { Manifest } from '../../../core/contract/manifest.ts'
import { faultsOf } from '../../../core/kernel/faults.ts'
import { failure, plugin } from '../../helpers/kernel.ts'

let loads: string[] = []

function item(name: string, manifest: Partial<Manifest> = {}, more: Partial<PresetEntry> = {}): PresetEntry {
  const value = plugin(name, undefined, manifest)
  const load = async () => {
    loads.push(name)
    return { default: value }
  }
  return { manifest: value.manifest, load, ...more }
}

const LIMIT = { properties: { limit: { type: 'integer', default: 10, description: 'x' } } }
const small: Preset = {
  name: 'small',
  plugins: [
    item('core-one'),
    item('rest', { config: 'rest', options: LIMIT }),
    item('driver', {
      config: 'database',
      options: { properties: { driver_mode: { type: 'string', default: 'auto', description: 'x' } } },
    }),
  ],
}
const middle: Preset = {
  name: 'middle',
  extends: small,
  plugins: [
    item('apq', { config: 'rest.apq', options: LIMIT }),
    item('editor', { config: 'editor', options: LIMIT }, { developmentOnly: true }),
  ],
  defaults: { rest: { limit: 20 } },
}
const large: Preset = {
  name: 'large',
  extends: middle,
  plugins: [item('cache', { config: 'cache', options: LIMIT }), item('oauth', { config: 'oauth', options: LIMIT })],
  defaults: { rest: { apq: { limit: 5 } }, oauth: { enabled: false } },
}
const PRESETS = [small, middle, large]

interface Given {
  readonly production?: boolean
  readonly env?: Record<string, string>
  readonly files?: Record<string, string>
}

async function resolve(t: Test, toml: string, { production = false, env = {}, files = {} }: Given = {}) {
  const folder = t.testdir({})
  for (const [path, text] of Object.entries({ 'svc.toml': toml, ...files })) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  let catalogue: Awaited<ReturnType<typeof readPluginCatalogue>> | undefined
  const loaded = await loadConfig({
    file: join(folder, 'svc.toml'),
    cwd: folder,
    env: { SVC_DATABASE__URL: 'postgres://localhost/x', ...env },
    catalog: async (section, baseDir) => {
      catalogue = await readPluginCatalogue({ presets: PRESETS, section, baseDir })
      return catalogue
    },
  })
  const { listed, left } = resolvePluginList({ catalogue: catalogue!, loaded, production })
  return {
    listed,
    names: listed.map(({ manifest }) => manifest.name),
    sources: Object.fromEntries(listed.map(({ manifest, source }) => [manifest.name, source])),
    options: Object.fromEntries(listed.map(({ manifest, options }) => [manifest.name, options])),
    left: Object.fromEntries(left.map(({ name, why, howToEnable }) => [name, { why, howToEnable }])),
  }
}

const middleList = ['core-one', 'rest', 'driver', 'apq', 'editor']
const use = (preset: string, more = '') => `[plugins]\npreset = "${preset}"\n${more}\n`

t.test('a preset is a list that extends another; defaults are merged; nothing is loaded', async (t) => {
  loads = []
  const { names, sources, options, left } = await resolve(t, use('middle'))
  t.same(names, middleList)
  t.equal(sources.rest, 'preset middle')
  t.same(options.rest, { limit: 20 }, 'the default of the preset; the section of another plugin inside is left out')
  t.same(options.apq, { limit: 10 })
  t.same(options.driver, { driver_mode: 'auto' }, 'of a shared section only its own keys')
  t.match(left.cache, {
    why: 'not in the preset',
    howToEnable: 'write enable = ["cache"] under [plugins] in svc.toml (preset "large" has it)',
  })
  t.same(loads, [])
})

t.test('loadPlugins imports what is listed, and only that', async (t) => {
  loads = []
  const { listed } = await resolve(t, use('small'))
  const plugins = await loadPlugins(listed)
  t.same(loads, ['core-one', 'rest', 'driver'])
  t.match(plugins[1], { plugin: { manifest: { name: 'rest' } }, options: { limit: 10 }, source: 'preset small' })
})

t.test('enable, disable and sections', async (t) => {
  const added = await resolve(t, use('small', 'enable = ["cache", "rest"]'))
  t.same(added.names, ['core-one', 'rest', 'driver', 'cache'], 'naming one that is there already is no fault')
  t.equal(added.sources.cache, 'enable')

  const bySection = await resolve(t, `${use('small')}[cache]\nenabled = true\nlimit = 3`)
  t.same(bySection.names, ['core-one', 'rest', 'driver', 'cache'])
  t.equal(bySection.sources.cache, 'section [cache]')
  t.match(bySection.options.cache, { limit: 3 })

  const byEnvironment = await resolve(t, use('small'), { env: { SVC_CACHE__ENABLED: 'true' } })
  t.ok(byEnvironment.names.includes('cache'))

  const disabled = await resolve(t, use('middle', 'disable = ["apq", "cache"]'))
  t.same(disabled.names, ['core-one', 'rest', 'driver', 'editor'])
  t.match(disabled.left.apq, { why: '`disable` under [plugins]', howToEnable: /take "apq" out of `disable`/ })

  const off = await resolve(t, `${use('middle')}[rest.apq]\nenabled = false\nlimit = 3`)
  t.same(off.names, ['core-one', 'rest', 'driver', 'editor'])
  t.match(off.left.apq, { why: 'enabled = false in [rest.apq]', howToEnable: 'write enabled = true in [rest.apq]' })

  const written = await resolve(t, `${use('middle')}[rest]\nlimit = 7\nenabled = true`)
  t.same(written.names, middleList)
  t.match(written.options.rest, { limit: 7 })
})

t.test('a plugin that the preset disables stays off until its section or `enable` turns it on', async (t) => {
  const byDefault = await resolve(t, use('large'))
  t.notOk(byDefault.names.includes('oauth'))
  t.match(byDefault.left.oauth, { why: /off by default/ })
  t.match(byDefault.options.apq, { limit: 5 })
  t.ok((await resolve(t, `${use('large')}[oauth]\nenabled = true`)).names.includes('oauth'))
  t.ok((await resolve(t, use('large', 'enable = ["oauth"]'))).names.includes('oauth'))
})

t.test('a plugin for development is off in production, unless it is listed', async (t) => {
  const production = true
  const quiet = await resolve(t, `${use('middle')}[editor]\nlimit = 1`, { production })
  t.notOk(quiet.names.includes('editor'), 'its section alone does not switch it on')
  t.match(quiet.left.editor, { why: /for development only, and NODE_ENV is production/ })
  t.ok((await resolve(t, use('middle'))).names.includes('editor'))
  t.ok((await resolve(t, `${use('middle')}[editor]\nenabled = true`, { production })).names.includes('editor'))
  t.ok((await resolve(t, use('middle', 'enable = ["editor"]'), { production })).names.includes('editor'))
})

t.test('contradictions and unknown names are errors, all at once', async (t) => {
  const faults = async (toml: string) => {
    const error = await failure(() => resolve(t, toml))
    return faultsOf(error).map(({ code, message }) => `${code} ${message}`)
  }
  t.match(await faults(`${use('middle', 'disable = ["rest"]')}[rest]\nenabled = true`), [
    'SVC_PLUGIN_CONTRADICTION Plugin "rest" is in `disable` of [plugins] and [rest] says enabled = true.',
  ])
  t.match(await faults(`${use('middle', 'enable = ["rest"]')}[rest]\nenabled = false`), [
    'SVC_PLUGIN_CONTRADICTION Plugin "rest" is in `enable` of [plugins] and [rest] says enabled = false.',
  ])
  t.match(await faults(use('middle', 'enable = ["rest"]\ndisable = ["rest"]')), [/stands in both/])
  t.match(await faults(`${use('middle', 'disable = ["rest"]')}[rest]\nlimit = 3`), [
    /^SVC_PLUGIN_CONTRADICTION The section \[rest\] \(svc\.toml:\d+\) is for plugin "rest", which is not in the list: `disable` under \[plugins\]\. To run it, take "rest" out/,
  ])
  t.match(await faults(`${use('small')}[cache]\nlimit = 3`), [
    /section \[cache\] .* not in the preset\. To run it, write enabled = true in it; else take the section out\./,
  ])
  t.match(await faults(`${use('large')}[oauth]\nlimit = 3`), [/off by default/])
  t.match(await faults(use('middle', 'enable = ["cashe"]\ndisable = ["nothing-like-it"]')), [
    /^SVC_PLUGIN_UNKNOWN `enable` under \[plugins\] names "cashe", which does not exist\. Did you mean "cache"\?/,
    /^SVC_PLUGIN_UNKNOWN `disable` .* "nothing-like-it", which does not exist\. Plugins: core-one, rest/,
  ])
})

t.test('a section that only holds the section of another plugin was not written for this one', async (t) => {
  const { names, left } = await resolve(t, `${use('middle', 'disable = ["rest"]')}[rest.apq]\nlimit = 3`)
  t.ok(names.includes('apq'))
  t.match(left.rest, { why: '`disable` under [plugins]' })
})

t.test('an unknown preset names the nearest', async (t) => {
  const error = await failure(() => resolve(t, use('middel')))
  t.equal(error.code, 'SVC_PLUGIN_UNKNOWN')
  t.match(error.message, 'There is no preset "middel". Did you mean "middle"? Presets: small, middle, large.')
})

const AUDIT = `export default {
  manifest: {
    name: 'audit', version: '2.0.0', kernelApi: 1, description: 'Writes.',
    config: 'audit',
    options: { properties: { sink: { type: 'string', default: 'stdout', description: 'x' } } },
  },
  setup() {},
}`

t.test('third-party plugins come by path or package, from the folder of svc.toml', async (t) => {
  const byPath = await resolve(
    t,
    `${use('small')}[[plugins.use]]\npath = "./plugins/audit.mjs"\noptions = { sink = "x" }`,
    {
      files: { 'plugins/audit.mjs': AUDIT },
    },
  )
  t.equal(byPath.sources.audit, 'use ./plugins/audit.mjs')
  t.same(byPath.options.audit, { sink: 'x' })
  t.equal((await loadPlugins(byPath.listed)).at(-1)!.plugin.manifest.version, '2.0.0')

  const files = {
    'node_modules/svc-audit/package.json': '{"name":"svc-audit","type":"module","exports":"./main.js"}',
    'node_modules/svc-audit/main.js': AUDIT,
  }
  const entry = '[[plugins.use]]\npackage = "svc-audit"\n'
  const byPackage = await resolve(t, `${use('small')}${entry}[audit]\nsink = "section"`, { files })
  t.equal(byPackage.sources.audit, 'use svc-audit')
  t.match(byPackage.options.audit, { sink: 'section' }, 'without options of its own it reads its section')

  const off = await resolve(t, `${use('small', 'disable = ["audit"]')}${entry}`, { files })
  t.match(off.left.audit, { why: '`disable` under [plugins]' })

  const twice = await failure(() =>
    resolve(t, `${use('small')}${entry}options = { sink = "x" }\n[audit]\nsink = "y"`, { files }),
  )
  t.match(faultsOf(twice)[0]!.message, 'has options in [[plugins.use]] and in [audit]; keep one place')
})

t.test('a CommonJS build and a fastify-plugin function are read too', async (t) => {
  const compiled = `Object.defineProperty(exports, '__esModule', { value: true })
exports.default = { manifest: { name: 'cjs', version: '1.0.0', kernelApi: 1, description: 'x' }, setup() {} }`
  const marked = `const fn = async () => {}
fn[Symbol.for('plugin-meta')] = { name: 'marked', dependencies: ['rest'] }
export default fn`
  const { names } = await resolve(
    t,
    `${use('small')}[[plugins.use]]\npath = "cjs.cjs"\n[[plugins.use]]\npath = "marked.mjs"`,
    { files: { 'cjs.cjs': compiled, 'marked.mjs': marked } },
  )
  t.same(names.slice(-2), ['cjs', 'marked'])
})

t.test('a plugin that cannot be loaded is reported with the cause', async (t) => {
  const entry = (path: string) => `${use('small')}[[plugins.use]]\npath = "${path}"`
  const throwing = await failure(() =>
    resolve(t, entry('bad.mjs'), { files: { 'bad.mjs': 'throw new Error("no licence")' } }),
  )
  t.match(throwing, { code: 'SVC_PLUGIN_INVALID', message: /`bad\.mjs` cannot be loaded: no licence/ })
  const text = await failure(() => resolve(t, entry('t.mjs'), { files: { 't.mjs': 'throw "text"' } }))
  t.match(text.message, 'cannot be loaded: text')
  const none = await failure(() => resolve(t, entry('none.mjs'), { files: { 'none.mjs': 'export const x = 1' } }))
  t.match(none, { code: 'SVC_PLUGIN_INVALID', message: /use none\.mjs is no plugin: the module has no default export/ })
  const absent = await failure(() => resolve(t, entry('./absent.mjs')))
  t.equal(absent.code, 'SVC_PLUGIN_UNKNOWN')
})
