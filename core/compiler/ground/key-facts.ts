import type { AuthoredField, AuthoredSchema, AuthoredType } from '../../schema/authored.ts'

/**
 * Properties of types and fields that a plugin derives from its schema keys. The compiler uses them even when the
 * plugin is not enabled.
 */
export interface KeyFacts {
  /** Returns the fields whose values come from another service, unless they have a `column` or a `relation`. */
  readonly fieldsElsewhere?: (schema: AuthoredSchema) => ReadonlySet<AuthoredField>
  /** Tests whether clients can look up rows of the type by a key, in a field that the plugin adds to the query root. */
  readonly isEntity?: (type: AuthoredType) => boolean
  /**
   * Returns descriptions of the paths to rows of a type that the plugin adds, for messages: `representations of its
   * keys (_entities)`.
   */
  readonly waysTo?: (type: AuthoredType) => readonly string[]
}

/** Types the default export of the file that a manifest names in `schemaKeys.facts`. Returns its argument. */
export function defineKeyFacts(facts: KeyFacts): KeyFacts {
  return facts
}

/** Joins the facts of all plugins. The fields are looked up once per schema. */
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
