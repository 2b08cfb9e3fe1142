import { readViewShape, type ViewShape } from '../../view-shape/read-view-shape.ts'
import { rowBases } from '../../view-shape/row-bases.ts'
import type { CatalogReader } from './catalog-reader.ts'
import { isRowForRow } from './is-row-for-row.ts'

/**
 * Tests whether a set of columns (`pg_attribute.attnum`) contains a key of a relation (`pg_class.oid`), so that their
 * values identify one row.
 */
export type IsKey = (relation: string, attributes: ReadonlySet<number>) => boolean

/** A view whose definition joins several relations, parsed: the relations, and the origin of each column. */
export interface ResolvedJoins {
  readonly relations: readonly { readonly relation: string }[]
  /**
   * Returns the origin of each column of the view, in order. Call it when the keys of the relations are known.
   * @returns `relation` (`pg_class.oid`) and `attribute` (`pg_attribute.attnum`) of the column that it shows, both 0
   * for an expression. `always`: no outer join can make it NULL. `rowForRow`: no two rows of the view show the same row
   * of the relation
   */
  columns(isKey: IsKey): readonly {
    readonly relation: number
    readonly attribute: number
    readonly always: boolean
    readonly rowForRow: boolean
  }[]
}

/** Looks up the relations of a view. The search path must be the one with which the view's definition was printed. */
const ATTRIBUTES = `
SELECT n.name, a.attrelid, a.attname, a.attnum
FROM unnest($1::text[]) AS n(name)
JOIN pg_catalog.pg_attribute a ON a.attrelid = pg_catalog.to_regclass(n.name)
WHERE a.attnum > 0 AND NOT a.attisdropped`

const NO_COLUMN = { relation: 0, attribute: 0, always: false, rowForRow: false }

/**
 * Parses the definition of a view that joins relations, and looks up these relations in the catalog, in one round trip.
 * @param definition as `pg_get_viewdef` writes it
 * @param setReturning names of functions that may return several rows per call
 * @returns `null`: the view has no joins, or svc cannot parse them
 */
export async function resolveJoins(
  reader: CatalogReader,
  definition: string,
  setReturning: ReadonlySet<string>,
): Promise<ResolvedJoins | null> {
  if (!/\bJOIN\b/.test(definition) || isRowForRow(definition, setReturning)) return null
  const shape = readViewShape(definition)
  if (shape === null || shape.joins.length < 2) return null
  const names = [...new Set(shape.joins.flatMap(({ relation }) => (relation === null ? [] : [relation])))]
  const relations = new Map<string, { relation: string; attributes: Map<string, number> }>()
  for (const [name, relation, attribute, number] of await reader.query(ATTRIBUTES, [names])) {
    const found = relations.get(name!) ?? { relation: relation!, attributes: new Map<string, number>() }
    found.attributes.set(attribute!, Number(number))
    relations.set(name!, found)
  }
  const givesRows = [...definition.matchAll(/([\w$]+)\(/g)].some(([, name]) => setReturning.has(name!))
  const isOpaque = givesRows || /"\(/.test(definition)
  return {
    relations: [...relations.values()],
    columns: (isKey) => {
      const bases = isOpaque
        ? new Set<string>()
        : rowBases(shape, (name, columns) => {
            const found = relations.get(name)
            const attributes = [...columns].flatMap((column) => found?.attributes.get(column) ?? [])
            return found !== undefined && isKey(found.relation, new Set(attributes))
          })
      return shape.columns.map((column) => describe(shape, column, bases, relations))
    },
  }
}

function describe(
  { joins }: ViewShape,
  column: ViewShape['columns'][number],
  bases: ReadonlySet<string>,
  relations: ReadonlyMap<string, { readonly relation: string; readonly attributes: ReadonlyMap<string, number> }>,
) {
  if (column === null || 'all' in column) return NO_COLUMN
  const join = joins.find(({ alias }) => alias === column.of)
  const found = join?.relation == null ? undefined : relations.get(join.relation)
  const attribute = found?.attributes.get(column.name)
  if (join === undefined || found === undefined || attribute === undefined) return NO_COLUMN
  return { relation: Number(found.relation), attribute, always: !join.optional, rowForRow: bases.has(join.alias) }
}
