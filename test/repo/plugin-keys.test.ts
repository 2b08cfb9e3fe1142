import t from 'tap'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { OWNED_KEYS } from '../helpers/owned-keys.ts'
import { listFiles, read } from './source-files.ts'

/** Words of TypeScript and of other things in core, by which a key cannot be found. */
const GENERIC = [
  'cache',
  'directives',
  'extends',
  'external',
  'keys',
  'override',
  'provides',
  'requires',
  'sql',
  'tags',
]

/** Key of a plugin → number of files in core that know it, in snake_case or camelCase. The goal is an empty table. */
const KNOWN_TO_CORE: Readonly<Record<string, number>> = {
  inaccessible: 2,
  interface_object: 2,
  key_fields: 2,
  override_label: 2,
  resolvable: 2,
  shareable: 2,
}

const toCamelCase = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const files = ['core/authoring', 'core/schema', 'core/compiler'].flatMap((folder) => [
  ...listFiles(folder, '.ts'),
  ...listFiles(folder, '.json'),
])
const texts = files.map(read)

t.test('the pass that finds required plugins names none', async (t) => {
  const text = read('core/compiler/passes/requires.ts')
  for (const { name } of listManifests()) t.notMatch(text, new RegExp(`['"\`]${name}['"\`]`), name)
})

t.test('core knows fewer and fewer keys of plugins', async (t) => {
  const keys = new Set(
    OWNED_KEYS.flatMap(({ keys: groups = [] }) => groups.flatMap((group) => Object.keys(group.keys))),
  )
  t.ok(keys.size > 20)
  const known: Record<string, number> = {}
  for (const key of [...keys].sort()) {
    if (GENERIC.includes(key)) continue
    const word = new RegExp(`\\b(?:${key}|${toCamelCase(key)})\\b`)
    const count = texts.filter((text) => word.test(text)).length
    if (count > 0) known[key] = count
  }
  t.same(known, KNOWN_TO_CORE, 'lower the numbers to what you reach')
})

t.test('the JSON Schema of core has no key of a plugin', async (t) => {
  const { properties, $defs } = JSON.parse(read('core/compiler/schema.schema.json')) as {
    readonly properties: object
    readonly $defs: Readonly<Record<string, { readonly properties?: object }>>
  }
  for (const { plugin, keys = [] } of OWNED_KEYS) {
    for (const { place, keys: own } of keys) {
      const core = place === 'schema' ? properties : ($defs[place]?.properties ?? {})
      for (const key of Object.keys(own)) t.notOk(key in core, `${place}.${key} of ${plugin}`)
    }
  }
})
