import type { Catalog, CatalogFunction, CatalogNames, CatalogRelation } from '../../../core/doors/driver.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { type CatalogRows, type ReadRelations, type Relation, readRelations } from './read-relations.ts'
import { type Routine, readRoutines } from './read-routines.ts'

interface Named {
  readonly schema: string
  readonly name: string
}

/** Reads the tables, views and routines that a schema names from the catalog of the server. */
export async function readCatalog(rowsOf: CatalogRows, names: CatalogNames, isMariaDb: boolean): Promise<Catalog> {
  const [[current, lowers] = []] = await rowsOf('SELECT DATABASE(), @@lower_case_table_names')
  const own = current!
  const isFolded = lowers !== '0'
  const split = (name: string): Named => {
    const dot = name.indexOf('.')
    return dot < 0 ? { schema: own, name } : { schema: name.slice(0, dot), name: name.slice(dot + 1) }
  }
  const schemas = new Set([own, ...[...names.relations, ...names.functions].map((name) => split(name).schema)])
  const relations = new Map<string, ReadRelations>()
  const routines = new Map<string, readonly Routine[]>()
  for (const schema of schemas) {
    relations.set(schema, await readRelations(rowsOf, schema, isMariaDb))
    routines.set(schema, await readRoutines(rowsOf, schema))
  }
  const found = new Map<string, CatalogRelation>()
  for (const asked of names.relations) {
    const { schema, name } = split(asked)
    const read = relations.get(schema)!
    const relation = findByName(read.relations, name, isFolded)
    if (relation !== undefined) found.set(asked, toCatalog(relation, read, settersOf(read, routines.get(schema)!)))
    else if (read.broken.has(name)) throw brokenView(asked, read.broken.get(name)!)
  }
  const functions = new Map<string, readonly CatalogFunction[]>()
  for (const asked of names.functions) {
    const { schema, name } = split(asked)
    // Names of routines ignore case on every server.
    const ofName = routines.get(schema)!.filter((routine) => routine.name.toLowerCase() === name.toLowerCase())
    if (ofName.length > 0) functions.set(asked, ofName.map(toFunction))
  }
  return {
    relations: found,
    functions,
    allRelations: [...relations.get(own)!.relations.keys()],
    allFunctions: [...new Set(routines.get(own)!.map(({ name }) => name))],
  }
}

function findByName(relations: ReadonlyMap<string, Relation>, name: string, isFolded: boolean): Relation | undefined {
  const exact = relations.get(name)
  if (exact !== undefined || !isFolded) return exact
  return [...relations.values()].find((relation) => relation.name.toLowerCase() === name.toLowerCase())
}

function toCatalog(relation: Relation, { proven }: ReadRelations, setters: ReadonlySet<string>): CatalogRelation {
  const { columns, compositeKeys } = proven(relation)
  return {
    schema: relation.schema,
    name: relation.name,
    kind: relation.kind,
    columns: columns.map((column, index) => {
      const { labels, digits, dimensions } = relation.declared[index]!
      return {
        ...column,
        ...(labels === null ? {} : { labels }),
        ...(digits === null ? {} : { digits }),
        ...(dimensions === undefined ? {} : { dimensions }),
      }
    }),
    primaryKey: relation.keys,
    ...(compositeKeys.length === 0 ? {} : { compositeKeys }),
    ...(setters.has(relation.name) ? { resets: true } : {}),
  }
}

/**
 * Returns the views that call a stored function, directly or through another view, if a routine of the database may
 * change the session.
 */
function settersOf({ relations }: ReadRelations, routines: readonly Routine[]): ReadonlySet<string> {
  const found = new Set<string>()
  if (!routines.some(({ changesSession }) => changesSession)) return found
  const functions = new Set(routines.flatMap(({ kind, name }) => (kind === 'function' ? [name.toLowerCase()] : [])))
  const namesIn = (query: string): readonly string[] =>
    [...query.matchAll(/`((?:[^`]|``)*)`(\()?/g)].map(([, name, call]) => (call === undefined ? name! : `${name}(`))
  const views = [...relations.values()].flatMap(({ name, query }) =>
    query === null ? [] : [{ name, names: namesIn(query) }],
  )
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const { name, names } of views) {
      const calls = names.some((one) => one.endsWith('(') && functions.has(one.slice(0, -1).toLowerCase()))
      if (calls || names.some((one) => found.has(one))) found.add(name)
    }
  }
  return found
}

function toFunction({ schema, name, kind, yields, parameters, returns }: Routine): CatalogFunction {
  return { schema, name, kind, ...(yields === true ? { yields } : {}), parameters, returns }
}

function brokenView(name: string, reason: string): SvcError {
  return new SvcError('SVC_SCHEMA_INVALID', `The view ${name} cannot be read: ${reason}`)
}
