import type { Manifest } from '../../core/doors/plugin.ts'

const INACCESSIBLE = { type: 'boolean', description: 'Federation: routers do not show it.' }
const TEXTS = { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } }
const TAGS = { ...TEXTS, description: 'Federation: tags, for contracts.' }

/** Keys of object types and interfaces. */
const KEYS = {
  key_fields: {
    ...TEXTS,
    description:
      'Federation key: its fields, in declared names; of an object with its fields: `study { case_number }`.',
  },
  keys: { ...TEXTS, description: 'Several federation keys, each a selection: `["id", "sku package"]`.' },
  resolvable: {
    type: 'boolean',
    description:
      'Federation: `false` = its keys lead to another subgraph, and no representations of it are answered here.',
  },
}

const OF_INTERFACE = { ...KEYS, inaccessible: INACCESSIBLE, tags: TAGS }

const OF_TYPE = {
  ...KEYS,
  extends: { type: 'boolean', description: 'Extends a type of another subgraph.' },
  shareable: { type: 'boolean', description: 'Federation: other subgraphs may have its fields, too.' },
  inaccessible: INACCESSIBLE,
  tags: TAGS,
  interface_object: {
    type: 'boolean',
    description: 'Federation: an interface of another subgraph, to all of whose types its fields are added.',
  },
  directives: {
    type: 'array',
    items: { type: 'string', minLength: 2 },
    description: 'Federation: directives of `compose_directives`, as they are applied: `["@owner(team: \\"x\\")"]`.',
  },
}

const OF_FIELD = {
  external: {
    type: 'boolean',
    description:
      'Federation: another subgraph has it. Read here where it is part of a key, where a field `provides` it, or with a `column`.',
  },
  shareable: { type: 'boolean', description: 'Federation: other subgraphs may have it, too.' },
  inaccessible: INACCESSIBLE,
  tags: TAGS,
  override: {
    type: 'string',
    minLength: 1,
    description: 'Federation: name of the subgraph whose field it takes the place of.',
  },
  override_label: {
    type: 'string',
    minLength: 1,
    description: 'Federation: beside `override`, for which requests: `percent(25)`, or a label that routers decide.',
  },
  provides: {
    type: 'string',
    minLength: 1,
    description: 'Federation: external fields of the object that it leads to, which are read on this way: `"name"`.',
  },
  requires: {
    type: 'string',
    minLength: 1,
    description: 'Federation: external fields of its own type that it is computed of: `"price weight"`. With `sql`.',
  },
  sql: {
    type: 'string',
    minLength: 1,
    description:
      'Federation: SQL expression that computes it, over the columns of the source, with `{name}` for each field that `requires` names.',
  },
}

/** Marks each key as one that makes the plugin required: a supergraph relies on all of them. */
function allOf(keys: object): Readonly<Record<string, 'set'>> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, 'set']))
}

/** The options of types and fields for other subgraphs. */
export const schemaKeys: NonNullable<Manifest['schemaKeys']> = {
  facts: './key-facts',
  keys: [
    { place: 'type', after: 'is_error', keys: OF_TYPE },
    { place: 'interface', after: 'aggregate', keys: OF_INTERFACE },
    { place: 'field', after: 'authorize', keys: OF_FIELD },
  ],
  requiredBy: { type: allOf(OF_TYPE), interface: allOf(OF_INTERFACE), field: allOf(OF_FIELD) },
}
