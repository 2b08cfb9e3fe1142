import t from 'tap'
import { assembleConfigSchema } from '../../core/config/assemble-schema.ts'
import { differences, interfacesIn, interfacesOf, optionsTypeOf } from './options-interfaces.ts'
import { optionKeys, readManifests } from './plugin-manifests.ts'
import { read } from './source-files.ts'

t.test('the interface of the options of a plugin has the keys of their JSON Schema', async (t) => {
  let count = 0
  for (const [plugin, manifest] of await readManifests()) {
    const type = optionsTypeOf(plugin)
    if (type === null) {
      t.same(optionKeys(manifest), [], `${plugin}: its set-up takes no options`)
      continue
    }
    count++
    t.strictSame(differences(interfacesOf(plugin), type, manifest.options ?? {}), [], plugin)
  }
  t.ok(count > 25, 'the plugins are found')
})

t.test('the interface Config has the keys of the sections of core', async (t) => {
  const files = ['config', 'database', 'session-variable'].map((name) => `core/contract/${name}.ts`)
  const interfaces = interfacesIn(files.map((file) => [file, read(file)]))
  t.strictSame(differences(interfaces, 'Config', assembleConfigSchema([])), [])
})

t.test('the check finds what differs', async (t) => {
  const source = `
    interface Base { readonly first: number }
    export interface Options extends Base, Partial<Other> {
      readonly more: readonly Item[]
      readonly extra: string
      readonly size?: number
      readonly url: string
      readonly inner: Omit<Base, 'first'> & { readonly second?: number } & Outer['part']
    }
    interface Other { readonly second: number }
    interface Outer { readonly part: { readonly third: number } }
    interface Item { readonly name: string }`
  const whole = { type: 'integer', default: 1 }
  const optional = { type: 'string' }
  const schema = {
    required: ['first'],
    properties: {
      first: { type: 'integer' },
      second: { type: 'integer' },
      more: { type: 'array', default: [], items: { properties: { name: optional, kind: optional } } },
      size: whole,
      url: optional,
      inner: { type: 'object', default: {}, properties: { first: whole, second: whole, third: whole } },
      forgotten: whole,
    },
  }
  const interfaces = interfacesIn([['x.ts', source]])
  t.strictSame(differences(interfaces, 'Options', schema), [
    'forgotten is missing in the interface',
    'more.kind is missing in the interface',
    'more.name is optional in the JSON Schema, and not in the interface',
    'extra is missing in the JSON Schema',
    'size is always there in the JSON Schema, and not in the interface',
    'url is optional in the JSON Schema, and not in the interface',
    'inner.first is missing in the interface',
    'inner.second is always there in the JSON Schema, and not in the interface',
  ])
  t.strictSame(differences(interfaces, 'Nothing', schema), ['there is no interface Nothing'])
})
