import { join } from 'node:path'
import t from 'tap'
import { defaultConfig } from '../../core/config/default-config.ts'
import { entriesOf, readPluginCatalogue } from '../../core/config/plugin-catalog.ts'
import { loadPlugins, resolvePluginList } from '../../core/config/plugin-list.ts'
import { PRESETS } from '../../presets/index.ts'
import { minimal } from '../../presets/minimal.ts'
import '../../examples/plugin-audit/test/audit.test.ts'

t.test('the example is found by its path, with its options', async (t) => {
  const baseDir = join(import.meta.dirname, '../../examples')
  const section = {
    preset: 'minimal',
    enable: [],
    disable: entriesOf(minimal).map(({ manifest }) => manifest.name),
    use: [{ path: './plugin-audit', options: { sink: 'stdout' } }],
  }
  const catalogue = await readPluginCatalogue({ presets: PRESETS, section, baseDir })
  const loaded = { config: defaultConfig(), sources: new Map() }
  const { listed } = resolvePluginList({ catalogue, loaded, production: false })
  const plugins = await loadPlugins(listed)
  t.match(plugins, [
    { plugin: { manifest: { name: 'audit' } }, options: { sink: 'stdout' }, source: 'use ./plugin-audit' },
  ])
  t.equal(plugins.length, 1)
})
