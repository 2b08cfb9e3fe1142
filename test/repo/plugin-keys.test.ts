import t from 'tap'
import { listManifests } from '../../scripts/docs/config-sections.ts'
import { OWNED_KEYS } from '../helpers/owned-keys.ts'
import { listFiles, read } from './source-files.ts'

/** Words of TypeScript and of other things in core, by which a key cannot be found. */
const GENERIC = ['cache', 'extends', 'keys', 'provides', 'requires']

const toCamelCase = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const files = ['core/authoring', 'core/schema', 'core/compiler'].flatMap((folder) => [
  ...listFiles(folder, '.ts'),
  ...listFiles(folder, '.json'),
])

t.test('the pass that finds required plugins names none', async (t) => {
  const text = read('core/compiler/passes/requires.ts')
  for (const { name } of listManifests()) t.notMatch(text, new RegExp(`['"\`]${name}['"\`]`), name)
})

t.test('authoring, schema and compiler know no key of a plugin', async (t) => {
  const keys = new Set(
    OWNED_KEYS.flatMap(({ keys: groups = [] }) => groups.flatMap((group) => Object.keys(group.keys))),
  )
  t.ok(keys.size > 15)
  for (const key of keys) {
    if (GENERIC.includes(key)) continue
    const word = new RegExp(`\\b(?:${key}|${toCamelCase(key)})\\b`)
    t.same(
      files.filter((file) => word.test(read(file))),
      [],
      `${key}: a key that core needs is declared by core (docs/explain/decisions/0173-owners-of-schema-keys.md)`,
    )
  }
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
