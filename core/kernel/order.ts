import { didYouMean } from '../base/util/nearest.ts'
import { KERNEL_API, type Manifest } from '../contract/manifest.ts'
import type { BootFault } from './faults.ts'

/** A plugin that is not enabled but could be, for messages about missing plugins. */
export interface KnownPlugin {
  readonly name: string
  /** Change of svc.toml that enables the plugin, for messages: `enable = ["rest"] under [plugins]`. */
  readonly howToEnable: string
}

/**
 * Sorts plugins into the order of their set-up: stable, by `dependencies`, `after` and `before` of their manifests.
 * @param known plugins that could be enabled. Empty: unknown names in `after` and `before` are not reported
 * @returns the order, and faults: duplicates, other API versions, missing dependencies, unknown names, cycles
 */
export function orderPlugins<T extends { readonly manifest: Manifest; readonly source: string }>(
  plugins: readonly T[],
  known: readonly KnownPlugin[] = [],
): { readonly order: readonly T[]; readonly faults: readonly BootFault[] } {
  const faults: BootFault[] = []
  const byName = new Map<string, T>()
  for (const plugin of plugins) {
    const { name, kernelApi } = plugin.manifest
    const twin = byName.get(name)
    if (twin === undefined) byName.set(name, plugin)
    else faults.push(fault('SVC_PLUGIN_DUPLICATE', name, duplicateText(name, twin.source, plugin.source)))
    if (kernelApi !== KERNEL_API) {
      const message = `Plugin "${name}" was written for kernel API ${kernelApi}; this is ${KERNEL_API}. Install a version that fits.`
      faults.push(fault('SVC_PLUGIN_API_MISMATCH', name, message))
    }
  }
  for (const { manifest } of byName.values()) {
    for (const wanted of manifest.dependencies ?? []) {
      if (byName.has(wanted)) continue
      faults.push(
        fault(
          'SVC_PLUGIN_MISSING_DEPENDENCY',
          manifest.name,
          `Plugin "${manifest.name}" needs plugin "${wanted}", which is not in the list. ${howToGet(wanted, byName.keys(), known)}`,
        ),
      )
    }
  }
  faults.push(...findUnknownNames(byName, known))
  const { order, cycle } = sort(byName)
  if (cycle !== null) {
    const path = cycle.join(' -> ')
    faults.push(fault('SVC_PLUGIN_CYCLE', cycle[0]!, `Plugins depend on each other in a circle: ${path}.`))
  }
  return { order, faults }
}

/** Reports names in `after` and `before` that no known plugin has. A known plugin may be absent. */
function findUnknownNames<T extends { readonly manifest: Manifest }>(
  byName: ReadonlyMap<string, T>,
  known: readonly KnownPlugin[],
): readonly BootFault[] {
  // Without a list of known plugins, as in tests of a plugin, unknown names cannot be detected.
  if (known.length === 0) return []
  const names = [...byName.keys(), ...known.map(({ name }) => name)]
  return [...byName.values()].flatMap(({ manifest }) =>
    (['after', 'before'] as const).flatMap((key) =>
      (manifest[key] ?? [])
        .filter((name) => !names.includes(name))
        .map((name) => {
          const message = `\`${key}\` in the manifest of plugin "${manifest.name}" names "${name}", and there is no plugin of that name.${didYouMean(name, names)}`
          return fault('SVC_PLUGIN_UNKNOWN', manifest.name, message)
        }),
    ),
  )
}

/**
 * Splits plugins into early ones, which must be set up before all others, and the rest. Both lists keep the order.
 * @param isEarly selects early plugins. Those that they depend on are early, too
 */
export function splitOrder<T extends { readonly manifest: Manifest }>(
  order: readonly T[],
  isEarly: (manifest: Manifest) => boolean,
): readonly [early: readonly T[], others: readonly T[]] {
  const early = new Set<string>()
  for (const { manifest } of [...order].reverse()) {
    const isBefore = manifest.before?.some((name) => early.has(name)) === true
    if (!isEarly(manifest) && !isBefore && !early.has(manifest.name)) continue
    for (const name of [manifest.name, ...(manifest.dependencies ?? []), ...(manifest.after ?? [])]) early.add(name)
  }
  return [
    order.filter(({ manifest }) => early.has(manifest.name)),
    order.filter(({ manifest }) => !early.has(manifest.name)),
  ]
}

/**
 * Returns the sentence about a missing plugin that says how to enable it, or suggests a similar name.
 * @param known plugins that could be enabled
 */
export function howToGet(name: string, present: Iterable<string>, known: readonly KnownPlugin[]): string {
  const match = known.find((plugin) => plugin.name === name)
  if (match !== undefined) return `To have it: ${match.howToEnable}.`
  return `No plugin of that name is known.${didYouMean(name, [...known.map((plugin) => plugin.name), ...present])}`
}

function fault(code: string, plugin: string, message: string): BootFault {
  return { code, plugin, message }
}

function duplicateText(name: string, one: string, other: string): string {
  return `Plugin "${name}" is in the list twice: from ${one} and from ${other}. Keep one of them.`
}

/** Sorts depth first, so that unrelated plugins keep their order. Stops at the first cycle. */
function sort<T extends { readonly manifest: Manifest }>(byName: ReadonlyMap<string, T>) {
  const mustPrecede = new Map<string, string[]>()
  for (const { manifest } of byName.values()) {
    const { name, dependencies = [], after = [], before = [] } = manifest
    edges(mustPrecede, name).push(...dependencies, ...after)
    for (const later of before) edges(mustPrecede, later).push(name)
  }
  const order: T[] = []
  const state = new Map<string, 'open' | 'done'>()
  const path: string[] = []
  let cycle: readonly string[] | null = null

  function visit(name: string): void {
    const plugin = byName.get(name)
    if (cycle !== null || plugin === undefined || state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      cycle = [...path.slice(path.indexOf(name)), name]
      return
    }
    state.set(name, 'open')
    path.push(name)
    for (const earlier of edges(mustPrecede, name)) visit(earlier)
    path.pop()
    state.set(name, 'done')
    order.push(plugin)
  }
  for (const name of byName.keys()) visit(name)
  return { order, cycle: cycle as readonly string[] | null }
}

function edges(graph: Map<string, string[]>, name: string): string[] {
  const list = graph.get(name) ?? []
  graph.set(name, list)
  return list
}
