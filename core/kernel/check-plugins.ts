import { checkManifests } from './check-manifests.ts'
import { bootFailed } from './faults.ts'
import type { KernelOptions } from './kernel-options.ts'
import { checkOptions } from './options.ts'
import { orderPlugins, splitAtDatabase } from './order.ts'
import { checkRequires } from './requires.ts'

/**
 * Checks the list of plugins before the first set-up: names, dependencies, options, manifests, and the plugins that the schema requires.
 * @returns the plugins in the order of their set-up, with validated options, and their names
 * @throws SvcError SVC_BOOT_FAILED with all faults
 */
export function checkPlugins({ plugins, known, schema }: KernelOptions) {
  const checked = plugins.map((instance) => {
    const { manifest } = instance.plugin
    const { value, faults } = checkOptions(manifest, instance.options)
    return { ...instance, manifest, value, optionFaults: faults }
  })
  const names: ReadonlySet<string> = new Set(checked.map(({ manifest }) => manifest.name))
  const { order, faults } = orderPlugins(checked, known)
  const all = [
    ...faults,
    ...checked.flatMap(({ optionFaults }) => optionFaults),
    ...checkManifests(checked.map(({ manifest }) => manifest)),
    ...checkRequires(schema, names, known),
  ]
  if (all.length > 0) throw bootFailed(all)
  return { order: splitAtDatabase(order).flat(), names }
}
