import type {
  AggregateField,
  ArgumentNode,
  FieldSelection,
  Operation,
  RootSelection,
  Selection,
  WrapperField,
} from '../../core/index.ts'

/** A field of an operation, whichever front read it. */
export interface Place {
  /** Response keys from the root down. */
  readonly path: readonly string[]
  readonly aliased: boolean
  /** `rows`: a list of objects, or what reads one. */
  readonly shape: 'leaf' | 'object' | 'rows'
  /** Of rows that have no limit of their own, by the values of this operation. */
  readonly unbounded: boolean
}

/** Arguments that bound a list. */
const BOUNDS: ReadonlySet<string> = new Set(['limit', 'first', 'last'])

/** @returns every field that is selected, the outer ones first */
export function walkOperation({ template, variables }: Operation): readonly Place[] {
  const places: Place[] = []

  function isBounded(given: readonly ArgumentNode[]): boolean {
    return given.some(({ name, value }) => {
      if (!BOUNDS.has(name)) return false
      const set = value.kind === 'variable' ? variables[value.name] : value.kind === 'constant' ? value.value : null
      return set !== null && set !== undefined
    })
  }

  function add(path: readonly string[], name: string, shape: Place['shape'], unbounded = false): void {
    places.push({ path, aliased: path.at(-1) !== name, shape, unbounded })
  }

  function root(given: RootSelection): void {
    const path = [given.responseKey]
    switch (given.kind) {
      case 'operation': {
        const { operation, selection, arguments: args } = given
        const isRows = operation.list && selection !== null
        const reads = operation.kind === 'query' && (isRows || operation.relay)
        // A connection, and a list with its count, are objects that have the list.
        const isWrapped = selection?.kind === 'connection' || selection?.kind === 'list'
        add(path, operation.wireName, shapeOf(isRows && !isWrapped, selection), reads && !isBounded(args))
        below(path, selection)
        return
      }
      case 'node':
        add(path, 'node', 'object')
        below(path, given.selection)
        return
      case 'rows':
        add(path, path[0]!, 'rows')
        below(path, given.selection)
        return
      case 'aggregate':
        add(path, path[0]!, 'rows')
        numbers(path, given.fields)
        return
      case 'literal':
        add(path, given.call?.name ?? path[0]!, 'leaf')
        return
      case 'typename':
        return
    }
  }

  function below(path: readonly string[], selection: Selection): void {
    if (selection === null) return
    if (selection.kind === 'object') for (const each of selection.fields) field(path, each)
    else if (selection.kind === 'abstract') {
      for (const possible of selection.possible.values()) below(path, possible)
    } else for (const each of selection.fields) wrapper(path, each)
  }

  function field(above: readonly string[], given: FieldSelection): void {
    if (given.kind === 'typename') return
    const path = [...above, given.responseKey]
    if (given.kind === 'aggregate') {
      add(path, given.responseKey, 'rows')
      numbers(path, given.fields)
      return
    }
    const { wireName, read, list } = given.field
    if (given.kind === 'denied') {
      add(path, wireName, 'leaf')
      return
    }
    const isRows = list && given.selection !== null
    const isRelation = read?.from === 'relation' && read.cardinality === 'many'
    add(path, wireName, shapeOf(isRows, given.selection), isRelation && isRows && !isBounded(given.arguments))
    below(path, given.selection)
  }

  function wrapper(above: readonly string[], given: WrapperField): void {
    if (given.field === '__typename') return
    const path = [...above, given.responseKey]
    const isObject = given.field === 'pageInfo'
    add(path, given.field, given.field === 'totalCount' ? 'leaf' : isObject ? 'object' : 'rows')
    if (given.field === 'items') below(path, given.selection)
    else if (given.field === 'pageInfo')
      for (const { name, responseKey } of given.members) add([...path, responseKey], name, 'leaf')
    else if (given.field === 'edges') {
      for (const member of given.members) {
        if (member.name === '__typename') continue
        const inner = [...path, member.responseKey]
        add(inner, member.name, member.name === 'node' ? 'object' : 'leaf')
        if (member.name === 'node') below(inner, member.selection)
      }
    }
  }

  function numbers(above: readonly string[], fields: readonly AggregateField[]): void {
    for (const given of fields) {
      if (given.kind === 'typename') continue
      const path = [...above, given.responseKey]
      const name = given.kind === 'key' ? given.field.wireName : given.responseKey
      add(path, name, given.kind === 'object' ? 'object' : 'leaf')
      if (given.kind === 'object') numbers(path, given.fields)
    }
  }

  for (const each of template.roots) root(each)
  return places
}

function shapeOf(isRows: boolean, selection: Selection): Place['shape'] {
  if (isRows) return 'rows'
  return selection === null ? 'leaf' : 'object'
}
