import { SvcError } from '../../base/errors/svc-error.ts'
import type { CompilePart, EnabledPart } from '../../compiler/compile-part.ts'
import type { CheckedKeys, KeyCheck } from '../../compiler/ground/key-check.ts'
import type { KeyFacts } from '../../compiler/ground/key-facts.ts'
import type { AvailablePlugin } from '../../config/plugin-catalog.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'

/**
 * Loads the compile parts of the enabled plugins: the modules that extend the compiler by schema keys, checks and data.
 * The plugins themselves are not loaded.
 * @throws SvcError SVC_PLUGIN_INVALID: a plugin lacks the module that its manifest names, or the module exports no
 * compile part; SVC_BOOT_FAILED: its options are invalid
 */
export async function loadCompileParts(listed: readonly ListedPlugin[]): Promise<readonly EnabledPart[]> {
  const parts = await Promise.all(listed.map(loadPart))
  return parts.filter((part) => part !== null)
}

async function loadPart({ manifest, options, loadModule }: ListedPlugin): Promise<EnabledPart | null> {
  const { name, compile } = manifest
  if (compile === undefined) return null
  const part = (await loadModule(compile)).default
  if (typeof part !== 'object' || part === null) {
    const message = `"${compile}" of plugin "${name}" has no compile part. Export \`defineCompilePart({ … })\` as the default.`
    throw new SvcError('SVC_PLUGIN_INVALID', message)
  }
  const { value, faults } = checkOptions(manifest, options)
  if (faults.length > 0) throw bootFailed(faults)
  return { plugin: name, part: part as CompilePart<never>, options: value }
}

/**
 * Loads the keys of `schema.json` that plugins define, with the checks and facts that belong to them. The plugins
 * themselves are not loaded.
 * @param available all plugins, enabled or not
 * @throws SvcError SVC_PLUGIN_INVALID: a module that a manifest names is missing or exports another value
 */
export async function loadOwnedKeys(
  available: readonly Pick<AvailablePlugin, 'manifest' | 'loadModule'>[],
): Promise<readonly CheckedKeys[]> {
  const loaded = await Promise.all(available.map(loadKeys))
  return loaded.filter((keys) => keys !== null)
}

async function loadKeys({
  manifest,
  loadModule,
}: Pick<AvailablePlugin, 'manifest' | 'loadModule'>): Promise<CheckedKeys | null> {
  const { name, schemaKeys } = manifest
  if (schemaKeys === undefined) return null
  const { check: checkModule, facts: factsModule } = schemaKeys
  const check = checkModule === undefined ? undefined : (await loadModule(checkModule)).default
  const facts = factsModule === undefined ? undefined : (await loadModule(factsModule)).default
  if (checkModule !== undefined && typeof check !== 'function') {
    throw noExport(name, checkModule, 'no check', 'defineKeyCheck')
  }
  if (factsModule !== undefined && (typeof facts !== 'object' || facts === null)) {
    throw noExport(name, factsModule, 'no facts', 'defineKeyFacts')
  }
  return {
    ...schemaKeys,
    plugin: name,
    ...(check === undefined ? {} : { checkKeys: check as KeyCheck }),
    ...(facts === undefined ? {} : { keyFacts: facts as KeyFacts }),
  }
}

function noExport(plugin: string, module: string, what: string, define: string): SvcError {
  const message = `"${module}" of plugin "${plugin}" has ${what}. Export \`${define}(…)\` as the default.`
  return new SvcError('SVC_PLUGIN_INVALID', message)
}
