import { bootFailed } from './faults.ts'
import type { KernelOptions } from './kernel-options.ts'
import { checkOptions } from './options.ts'
import { orderPlugins, splitOrder } from './order.ts'

/**
 * Checks the plugins before the first set-up: names, dependencies, options, and the service's checks of the schema.
 * @returns the plugins in the order of their set-up, the names of those with early set-up, and all names
 * @throws SvcError SVC_BOOT_FAILED with all faults
 */
export function checkPlugins({ plugins, known, schema, checkManifests, checkSchema, isEarly }: KernelOptions) {
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
    ...(checkManifests?.(checked.map(({ manifest }) => manifest)) ?? []),
    ...(checkSchema?.(schema, names) ?? []),
  ]
  if (all.length > 0) throw bootFailed(all)
  const [early, others] = splitOrder(order, isEarly ?? (() => false))
  return { order: [...early, ...others], early: new Set(early.map(({ manifest }) => manifest.name)), names }
}
