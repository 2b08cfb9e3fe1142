import type { PluginKeys } from '../../core/doors/schema-keys.ts'

/** Federation options of a type or interface. Selections contain declared names. */
interface FederatedType {
  /** A key: `["id"]`. A key of several parts: `["sku", "package"]`; of an object: `["study { case_number }"]`. */
  readonly key_fields?: readonly string[]
  /** Several keys, each a selection: `["id", "sku package", "sku variation { id }"]`. */
  readonly keys?: readonly string[]
  /**
   * `false`: the keys are only references to another subgraph. This service does not resolve representations of the
   * type.
   */
  readonly resolvable?: boolean
  readonly inaccessible?: boolean
  readonly tags?: readonly string[]
}

/** Federation options that only object types have. */
interface FederatedObject extends FederatedType {
  readonly extends?: boolean
  readonly shareable?: boolean
  /** The type stands for an interface of another subgraph, and adds its fields to all types of that interface. */
  readonly interface_object?: boolean
  /** Directives of `[federation] compose_directives`, as they are applied: `@owner(team: "x")`. */
  readonly directives?: readonly string[]
}

/** Federation options of a field. */
interface FederatedField {
  /** Another subgraph owns the field. This service reads it only in a key, for `provides`, or with a `column`. */
  readonly external?: boolean
  readonly shareable?: boolean
  readonly inaccessible?: boolean
  readonly tags?: readonly string[]
  /** The subgraph from which this service takes the field over. */
  readonly override?: string
  /** With `override`: the share of requests, as a condition for routers: `percent(25)`. */
  readonly override_label?: string
  /** External fields of the referenced object that are resolved here on this path, as a selection. */
  readonly provides?: string
  /** External fields of the same type that this field is computed from, as a selection. */
  readonly requires?: string
}

/** Federation options of a type or interface. Selections contain declared names. */
interface FederatedTypeOptions {
  /** A key: `['id']`. A key of several parts: `['sku', 'package']`; of an object: `['study { caseNumber }']`. */
  readonly keyFields?: readonly string[]
  /** Several keys, each a selection: `['id', 'sku package', 'sku variation { id }']`. */
  readonly keys?: readonly string[]
  /** `false`: the keys are only references to another subgraph. This service does not resolve representations of the type. */
  readonly resolvable?: boolean
  /** `true`: routers hide it from clients. */
  readonly inaccessible?: boolean
  /** Tags for contracts (variants of the supergraph). */
  readonly tags?: readonly string[]
}

/** Federation options that only object types have. */
interface FederatedObjectOptions extends FederatedTypeOptions {
  /** Extends a type of another subgraph. */
  readonly extends?: boolean
  /** Other subgraphs may resolve its fields too. */
  readonly shareable?: boolean
  /** The type stands for an interface of another subgraph, and adds its fields to all types of that interface. */
  readonly interfaceObject?: boolean
  /** Directives of `[federation] compose_directives`, as they are applied: `@owner(team: "x")`. */
  readonly directives?: readonly string[]
}

/** Federation options of a field. */
interface FederatedFieldOptions {
  /** Another subgraph owns the field. It is read here only in a key, for `provides`, or with a `column`. */
  readonly external?: boolean
  /** Other subgraphs may resolve it too. */
  readonly shareable?: boolean
  /** `true`: routers hide it from clients. */
  readonly inaccessible?: boolean
  /** Tags for contracts (variants of the supergraph). */
  readonly tags?: readonly string[]
  /** Name of the subgraph from which this service takes the field over. */
  readonly override?: string
  /** With `override`: the share of requests, `percent(25)`, or a label that routers evaluate. */
  readonly overrideLabel?: string
  /** External fields of the referenced object that are resolved here on this path: `'name'`. */
  readonly provides?: string
  /** External fields of its own type that it is computed from: `'price weight'`. Needs `sql`. */
  readonly requires?: string
}

declare module '../../core/doors/schema-keys.ts' {
  interface TypeKeys extends FederatedObject {}
  interface InterfaceKeys extends FederatedType {}
  interface FieldKeys extends FederatedField {}

  interface TypeKeyOptions extends FederatedObjectOptions {}
  interface InterfaceKeyOptions extends FederatedTypeOptions {}
  interface FieldKeyOptions extends FederatedFieldOptions {}
}

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
}

/** Marks each key as one that makes the plugin required: a supergraph relies on all of them. */
function allOf(keys: object): Readonly<Record<string, 'set'>> {
  return Object.fromEntries(Object.keys(keys).map((key) => [key, 'set']))
}

/** The keys of `schema.json` that belong to the federation plugin, for types, interfaces and fields. */
export const schemaKeys: PluginKeys = {
  facts: './key-facts',
  keys: [
    {
      place: 'type',
      after: 'is_error',
      keys: OF_TYPE,
      order: [...Object.keys(OF_INTERFACE), 'extends', 'shareable', 'interface_object', 'directives'],
    },
    { place: 'interface', after: 'aggregate', keys: OF_INTERFACE },
    { place: 'field', after: 'authorize', keys: OF_FIELD },
  ],
  requiredBy: { type: allOf(OF_TYPE), interface: allOf(OF_INTERFACE), field: { ...allOf(OF_FIELD), sql: 'set' } },
}
