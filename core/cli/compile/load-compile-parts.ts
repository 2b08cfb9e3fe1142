import { SvcError } from '../../base/errors/svc-error.ts'
import type { CompilePart, EnabledPart } from '../../compiler/compile-part.ts'
import type { ListedPlugin } from '../../config/plugin-list.ts'
import { bootFailed } from '../../kernel/faults.ts'
import { checkOptions } from '../../kernel/options.ts'

/**
 * Loads the compile parts of the enabled plugins, and nothing else of them.
 * @throws SvcError SVC_PLUGIN_INVALID, SVC_BOOT_FAILED (options)
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
