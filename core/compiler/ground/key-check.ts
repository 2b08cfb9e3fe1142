import type { AuthoredSchema, SourceLocation } from '../../schema/authored.ts'
import type { OwnedKeys } from '../../schema/plugin-keys.ts'
import type { CompileContext } from './context.ts'
import type { KeyFacts } from './key-facts.ts'
import { FAULTS } from './messages.ts'
import type { PluginMessageId } from './report.ts'
import type { NamedElement } from './type-index.ts'

/** The input of a check of a plugin's keys. */
export interface KeyCheckContext {
  /** The normalized schema. Names in it may refer to nothing. */
  readonly schema: AuthoredSchema
  /** Returns the kind of a named type, including built-in scalars; `undefined` for an unknown name. */
  kindOf(name: string): NamedElement['kind'] | undefined
  /**
   * Reports a fault. The artifact is not written.
   * @param id one of `schemaKeys.faults` in the manifest, or a fault of core (docs/reference/compile-messages.md)
   * @param message the problem, and the correction
   * @param at the element, then the elements that contain it, in case it has no location
   */
  fault(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
}

/** Checks the keys of a plugin, whether or not the plugin is enabled. */
export type KeyCheck = (context: KeyCheckContext) => void

/** Types the default export of the file that a manifest names in `schemaKeys.check`. Returns its argument. */
export function defineKeyCheck(check: KeyCheck): KeyCheck {
  return check
}

/** The keys of one plugin, with their check and their facts. */
export interface CheckedKeys extends OwnedKeys {
  readonly checkKeys?: KeyCheck
  readonly keyFacts?: KeyFacts
}

/** Runs the checks of plugins' keys. */
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
