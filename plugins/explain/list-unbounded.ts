import type { ArgumentNode } from '../../core/doors/front.ts'
import type { FieldSelection, Operation, RootSelection, Selection } from '../../core/doors/plugin.ts'

type Path = readonly string[]

/** Arguments that bound a list. */
const BOUNDS: ReadonlySet<string> = new Set(['limit', 'first', 'last'])

/**
 * Returns the paths of the lists in an operation that have no limit: `limit`, `first` and `last` are absent or null.
 * @returns response keys from the root down; outer lists before inner ones
 */
export function listUnbounded({ template, variables }: Operation): readonly Path[] {
  const paths: Path[] = []

  function isBounded(given: readonly ArgumentNode[]): boolean {
    return given.some(({ name, value }) => {
      if (!BOUNDS.has(name)) return false
      const set = value.kind === 'variable' ? variables[value.name] : value.kind === 'constant' ? value.value : null
      return set !== null && set !== undefined
    })
  }

  function root(given: RootSelection): void {
    const path = [given.responseKey]
    if (given.kind === 'operation') {
      const { operation, selection, arguments: args } = given
      if (operation.kind === 'query') {
        const isRows = (operation.list && selection !== null) || operation.relay
        if (isRows && !isBounded(args)) paths.push(path)
      }
      below(path, selection)
    } else if (given.kind === 'node' || given.kind === 'rows') below(path, given.selection)
  }

  function below(path: Path, selection: Selection): void {
    switch (selection?.kind) {
      case undefined:
        return
      case 'object':
        for (const each of selection.fields) field(path, each)
        return
      case 'abstract':
        for (const possible of selection.possible.values()) below(path, possible)
        return
      case 'list':
      case 'connection':
        for (const each of selection.fields) {
          const inner = [...path, each.responseKey]
          if (each.field === 'items') below(inner, each.selection)
          else if (each.field === 'edges') {
            for (const member of each.members) {
              if (member.name === 'node') below([...inner, member.responseKey], member.selection)
            }
          }
        }
    }
  }

  function field(above: Path, given: FieldSelection): void {
    if (given.kind !== 'field') return
    const path = [...above, given.responseKey]
    const { read, list } = given.field
    const isRows = list && given.selection !== null && read?.from === 'relation' && read.cardinality === 'many'
    if (isRows && !isBounded(given.arguments)) paths.push(path)
    below(path, given.selection)
  }

  for (const each of template.roots) root(each)
  return paths
}
