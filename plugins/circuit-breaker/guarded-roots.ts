import { isAcross } from '../../core/doors/front.ts'
import type { OperationTemplate, RootSelection, Selection } from '../../core/doors/plugin.ts'

/** A root that reads or writes rows of entities. */
export interface GuardedRoot {
  readonly index: number
  readonly responseKey: string
  readonly nullable: boolean
  readonly entities: readonly string[]
}

/** What of an operation asks for entities. */
export interface GuardedOperation {
  readonly roots: readonly GuardedRoot[]
  /** It asks several databases: a deadline that passes does not say which of them was slow. */
  readonly asksSeveral: boolean
}

export function guardedOperation(template: OperationTemplate, entities: ReadonlySet<string>): GuardedOperation {
  return {
    roots: guardedRoots(template, entities),
    asksSeveral: databasesOf(template).size > 1 || template.roots.some(leadsElsewhere),
  }
}

/** By name; `undefined` is the default one. */
function databasesOf({ roots }: OperationTemplate): ReadonlySet<string | undefined> {
  const databases = new Set<string | undefined>()
  for (const root of roots) {
    if (root.kind === 'rows') databases.add((root.query?.source ?? root.type.source)?.database)
    else if (root.kind === 'aggregate') databases.add(root.operation.source.database)
    else if (root.kind === 'operation') {
      const { operation } = root
      if (operation.kind === 'query') databases.add(operation.source.database)
      if (operation.kind === 'mutation') databases.add(operation.function.database)
    } else if (root.kind === 'node' && root.selection?.kind === 'abstract') {
      // Which of them is known when the id is.
      for (const selection of root.selection.possible.values()) databases.add(selection.type.source?.database)
    }
  }
  return databases
}

/** Is a relation asked for whose rows are of another database? */
function leadsElsewhere(root: RootSelection): boolean {
  return (root.kind === 'operation' || root.kind === 'node' || root.kind === 'rows') && isAcrossIn(root.selection)
}

function isAcrossIn(selection: Selection): boolean {
  if (selection === null) return false
  switch (selection.kind) {
    case 'object':
      return selection.fields.some(
        (field) => field.kind === 'field' && (isAcross(field.field.read) || isAcrossIn(field.selection)),
      )
    case 'abstract':
      return [...selection.possible.values()].some(isAcrossIn)
    default:
      return selection.fields.some((field) =>
        field.field === 'edges'
          ? field.members.some((member) => member.name === 'node' && isAcrossIn(member.selection))
          : field.field === 'items' && isAcrossIn(field.selection),
      )
  }
}

/** The roots of a template that ask for entities. What is masked is not asked for. */
export function guardedRoots({ roots }: OperationTemplate, entities: ReadonlySet<string>): readonly GuardedRoot[] {
  return roots.flatMap((root, index) => {
    if (root.kind === 'typename' || root.kind === 'literal' || root.kind === 'related') return []
    if (root.denied !== undefined) return []
    const own = typesOf(root).filter((name) => entities.has(name))
    const { responseKey } = root
    const nullable = root.kind !== 'operation' || root.operation.type.nullable
    return own.length === 0 ? [] : [{ index, responseKey, nullable, entities: [...new Set(own)] }]
  })
}

function typesOf(root: Exclude<RootSelection, { kind: 'typename' | 'literal' | 'related' }>): readonly string[] {
  switch (root.kind) {
    case 'operation':
      return [root.operation.named.name, ...membersOf(root.selection)]
    case 'rows':
      return [root.type.name]
    case 'aggregate':
      return [root.operation.named.name]
    case 'node':
      return membersOf(root.selection)
  }
}

/** Of a union or interface: whatever may be among it. */
function membersOf(selection: Selection): readonly string[] {
  if (selection === null) return []
  if (selection.kind === 'object') return [selection.type.name]
  return selection.kind === 'abstract' ? [...selection.possible.keys()] : []
}

/** The same operation with null where these roots were. */
export function withoutRoots(template: OperationTemplate, without: ReadonlySet<number>): OperationTemplate {
  const roots = template.roots.map((root, index): RootSelection => {
    if (!without.has(index)) return root
    return { kind: 'literal', responseKey: root.responseKey, json: 'null' }
  })
  return { ...template, roots }
}
