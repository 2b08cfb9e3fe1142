import { didYouMean } from '../util/nearest.ts'
import type { BootFault } from './faults.ts'
import { KERNEL_API, type Manifest } from './manifest.ts'

/** A plugin that could be in the list, for the text of a missing one. */
export interface KnownPlugin {
  readonly name: string
  /** What to write to have it: `enable = ["rest"] under [plugins]` or `remove "rest" from disable under [plugins]`. */
  readonly howToEnable: string
}

/**
 * Puts plugins in the order of their set-up: hard and soft dependencies first, else as given (a stable topological
 * sort), and finds everything that is wrong with the list.
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
  const { order, cycle } = sort(byName)
  if (cycle !== null) {
    const path = cycle.join(' -> ')
    faults.push(fault('SVC_PLUGIN_CYCLE', cycle[0]!, `Plugins depend on each other in a circle: ${path}.`))
  }
  return { order, faults }
}

/** The way to get a plugin that is not in the list, as a sentence: the line to write, or the nearest name. */
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

/** Depth first in the given order, so that what needs no moving stays. Stops at the first cycle. */
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
