import { type Declaration, declarationsOf } from './declarations.ts'

const TYPES: ReadonlySet<Declaration['kind']> = new Set(['class', 'interface', 'type'])

/** Returns the declarations of exported names, with those of members of namespaces. */
export function flatten(names: ReadonlyMap<string, readonly Declaration[]>): readonly Declaration[] {
  return [...names.values()].flat().flatMap((each) => [each, ...flatten(each.members ?? new Map())])
}

/**
 * Finds the types that declarations name and no entry exports: readers need their members, and reach them through the exported type.
 * @param exported declarations that some entry exports
 * @returns by name; not the types that these name in turn
 */
export function unexportedTypes(
  declarations: readonly Declaration[],
  exported: ReadonlySet<string>,
): ReadonlyMap<string, readonly Declaration[]> {
  const found = new Map<string, readonly Declaration[]>()
  const seen = new Set<string>()
  const visit = ({ path, code }: Declaration): void => {
    for (const [name] of code.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '').matchAll(/\b[A-Z]\w*/g)) {
      const types = declarationsOf(path, name).filter(({ kind }) => TYPES.has(kind))
      const [first] = types
      if (first === undefined || exported.has(idOf(first)) || seen.has(idOf(first))) continue
      seen.add(idOf(first))
      found.set(name, [...(found.get(name) ?? []), ...types])
    }
  }
  for (const declaration of declarations) visit(declaration)
  return found
}

/** Identifies a declared name, also where an entry exports it under another one. */
export function idOf({ path, local }: Declaration): string {
  return `${path}#${local}`
}
