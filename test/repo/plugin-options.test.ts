import t from 'tap'
import type { JsonSchema } from '../../core/doors/plugin.ts'
import { type Interfaces, interfacesIn, interfacesOf, membersOf, optionsTypeOf } from './options-interfaces.ts'
import { readManifests } from './plugin-manifests.ts'

/**
 * Where an interface differs from the JSON Schema of the same options: a key that only one of them has, and a key that is optional in one
 * of them only. With a default, or required, a key is always there.
 */
function differences(interfaces: Interfaces, name: string, schema: JsonSchema, path = ''): readonly string[] {
  const members = membersOf(interfaces, name)
  if (members === null) return path === '' ? [`there is no interface ${name}`] : []
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema.required ?? []) as readonly string[]
  const names = members.map((member) => member.name)
  return [
    ...Object.keys(properties)
      .filter((key) => !names.includes(key))
      .map((key) => `${path}${key} is missing in ${name}`),
    ...members.flatMap((member) => {
      const key = `${path}${member.name}`
      const property = properties[member.name]
      if (property === undefined) return [`${key} is missing in the JSON Schema`]
      const isThere = property.default !== undefined || required.includes(member.name)
      if (isThere === member.isOptional)
        return [`${key} is ${isThere ? 'always there' : 'optional'} in the JSON Schema, and not in ${name}`]
      const value = (property.items ?? property) as JsonSchema
      return member.of === null || value.properties === undefined
        ? []
        : differences(interfaces, member.of, value, `${key}.`)
    }),
  ]
}

t.test('the interface of the options of a plugin has the keys of their JSON Schema', async (t) => {
  let count = 0
  for (const [plugin, manifest] of await readManifests()) {
    const type = optionsTypeOf(plugin)
    const { options = {} } = manifest
    if (type === null) {
      t.same(Object.keys((options.properties ?? {}) as object), [], `${plugin}: its set-up takes no options`)
      continue
    }
    count++
    t.strictSame(differences(interfacesOf(plugin), type, options), [], plugin)
  }
  t.ok(count > 25, 'the plugins are found')
})

t.test('the check finds what differs', async (t) => {
  const source = `
    interface Base { readonly first: number }
    export interface Options extends Base, Partial<Other> {
      readonly more: readonly Item[]
      readonly extra: string
      readonly size?: number
      readonly url: string
    }
    interface Other { readonly second: number }
    interface Item { readonly name: string }`
  const whole = { type: 'integer', default: 1 }
  const schema = {
    required: ['first'],
    properties: {
      first: { type: 'integer' },
      second: { type: 'integer' },
      more: {
        type: 'array',
        default: [],
        items: { properties: { name: { type: 'string' }, kind: { type: 'string' } } },
      },
      size: whole,
      url: { type: 'string' },
      forgotten: whole,
    },
  }
  const interfaces = interfacesIn([['x.ts', source]])
  t.strictSame(differences(interfaces, 'Options', schema), [
    'forgotten is missing in Options',
    'more.kind is missing in Item',
    'more.name is optional in the JSON Schema, and not in Item',
    'extra is missing in the JSON Schema',
    'size is always there in the JSON Schema, and not in Options',
    'url is optional in the JSON Schema, and not in Options',
  ])
  t.strictSame(differences(interfaces, 'Nothing', schema), ['there is no interface Nothing'])
})
