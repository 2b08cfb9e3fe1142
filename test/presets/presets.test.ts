import { existsSync } from 'node:fs'
import t from 'tap'
import { entriesOf } from '../../core/config/plugin-catalog.ts'
import { toPlugin } from '../../core/config/to-plugin.ts'
import { orderPlugins } from '../../core/kernel/order.ts'
import { PRESETS } from '../../presets/index.ts'

const namesOf = (index: number) => entriesOf(PRESETS[index]!).map(({ manifest }) => manifest.name)

t.test('each preset holds the one before it', async (t) => {
  t.same(
    PRESETS.map(({ name }) => name),
    ['minimal', 'standard', 'full'],
  )
  for (const index of [1, 2]) {
    for (const name of namesOf(index - 1)) t.ok(namesOf(index).includes(name), `${PRESETS[index]!.name} has ${name}`)
  }
})

t.test('each preset is complete and free of faults, and names nothing twice', async (t) => {
  for (const preset of PRESETS) {
    const plugins = entriesOf(preset).map(({ manifest }) => ({ manifest, source: preset.name }))
    t.same(orderPlugins(plugins).faults, [], preset.name)
  }
})

t.test('a plugin is one folder, named like its manifest, and what is loaded carries that manifest', async (t) => {
  for (const { manifest, load } of entriesOf(PRESETS.at(-1)!)) {
    const { name } = manifest
    t.ok(existsSync(new URL(`../../plugins/${name}/manifest.ts`, import.meta.url)), name)
    t.equal(toPlugin((await load()).default, name).manifest, manifest, `${name}: one manifest`)
  }
})

t.test('the other files that a manifest names can be loaded', async (t) => {
  for (const { manifest, modules = {} } of entriesOf(PRESETS.at(-1)!)) {
    const named = [
      manifest.compile,
      manifest.schemaKeys?.check,
      ...(manifest.commands ?? []).map(({ module }) => module),
    ]
    for (const path of new Set(named)) {
      if (path !== undefined) t.ok((await modules[path]?.())?.default, `${manifest.name}: ${path}`)
    }
  }
})
