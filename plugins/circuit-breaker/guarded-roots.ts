import { isAcross } from '../../core/doors/front.ts'
import type { OperationTemplate, RootSelection, Selection } from '../../core/doors/plugin.ts'

/** A root field that reads or writes rows of entity types with circuit breakers. */
export interface GuardedRoot {
  readonly index: number
  readonly responseKey: string
  readonly nullable: boolean
  readonly entities: readonly string[]
}

/** The root fields of an operation that circuit breakers apply to. */
export interface GuardedOperation {
  readonly roots: readonly GuardedRoot[]
  /**
   * `true` if the operation reads several databases. A timeout then does not count as a failure, because it does not
   * show which database was slow.
   */
  readonly asksSeveral: boolean
}

export function guardedOperation(template: OperationTemplate, entities: ReadonlySet<string>): GuardedOperation {
  return {
    roots: guardedRoots(template, entities),
    asksSeveral: databasesOf(template).size > 1 || template.roots.some(leadsElsewhere),
  }
}

/** Returns the names of the databases; `undefined` is the default one. */
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
      // The database depends on the id.
      for (const selection of root.selection.possible.values()) databases.add(selection.type.source?.database)
    }
  }
  return databases
}

/** Does the root select a relation to another database? */
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

/**
 * Returns the root fields of an operation that read or write rows of the given entity types. Denied root fields are
 * left out, because they do not reach the database.
 */
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

/** Returns the possible types of a selection of a union or interface. */
function membersOf(selection: Selection): readonly string[] {
  if (selection === null) return []
  if (selection.kind === 'object') return [selection.type.name]
  return selection.kind === 'abstract' ? [...selection.possible.keys()] : []
}

/**
 * Returns a copy of an operation in which the given root fields are null without being read.
 * @param without indexes in `template.roots`
 */
export function withoutRoots(template: OperationTemplate, without: ReadonlySet<number>): OperationTemplate {
  const roots = template.roots.map((root, index): RootSelection => {
    if (!without.has(index)) return root
    return { kind: 'literal', responseKey: root.responseKey, json: 'null' }
  })
  return { ...template, roots }
}
