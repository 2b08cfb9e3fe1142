import type { AuthoredSchema, SourceLocation } from '../../schema/authored.ts'
import type { OwnedKeys } from '../../schema/plugin-keys.ts'
import type { CompileContext } from './context.ts'
import type { KeyFacts } from './key-facts.ts'
import { FAULTS } from './messages.ts'
import type { PluginMessageId } from './report.ts'
import type { NamedElement } from './type-index.ts'

/** What the compiler passes to a plugin's `KeyCheck`: the schema, and functions for look-ups and faults. */
export interface KeyCheckContext {
  /** The authored schema in its normalized spelling. A name in it may refer to an element that does not exist. */
  readonly schema: AuthoredSchema
  /** Returns the kind of a named type, including built-in scalars; `undefined` for an unknown name. */
  kindOf(name: string): NamedElement['kind'] | undefined
  /**
   * Reports an error in the schema, so that the compiled schema is not written.
   * @param id one of `schemaKeys.faults` in the manifest, or an id of core (docs/reference/compile-messages.md)
   * @param message the problem, and how to correct it
   * @param at the element, then the elements that contain it; the first one with a location determines that of the
   * error
   */
  fault(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
}

/**
 * A plugin's function that checks the values of its keys in `schema.json`. It runs whether or not the plugin is
 * enabled.
 */
export type KeyCheck = (context: KeyCheckContext) => void

/**
 * Returns its argument unchanged; it only checks the TypeScript type. Use it for the default export of the module that
 * a plugin's manifest names in `schemaKeys.check`.
 */
export function defineKeyCheck(check: KeyCheck): KeyCheck {
  return check
}

/**
 * The keys of `schema.json` that one plugin defines, with the plugin's functions that check the values (`KeyCheck`) and
 * tell what they mean (`KeyFacts`).
 */
export interface CheckedKeys extends OwnedKeys {
  readonly checkKeys?: KeyCheck
  readonly keyFacts?: KeyFacts
}

/** Runs the `KeyCheck` of each plugin on the schema. */
export function checkKeys({ schema, index, report }: CompileContext, owned: readonly CheckedKeys[]): void {
  for (const { plugin, checkKeys: check, faults = {} } of owned) {
    check?.({
      schema,
      kindOf: (name) => index.get(name)?.kind,
      fault: (id, message, ...at) =>
        report.fault((id in faults || id in FAULTS ? id : `${plugin}:${id}`) as PluginMessageId, message, ...at),
    })
  }
}
