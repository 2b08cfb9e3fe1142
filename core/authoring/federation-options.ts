import { flag, text, texts } from './options.ts'

/** Federation options of a type or interface. Selections contain declared names. */
export interface FederatedTypeOptions {
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
export interface FederatedObjectOptions extends FederatedTypeOptions {
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
export interface FederatedFieldOptions {
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
  /** SQL expression over the columns of the source that computes it. `{name}` stands for a field of `requires`. */
  readonly sql?: string
}

/** In the order of `schema.json`. */
export const FEDERATED_TYPE_RULES = {
  keyFields: texts('key_fields'),
  keys: texts('keys'),
  resolvable: flag('resolvable'),
  inaccessible: flag('inaccessible'),
  tags: texts('tags'),
}

export const FEDERATED_OBJECT_RULES = {
  ...FEDERATED_TYPE_RULES,
  extends: flag('extends'),
  shareable: flag('shareable'),
  interfaceObject: flag('interface_object'),
  directives: texts('directives'),
}

export const FEDERATED_FIELD_RULES = {
  external: flag('external'),
  shareable: flag('shareable'),
  inaccessible: flag('inaccessible'),
  tags: texts('tags'),
  override: text('override'),
  overrideLabel: text('override_label'),
  provides: text('provides'),
  requires: text('requires'),
  sql: text('sql'),
}
