import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../schema/authored.ts'

/**
 * Functions with which a plugin tells the compiler what its schema keys mean for types and fields. The compiler calls
 * them even when the plugin is not enabled.
 */
export interface KeyFacts {
  /**
   * Returns the fields whose values another service provides, so that they need no column. A field with `column` or
   * `relation` is still read from the database.
   */
  readonly fieldsElsewhere?: (schema: AuthoredSchema) => ReadonlySet<AuthoredField>
  /**
   * Tests whether the plugin adds a query with which clients look up rows of the type by a key, such as `_entities` of
   * federation.
   */
  readonly isEntity?: (type: AuthoredType) => boolean
  /**
   * Returns the ways in which clients reach rows of the type through the plugin, as words for messages:
   * `representations of its keys (_entities)`.
   */
  readonly waysTo?: (type: AuthoredType) => readonly string[]
}

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `schemaKeys.facts`.
 */
export function defineKeyFacts(facts: KeyFacts): KeyFacts {
  return facts
}

/**
 * Combines the `KeyFacts` of all plugins to one object, whose functions call those of every plugin and join the
 * results. `fieldsElsewhere` is called once, for the given schema.
 */
export function joinKeyFacts(
  schema: AuthoredSchema,
  owned: readonly { readonly keyFacts?: KeyFacts }[],
): Required<KeyFacts> {
  const all = owned.flatMap(({ keyFacts }) => keyFacts ?? [])
  const elsewhere = new Set(all.flatMap(({ fieldsElsewhere }) => [...(fieldsElsewhere?.(schema) ?? [])]))
  return {
    fieldsElsewhere: () => elsewhere,
    isEntity: (type) => all.some(({ isEntity }) => isEntity?.(type) === true),
    waysTo: (type) => all.flatMap(({ waysTo }) => waysTo?.(type) ?? []),
  }
}
