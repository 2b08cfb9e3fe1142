import { readViewShape, type ViewShape } from './read-view-shape.ts'
import { rowBases } from './row-bases.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly unique: boolean
}

/** A table or view, with what the catalog knows about NULL and uniqueness. */
export interface ProvenRelation {
  readonly name: string
  /** Query of the view; `null`: a table, or a view for which nothing can be proven. */
  readonly query: string | null
  readonly columns: readonly Column[]
  /** Columns of the primary key. */
  readonly keys: readonly string[]
  /** Unique keys of several columns. */
  readonly compositeKeys: readonly (readonly string[])[]
}

/** Columns of a table or view with what is proven about NULL and uniqueness, and its unique keys of several columns. */
export interface ProvenRows extends Pick<ProvenRelation, 'compositeKeys'> {
  readonly columns: readonly Column[]
}

/** Type of a column that the database does not know. */
const UNKNOWN_TYPE = 'unknown'
/** Limit on the nesting of views. Nothing is proven for deeper ones. */
const MAX_DEPTH = 32
/**
 * Derives which columns of views are NOT NULL or unique, from the columns of tables that they refer to. It is possible
 * for views that add neither rows nor NULLs. Anything uncertain counts as not proven.
 * @param relations tables and views, by lower-case name
 * @returns a function that returns the columns and keys of a table or view
 */
export function proveViews(relations: ReadonlyMap<string, ProvenRelation>): (relation: ProvenRelation) => ProvenRows {
  const known = new Map<ProvenRelation, ProvenRows>()
  const prove = (relation: ProvenRelation, depth: number): ProvenRows => {
    const made = known.get(relation)
    if (made !== undefined) return made
    const shape = shapeOf(relation)
    if (shape === null || depth > MAX_DEPTH) return relation
    const rows = proveColumns(relation, shape, relations, (inner) => prove(inner, depth + 1))
    known.set(relation, rows)
    return rows
  }
  return (relation) => prove(relation, 0)
}

function shapeOf({ query }: ProvenRelation): ViewShape | null {
  return query === null ? null : readViewShape(query)
}

function proveColumns(
  { columns, compositeKeys }: ProvenRelation,
  shape: ViewShape,
  relations: ReadonlyMap<string, ProvenRelation>,
  prove: (relation: ProvenRelation) => ProvenRows,
): ProvenRows {
  const relationOf = (name: string | null): ProvenRelation | undefined =>
    name === null ? undefined : relations.get(unquoted(name).toLowerCase())
  const bases = rowBases(shape, (name, given) => {
    const relation = relationOf(name)
    if (relation === undefined) return false
    const unique = prove(relation).columns.some((column) => column.unique && given.has(column.name))
    return unique || (relation.keys.length > 0 && relation.keys.every((key) => given.has(key)))
  })
  const references = shape.columns.flatMap((column) => {
    if (column === null || !('all' in column)) return [column]
    const joins = shape.joins.filter(({ alias }) => column.all === null || column.all === alias)
    return joins.flatMap(({ alias, relation }) =>
      (relationOf(relation)?.columns ?? []).map(({ name }) => ({ of: alias, name, as: name })),
    )
  })
  // A subquery with an unknown number of columns shifts the columns after it.
  if (references.length !== columns.length) return { columns, compositeKeys }
  const aliasOf = (reference: (typeof references)[number]): string | null => reference?.of ?? only(shape)
  const shown = shape.joins.flatMap(({ alias, relation }) => {
    const source = bases.has(alias) ? relationOf(relation) : undefined
    return (source === undefined ? [] : prove(source).compositeKeys).flatMap((key) => {
      const found = key.map((name) => references.findIndex((one) => one?.name === name && aliasOf(one) === alias))
      return found.includes(-1) ? [] : [found.map((index) => columns[index]!.name)]
    })
  })
  const proven = columns.map((column, index) => {
    const reference = references[index]
    if (reference === null || reference === undefined) return column
    const join = shape.joins.find(({ alias }) => alias === aliasOf(reference))
    const relation = relationOf(join?.relation ?? null)
    const source =
      relation === undefined ? undefined : prove(relation).columns.find(({ name }) => name === reference.name)
    if (join === undefined || source === undefined) return column
    return {
      ...column,
      // The database may not know that an expression of the inner view is JSON.
      type: (column.type === UNKNOWN_TYPE || column.type === 'text') && source.type === 'json' ? 'json' : column.type,
      notNull: column.notNull || (source.notNull && !join.optional),
      unique: column.unique || (source.unique && bases.has(join.alias)),
    }
  })
  return { columns: proven, compositeKeys: shown }
}

function only({ joins }: ViewShape): string | null {
  return joins.length === 1 ? joins[0]!.alias : null
}

/** Removes the schema and the quotes: `main."Odd name"` → `Odd name`. */
function unquoted(name: string): string {
  const bare = name.replace(/^main\./i, '')
  return /^["`[]/.test(bare) ? bare.slice(1, -1).replaceAll('""', '"') : bare
}
