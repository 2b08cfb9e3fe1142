import { schemaJsonSchema } from '../../core/compiler/shape-with-keys.ts'
import { ownedKeysOf } from '../../core/config/owned-keys.ts'
import { listManifests } from '../docs/config-sections.ts'
import type { Chapter } from './option.ts'

interface Node {
  readonly description?: string
  readonly $ref?: string
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
}

/** Definition of the JSON Schema → how the list calls its elements. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  type: ['type'],
  field: ['field'],
  enum: ['enum'],
  interface: ['interface'],
  union: ['union'],
  input: ['input'],
  input_field: ['input_field'],
  scalar: ['scalar'],
  argument: ['argument'],
  operation: ['query', 'mutation'],
  query: ['query'],
  mutation: ['mutation'],
  subscription: ['subscription'],
  observer: ['observer'],
  validate: ['rule'],
  auto_param_flags: ['auto_params'],
}

/** Keys that identify an element and are not options; and the location of a scalar's functions, which have rows of their own. */
const NO_OPTIONS = new Set(['name', '$place', 'fields', 'module', 'export'])

/** Keys of schema.json by their names in the list, with their descriptions. */
export function listSchemaKeys(): ReadonlyMap<string, string> {
  const { $defs } = schemaJsonSchema(ownedKeysOf(listManifests())) as { readonly $defs: Readonly<Record<string, Node>> }
  const keys = new Map<string, string>()
  const describe = ({ description, $ref }: Node): string =>
    description ?? $defs[$ref?.replace('#/$defs/', '') ?? '']?.description ?? ''
  const add = (element: string, properties: Readonly<Record<string, Node>> = {}): void => {
    for (const [key, node] of Object.entries(properties)) {
      if (NO_OPTIONS.has(key) || (key === 'type' && element !== 'rule')) continue
      keys.set(`${element}.${key}`, describe(node))
    }
  }
  for (const [definition, elements] of Object.entries(ELEMENTS)) {
    for (const element of elements) add(element, $defs[definition]?.properties)
  }
  add('enum_value', $defs.enum?.properties?.values?.items?.properties)
  return keys
}

/** Options of `schema.json` that no other chapter lists. @param known ids of the options in the other chapters */
export function furtherKeys(known: ReadonlySet<string>): Chapter {
  const options = Object.fromEntries([...listSchemaKeys()].filter(([id]) => !known.has(id)))
  return { title: 'Further keys of schema.json', proof: 'database', options }
}
