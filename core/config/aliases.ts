import type { Manifest } from '../kernel/manifest.ts'
import type { Fault } from './faults.ts'
import { setAt, type Table, valueAt } from './key-path.ts'
import type { KeySource } from './layers.ts'

/** Another name of a key. */
export interface Alias {
  readonly path: readonly string[]
  /** Of the plugin's own section. */
  readonly option: string
  /** Dotted key that it is another name of. */
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
  /** Both names are written and differ. */
  readonly faults: readonly Fault[]
  /** Dotted keys that have what is written under another name of them. */
  readonly copied: ReadonlySet<string>
}

/** Gives each key what is written under another name of it. The value stays there, too, so that the plugin can tell. */
export function applyAliases(manifests: readonly Manifest[], values: Table, sources: Map<string, KeySource>): Applied {
  const faults: Fault[] = []
  const copied = new Set<string>()
  for (const { path, target } of manifests.flatMap(aliasesOf)) {
    const name = path.join('.')
    const source = sources.get(name)
    if (source === undefined) continue
    const value = valueAt(values, path)
    const other = sources.get(target)
    // What the preset says is no word of the operator's.
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
