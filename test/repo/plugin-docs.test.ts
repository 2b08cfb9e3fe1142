import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { entriesOf } from '../../core/config/plugin-catalog.ts'
import type { JsonSchema } from '../../core/contract/manifest.ts'
import { PRESETS } from '../../presets/index.ts'
import { ROOT, read } from './source-files.ts'

/** The page of a plugin tells its options as its manifest does. */
for (const { manifest } of entriesOf(PRESETS.at(-1)!)) {
  t.test(`docs/plugins/${manifest.name}.md`, async (t) => {
    const path = `docs/plugins/${manifest.name}.md`
    t.ok(existsSync(join(ROOT, path)), 'exists')
    const page = read(path)
    t.match(page, new RegExp(`^# ${manifest.name}\n`), 'carries its name')
    if (manifest.config === undefined) return
    t.ok(page.includes(`[${manifest.config}]`), `names the section [${manifest.config}]`)
    const options = (manifest.options?.properties ?? {}) as Readonly<Record<string, JsonSchema>>
    const rows = new Map([...page.matchAll(/^\| `([a-z_]+)` \| `?(.*?)`? \|/gm)].map(([, key, value]) => [key, value]))
    for (const [key, option] of Object.entries(options)) {
      t.ok(rows.has(key), `${key} has a row`)
      const { default: value } = option
      const shown = typeof value === 'string' ? value : JSON.stringify(value)
      if (value === undefined || shown.includes('\n')) continue
      t.equal(rows.get(key), shown, `${key}: its default`)
    }
  })
}
