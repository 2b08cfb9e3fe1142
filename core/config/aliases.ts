import type { Manifest } from '../contract/manifest.ts'
import type { Fault } from './faults.ts'
import { setAt, type Table, valueAt } from './key-path.ts'
import type { KeySource } from './layers.ts'

/** An alternative name of a configuration key, from `aliases` of a plugin's manifest. */
export interface Alias {
  readonly path: readonly string[]
  /** Name of the option in the section of its plugin: `origins`. */
  readonly option: string
  /** Full dotted key of the option: `server.cors.origins`. `path` is the alternative dotted key for the same value. */
  readonly target: string
}

export function aliasesOf({ config, aliases = {} }: Manifest): readonly Alias[] {
  return Object.entries(aliases).map(([name, option]) => ({
    path: name.split('.'),
    option,
    target: `${config}.${option}`,
  }))
}

export interface Applied {
  /** Faults of keys that have different values under both names. */
  readonly faults: readonly Fault[]
  /** Dotted keys that got their value from an alias. */
  readonly copied: ReadonlySet<string>
}

/**
 * Copies each value that is set under an alias to its real key in `values` and `sources`, in place. The alias keeps its
 * value, so that the plugin can see that it was used.
 */
export function applyAliases(manifests: readonly Manifest[], values: Table, sources: Map<string, KeySource>): Applied {
  const faults: Fault[] = []
  const copied = new Set<string>()
  for (const { path, target } of manifests.flatMap(aliasesOf)) {
    const name = path.join('.')
    const source = sources.get(name)
    if (source === undefined) continue
    const value = valueAt(values, path)
    const other = sources.get(target)
    // A value of the preset is a default, so that the operator's alias overrides it.
    if (other === undefined || other.layer === 'preset') {
      setAt(values, target.split('.'), value)
      sources.set(target, source)
      copied.add(target)
    } else if (valueAt(values, target.split('.')) !== value) {
      const message = `${name} is another name of ${target}, which says otherwise (${other.place}); keep one of them`
      faults.push({ key: name, place: source.place, message })
    }
  }
  return { faults, copied }
}
