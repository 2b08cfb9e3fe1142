/** What a type, or an interface, is to the other subgraphs of a federation. Selections are in declared names. */
export interface FederatedType {
  /** One key: `["id"]`; of several parts `["sku", "package"]`; of an object `["study { case_number }"]`. */
  readonly key_fields?: readonly string[]
  /** Several keys, each a selection: `["id", "sku package", "sku variation { id }"]`. */
  readonly keys?: readonly string[]
  /** `false`: its keys stand here and lead elsewhere; this service answers no representations of it. */
  readonly resolvable?: boolean
  readonly inaccessible?: boolean
  readonly tags?: readonly string[]
}

/** The same of an object type alone. */
export interface FederatedObject extends FederatedType {
  readonly extends?: boolean
  readonly shareable?: boolean
  /** An interface of another subgraph, to all of whose types its fields are added here. */
  readonly interface_object?: boolean
  /** Directives of `[federation] compose_directives`, as they are applied: `@owner(team: "x")`. */
  readonly directives?: readonly string[]
}

/** What a field is to the other subgraphs. */
export interface FederatedField {
  /** Another subgraph has it. Read here where it is part of a key, where a field `provides` it, or with a `column`. */
  readonly external?: boolean
  readonly shareable?: boolean
  readonly inaccessible?: boolean
  readonly tags?: readonly string[]
  /** The subgraph whose field this one takes the place of. */
  readonly override?: string
  /** Beside `override`: for which requests, a condition that routers decide: `percent(25)`. */
  readonly override_label?: string
  /** Selection of the object that it leads to: external fields that are read on this way. */
  readonly provides?: string
  /** Selection of external fields of its own type that it is computed of. */
  readonly requires?: string
  /** Beside `requires`: an SQL expression over its source, with `{name}` for what is required. */
  readonly sql?: string
}
