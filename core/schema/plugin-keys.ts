import type { KeyPlace } from './key-place.ts'

/** Elements of schema.json that can have keys of a plugin; `operation` stands for queries, mutations and subscriptions. */
export type OwnedPlace = KeyPlace | 'operation'

/**
 * Condition on a key under which the schema requires the key's plugin: `set`, with any value; `filled`, with a list or
 * object that is not empty; `{ is }`, with this value.
 */
export type KeyUse = 'set' | 'filled' | { readonly is: string | boolean }

/** Keys that a plugin adds to one kind of element, with their JSON Schemas. */
export interface KeyGroup {
  readonly place: OwnedPlace
  /**
   * The key after which these keys are listed, or several, of which some may not exist. Absent: these keys are last.
   */
  readonly after?: string | readonly string[]
  readonly keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The keys in the order of the options in `svc/authoring`. Default: the order of `keys`. */
  readonly order?: readonly string[]
  /** The valid values of a key, for the message of `svc/authoring` about another one. Default: from its JSON Schema. */
  readonly wants?: Readonly<Record<string, string>>
}

/** Keys of schema.json that belong to a plugin. They are known to every compile, whether or not the plugin is enabled. */
export interface PluginKeys {
  /** The keys, in snake_case. A key of core or of another plugin cannot be declared again. */
  readonly keys?: readonly KeyGroup[]
  /**
   * Old names of keys of operations → current names. `rest.path` is the key `path` in the object `rest`. An operation with both names is
   * a fault.
   */
  readonly operationAliases?: Readonly<Record<string, string>>
  /** Keys of operations whose values are upper-case words. The input may have any case. */
  readonly capitals?: readonly string[]
  /** Keys of queries and mutations that list names of views in the database of the operation. */
  readonly viewLists?: readonly string[]
  /**
   * File beside the plugin's entry, without extension, that checks the keys: `./check-keys`. Its default export is made by
   * `defineKeyCheck`. `svc compile` loads it also when the plugin is not enabled.
   */
  readonly check?: string
  /**
   * File beside the plugin's entry, without extension, that describes to the compiler the effect of the keys on the
   * schema: `./key-facts`. Its default export is made by `defineKeyFacts`. `svc compile` loads it even when the plugin
   * is not enabled.
   */
  readonly facts?: string
  /** Faults that the check reports: id → one sentence for docs/reference/compile-messages.md. */
  readonly faults?: Readonly<Record<string, string>>
  /**
   * Keys of the plugin or of core that make the plugin required. Without the plugin, the service does not start, because it would ignore
   * access rules of the schema. Keys that are harmless without their plugin (a REST path, a cache lifetime) are not listed.
   */
  readonly requiredBy?: Readonly<Partial<Record<OwnedPlace, Readonly<Record<string, KeyUse>>>>>
}

/** The keys of one plugin. */
export interface OwnedKeys extends PluginKeys {
  readonly plugin: string
}
