/** Federation options of a type or interface. Selections contain declared names. */
export interface FederatedType {
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
export interface FederatedObject extends FederatedType {
  readonly extends?: boolean
  readonly shareable?: boolean
  /** The type stands for an interface of another subgraph, and adds its fields to all types of that interface. */
  readonly interface_object?: boolean
  /** Directives of `[federation] compose_directives`, as they are applied: `@owner(team: "x")`. */
  readonly directives?: readonly string[]
}

/** Federation options of a field. */
export interface FederatedField {
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
  /** With `requires`: an SQL expression over its source. `{name}` stands for a required value. */
  readonly sql?: string
}
