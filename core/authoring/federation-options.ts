import { flag, text, texts } from './options.ts'

/** What a type, or an interface, is to the other subgraphs of a federation. Selections are in declared names. */
export interface FederatedTypeOptions {
  /** One key: `['id']`; of several parts `['sku', 'package']`; of an object `['study { caseNumber }']`. */
  readonly keyFields?: readonly string[]
  /** Several keys, each a selection: `['id', 'sku package', 'sku variation { id }']`. */
  readonly keys?: readonly string[]
  /** `false`: its keys lead to another subgraph, and no representations of it are answered here. */
  readonly resolvable?: boolean
  /** Routers do not show it. */
  readonly inaccessible?: boolean
  /** For contracts. */
  readonly tags?: readonly string[]
}

/** The same of an object type alone. */
export interface FederatedObjectOptions extends FederatedTypeOptions {
  /** Extends a type of another subgraph. */
  readonly extends?: boolean
  /** Other subgraphs may have its fields, too. */
  readonly shareable?: boolean
  /** An interface of another subgraph, to all of whose types its fields are added. */
  readonly interfaceObject?: boolean
  /** Directives of `[federation] compose_directives`, as they are applied: `@owner(team: "x")`. */
  readonly directives?: readonly string[]
}

/** What a field is to the other subgraphs. */
export interface FederatedFieldOptions {
  /** Another subgraph has it. Read here where it is part of a key, where a field `provides` it, or with a `column`. */
  readonly external?: boolean
  /** Other subgraphs may have it, too. */
  readonly shareable?: boolean
  /** Routers do not show it. */
  readonly inaccessible?: boolean
  /** For contracts. */
  readonly tags?: readonly string[]
  /** Name of the subgraph whose field it takes the place of. */
  readonly override?: string
  /** Beside `override`, for which requests: `percent(25)`, or a label that routers decide. */
  readonly overrideLabel?: string
  /** External fields of the object that it leads to, which are read on this way: `'name'`. */
  readonly provides?: string
  /** External fields of its own type that it is computed of: `'price weight'`. With `sql`. */
  readonly requires?: string
  /** SQL expression that computes it, over the columns of the source, with `{name}` for each field that `requires` names. */
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
