import type { KeyPlace } from './key-place.ts'

/**
 * Kinds of elements in `schema.json` to which a manifest can add keys; `operation` stands for queries, mutations and
 * subscriptions.
 */
export type OwnedPlace = KeyPlace | 'operation'

/**
 * When the presence of a key makes its plugin required. `set`: with any value. `filled`: with a list or object that is
 * not empty. `{ is }`: with this value.
 */
export type KeyUse = 'set' | 'filled' | { readonly is: string | boolean }

/** Keys that a plugin adds to one kind of element in `schema.json`, each with the JSON Schema of its value. */
export interface KeyGroup {
  readonly place: OwnedPlace
  /**
   * Key after which `schema.json` lists these keys. Of a list, the last one that the element has. Absent: they are
   * listed at the end.
   */
  readonly after?: string | readonly string[]
  readonly keys: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The keys in the order in which `svc/authoring` lists them as options. Default: the order of `keys`. */
  readonly order?: readonly string[]
  /**
   * Description of a key's valid values for error messages of `svc/authoring`, by key. Default: derived from the JSON
   * Schema.
   */
  readonly wants?: Readonly<Record<string, string>>
}

/**
 * The keys that a plugin adds to `schema.json`, declared in its manifest. Authors can use them whether or not the
 * plugin is enabled.
 */
export interface PluginKeys {
  /**
   * The keys in snake_case, grouped by kind of element. A key of core or of another plugin cannot be declared again.
   */
  readonly keys?: readonly KeyGroup[]
  /**
   * Current name of a key of operations by its older name. `rest.path` is the key `path` in the object `rest`. An
   * operation with both names is a fault.
   */
  readonly operationAliases?: Readonly<Record<string, string>>
  /** Names of those keys of operations whose values are upper-case words. Authors may write them in any case. */
  readonly capitals?: readonly string[]
  /**
   * Names of those keys of queries and mutations whose values list views. The views are in the database of the
   * operation.
   */
  readonly viewLists?: readonly string[]
  /**
   * Path, without extension, of the module that checks the values of the keys: `./check-keys`, relative to the plugin's
   * entry. Its default export is made by `defineKeyCheck`. `svc compile` loads it even if the plugin is not enabled.
   */
  readonly check?: string
  /**
   * Path, without extension, of the module that tells the compiler what the keys mean: `./key-facts`, relative to the
   * plugin's entry. Its default export is made by `defineKeyFacts`. `svc compile` loads it even if the plugin is not
   * enabled.
   */
  readonly facts?: string
  /** Faults that the check of the keys reports: by id, one sentence for docs/reference/compile-messages.md. */
  readonly faults?: Readonly<Record<string, string>>
  /**
   * Keys, of this plugin or of core, whose use makes the plugin required, by kind of element. Without it, the service
   * does not start, because it would ignore access rules. Keys that are harmless without their plugin (a REST path, a
   * cache lifetime) are not listed.
   */
  readonly requiredBy?: Readonly<Partial<Record<OwnedPlace, Readonly<Record<string, KeyUse>>>>>
}

/** The keys that a plugin adds to `schema.json`, with the name of the plugin. */
export interface OwnedKeys extends PluginKeys {
  readonly plugin: string
}
