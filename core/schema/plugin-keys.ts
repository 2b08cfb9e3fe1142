import type { KeyPlace } from './key-place.ts'

/** Elements of schema.json that can have keys of a plugin; `operation` stands for queries, mutations and subscriptions. */
export type OwnedPlace = KeyPlace | 'operation'

/**
 * The use of a key that makes its plugin required: `set`, with any value; `filled`, with a list or object that is not
 * empty; `{ is }`, with this value.
 */
export type KeyUse = 'set' | 'filled' | { readonly is: string | boolean }

/** Keys of the elements at one place, with their JSON Schemas. */
export interface KeyGroup {
  readonly place: OwnedPlace
  /** The key that they follow in lists of all keys. Without it, or without that key, they are the last. */
  readonly after?: string
  readonly keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Keys of schema.json that belong to a plugin. They are known to every compile, whether or not the plugin is enabled. */
export interface PluginKeys {
  /** The keys, in snake_case. A key of core or of another plugin cannot be declared again. */
  readonly keys?: readonly KeyGroup[]
  /**
   * Older names of keys of operations → names of today. `rest.path` is the key `path` in the object `rest`. An operation
   * that has both names is a fault.
   */
  readonly operationAliases?: Readonly<Record<string, string>>
  /** Keys of operations with words in capitals, which are read in any case. */
  readonly capitals?: readonly string[]
  /** Keys of queries and mutations that list names of views, which are in the database of the operation. */
  readonly viewLists?: readonly string[]
  /**
   * File beside the plugin's entry, without extension, that checks the keys: `./check-keys`. Its default export is made by
   * `defineKeyCheck`. `svc compile` loads it also when the plugin is not enabled.
   */
  readonly check?: string
  /** Faults that the check reports: id → one sentence for docs/reference/compile-messages.md. */
  readonly faults?: Readonly<Record<string, string>>
  /**
   * Keys that make the plugin required. The service does not start without the plugin then, since it would ignore access
   * rules of the schema. A key that is harmless without its plugin (a REST path, a cache lifetime) is not listed.
   */
  readonly requiredBy?: Readonly<Partial<Record<OwnedPlace, Readonly<Record<string, KeyUse>>>>>
}

/** The keys of one plugin. */
export interface OwnedKeys extends PluginKeys {
  readonly plugin: string
}
