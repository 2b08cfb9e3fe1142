import { readViewShape, rowBases, type ViewShape } from '../../core/doors/driver.ts'
import { UNKNOWN_TYPE } from './dialect/declared-type.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly unique: boolean
}

/** A table or view of a SQLite file, with what is known about NULL and uniqueness. */
export interface ProvenRelation {
  readonly name: string
  /** Text of the statement `CREATE VIEW …`; absent for a table. */
  readonly sql: string | null | undefined
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

/** Limit on the nesting of views. Nothing is proven for deeper ones. */
const MAX_DEPTH = 32
/**
 * The head of a CREATE VIEW statement. A view with a column list does not match, and nothing is proven for it. Calls in the selection
 * need no check: SQLite accepts table-valued functions, such as `json_each`, only in FROM, so other calls add no rows.
 */
const HEAD =
  /^\s*CREATE\s+(?:TEMP\s+|TEMPORARY\s+)?VIEW\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:"(?:[^"]|"")*"|\[[^\]]*\]|`[^`]*`|[\p{L}\p{N}_$.]+)\s+AS\s+/iu

/**
 * Derives which columns of views are NOT NULL or unique, from the columns of tables that they refer to. It is possible
 * for views that add neither rows nor NULLs. Anything uncertain counts as not proven.
 * @param relations tables and views of the file, by lower-case name
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

function shapeOf({ sql }: ProvenRelation): ViewShape | null {
  if (sql === null || sql === undefined) return null
  const head = HEAD.exec(sql)
  return head === null ? null : readViewShape(sql.slice(head[0].length))
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
      // A JSON expression of the inner view has no declared type.
      type: column.type === UNKNOWN_TYPE && source.type === 'json' ? 'json' : column.type,
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
