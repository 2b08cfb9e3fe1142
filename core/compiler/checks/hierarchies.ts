import { toWireName } from '../../base/util/naming.ts'
import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { AuthoredField, AuthoredHierarchy } from '../../schema/authored.ts'
import type { CompiledHierarchy } from '../../schema/compiled-hierarchy.ts'
import type { FieldModel, ObjectType, SchemaModel } from '../../schema/model.ts'
import type { CompileContext } from '../ground/context.ts'

const DEFAULT_ID = 'id'

/**
 * Returns the hierarchies (types whose rows form a tree) for the compiled schema, with the names of fields as in the
 * API. A hierarchy without a path field is left out; `checkHierarchyNames` reports it.
 */
export function compileHierarchies({ schema }: CompileContext): readonly CompiledHierarchy[] {
  return (schema.hierarchies ?? []).flatMap((hierarchy) => {
    const path = pathOf(schema.types?.find(({ name }) => name === hierarchy.type)?.fields ?? [], hierarchy)
    if (path === undefined) return []
    return [
      {
        name: hierarchy.name,
        type: hierarchy.type,
        path: toWireName(path),
        id: toWireName(hierarchy.id ?? DEFAULT_ID),
      },
    ]
  })
}

/** Returns the configured path field, or the only field of type `LTree`. */
function pathOf(fields: readonly AuthoredField[], { path }: AuthoredHierarchy): string | undefined {
  if (path !== undefined) return fields.find(({ name }) => toWireName(name) === toWireName(path))?.name
  const paths = fields.filter(({ type }) => isPath(type))
  return paths.length === 1 ? paths[0]!.name : undefined
}

function isPath(type: string): boolean {
  return type.replace('!', '') === 'LTree'
}

/**
 * Checks that the type and fields that each `hierarchy()` names exist, and that names of hierarchies are unique. It
 * runs before names in the schema are resolved.
 */
export function checkHierarchyNames({ schema, report }: CompileContext): void {
  const names = new Set<string>()
  for (const hierarchy of schema.hierarchies ?? []) {
    const fault = (what: string): void => report.fault('hierarchy', `Hierarchy "${hierarchy.name}": ${what}`, hierarchy)
    if (names.has(hierarchy.name)) fault('there are two of this name. Rename one.')
    names.add(hierarchy.name)
    const types = schema.types ?? []
    const type = types.find(({ name }) => name === hierarchy.type)
    if (type === undefined) {
      fault(
        `there is no type "${hierarchy.type}".${didYouMean(
          hierarchy.type,
          types.map(({ name }) => name),
        )} Name the type whose rows have the paths.`,
      )
      continue
    }
    const fields = type.fields.map(({ name }) => name)
    const paths = type.fields.filter((field) => isPath(field.type)).map(({ name }) => name)
    if (pathOf(type.fields, hierarchy) === undefined) {
      if (hierarchy.path !== undefined)
        fault(
          `${type.name} has no field "${hierarchy.path}".${didYouMean(hierarchy.path, fields)} It has: ${listNames(fields)}.`,
        )
      else if (paths.length === 0) fault(`${type.name} has no field of LTree. Add one that holds the path of the row.`)
      else fault(`${type.name} has several fields of LTree: ${listNames(paths)}. Say which in "path".`)
    }
    const id = hierarchy.id ?? DEFAULT_ID
    if (!fields.some((name) => toWireName(name) === toWireName(id)))
      fault(
        `${type.name} has no field "${id}".${didYouMean(id, fields)} Say in "id" which field clients name a row by.`,
      )
  }
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) {
      if (field.hierarchy === undefined || names.has(field.hierarchy)) continue
      const known = names.size === 0 ? ' There are none.' : ` There are: ${listNames(names)}.`
      const hint = didYouMean(field.hierarchy, names)
      report.fault(
        'hierarchy',
        `${owner.name}.${field.name}: there is no hierarchy "${field.hierarchy}".${hint === '' ? known : hint} Declare it in "hierarchies".`,
        field,
        owner,
      )
    }
  }
}

/**
 * Checks that the path field of each hierarchy (type whose rows form a tree) is read from a column of type ltree, which
 * alone can be compared. It runs on the schema with resolved names (`SchemaModel`).
 */
export function checkHierarchies(context: CompileContext, model: SchemaModel): void {
  const { schema, report } = context
  for (const hierarchy of schema.hierarchies ?? []) {
    const type = model.types.get(hierarchy.type)
    if (type?.kind !== 'object') continue
    const fault = (what: string): void => report.fault('hierarchy', `Hierarchy "${hierarchy.name}": ${what}`, hierarchy)
    if (type.source === null) {
      fault(`${type.name} has no source of its own, so no row can be found by an id. Set sql_source on the type.`)
      continue
    }
    const [compiled] = compileHierarchies({ ...context, schema: { ...schema, hierarchies: [hierarchy] } })
    const path = compiled === undefined ? undefined : type.fields.get(compiled.path)
    const id = compiled === undefined ? undefined : type.fields.get(compiled.id)
    const wrong = path === undefined ? null : pathProblem(context, path)
    if (wrong !== null) fault(`${type.name}.${path!.name} ${wrong}`)
    if (id !== undefined && (id.list || id.named.kind === 'object' || id.read === null || id.read.from === 'relation'))
      fault(`${type.name}.${id.name} is no stored scalar, and names no row. Say in "id" which field does.`)
  }
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    const linked = model.types.get(owner.name)
    if (linked?.kind !== 'object' && linked?.kind !== 'interface') continue
    for (const field of owner.fields) {
      const own = linked.fields.get(toWireName(field.name))
      if (field.hierarchy === undefined || own === undefined) continue
      const label = `${owner.name}.${field.name}`
      const wrong = pathProblem(context, own)
      if (wrong !== null) report.fault('hierarchy', `${label} ${wrong}`, field, owner)
      if (field.filterable === false)
        report.fault(
          'hierarchy',
          `${label}: filterable is false, so hierarchy has nothing to say. Drop one of them.`,
          field,
          owner,
        )
      const there = own.hierarchy?.type
      if (there !== undefined && databaseOf(there) !== databaseOf(linked)) {
        report.fault(
          'across-databases',
          `${label}: the hierarchy "${field.hierarchy}" is of ${there.name}, which is in another database. Paths are compared in one.`,
          field,
          owner,
        )
      }
    }
  }
}

function databaseOf({ source }: Pick<ObjectType, 'source'>): string | undefined {
  return source?.database
}

/**
 * @returns the problem, to follow the name of the field; `null`: the field is a path in an ltree column, or its column
 * is unknown
 */
function pathProblem({ catalog }: CompileContext, { named, list, read, type }: FieldModel): string | null {
  if (named.kind !== 'scalar' || (named.semantic ?? named.name) !== 'LTree' || list)
    return `is ${type.kind === 'list' ? 'a list' : named.name}, and a hierarchy is made of paths. Declare LTree.`
  if (catalog === null || (read?.from === 'column' && read.column_type === 'ltree')) return null
  return 'is not read from a column of the type ltree, which alone can be compared. Make it one (CREATE EXTENSION ltree), or drop the hierarchy.'
}
