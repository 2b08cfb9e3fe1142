import { domainOverEnum } from '../primitives/comparable.ts'
import type { CatalogReader } from './catalog-reader.ts'

interface TypeRow {
  readonly name: string
  /** `b`ase, `c`omposite, `d`omain, `e`num, `p`seudo, `r`ange, `m`ultirange */
  readonly kind: string
  readonly base: string
  readonly element: string
  readonly isArray: boolean
  readonly relation: string
  readonly schema: string
  readonly notNull: boolean
  /** `typtypmod` of a domain; -1: none. */
  readonly modifier: number
}

/** An enum with its schema. */
export interface EnumName {
  readonly schema: string
  readonly name: string
}

/** A domain type, with the constraints that it inherits from the domains under it. */
export interface Domain {
  readonly name: string
  readonly notNull: boolean
  /** Modifier of the base type, as `pg_attribute.atttypmod`; -1: none. */
  readonly modifier: number
}

const SQL = `
WITH RECURSIVE needed(oid) AS (
  SELECT unnest($1::oid[])
  UNION
  SELECT next.oid FROM needed n JOIN pg_catalog.pg_type t ON t.oid = n.oid
    CROSS JOIN LATERAL (VALUES (t.typbasetype), (t.typelem)) AS next(oid) WHERE next.oid <> 0
)
SELECT t.oid, t.typname, t.typtype, t.typbasetype, t.typelem, t.typcategory = 'A', t.typrelid, s.nspname,
  t.typnotnull, t.typtypmod
FROM needed JOIN pg_catalog.pg_type t USING (oid) JOIN pg_catalog.pg_namespace s ON s.oid = t.typnamespace`

const LABELS = `
SELECT enumtypid, enumlabel FROM pg_catalog.pg_enum WHERE enumtypid = ANY ($1::oid[]) ORDER BY enumtypid, enumsortorder`

/** PostgreSQL types by OID, with names as in `CatalogRelation` (`int4`, `_text`, `enum:mood`). */
export interface Types {
  /**
   * Returns `int4`, `enum:mood`, `_text`, `_enum:mood`. For a domain it returns the base type; for one over an enum, `enum:mood in app`.
   */
  nameOf(oid: string): string
  /** Returns the labels of an enum, or of an array of it, in the order of the enum; `null` for other types. */
  labelsOf(oid: string): readonly string[] | null
  /** Returns the `pg_class.oid` that the columns of a composite type belong to; `null` for other types. */
  compositeOf(oid: string): string | null
  /** Returns the enum of a type, or of the elements of an array; `null` for other types. */
  enumOf(oid: string): EnumName | null
  /** Returns `null` for a type that is no domain. */
  domainOf(oid: string): Domain | null
  /** Tests for types that no column can have, such as `anyelement`, `internal`, `record` and `void`. */
  isPseudo(oid: string): boolean
}

/** Reads types by OID, with their base and element types, in one round trip. */
export async function readTypes(reader: CatalogReader, oids: readonly string[]): Promise<Types> {
  const types = new Map<string, TypeRow>()
  if (oids.length > 0) {
    for (const row of await reader.query(SQL, [[...new Set(oids)]])) {
      const [oid, name, kind, base, element, isArray, relation, schema, notNull, modifier] = row as readonly string[]
      types.set(oid!, {
        name: name!,
        kind: kind!,
        base: base!,
        element: element!,
        isArray: isArray === 't',
        relation: relation!,
        schema: schema!,
        notNull: notNull === 't',
        modifier: Number(modifier),
      })
    }
  }
  const enums = [...types].filter(([, { kind }]) => kind === 'e').map(([oid]) => oid)
  const labels = new Map<string, string[]>()
  for (const [oid, label] of enums.length === 0 ? [] : await reader.query(LABELS, [enums])) {
    labels.set(oid!, [...(labels.get(oid!) ?? []), label!])
  }
  function resolve(oid: string): TypeRow | undefined {
    const type = types.get(oid)
    return type?.kind === 'd' ? resolve(type.base) : type
  }
  function labelsOf(oid: string): readonly string[] | null {
    const type = resolve(oid)
    if (type?.isArray === true && type.element !== '0') return labelsOf(type.element)
    const base = types.get(oid)
    return base?.kind === 'd' ? labelsOf(base.base) : (labels.get(oid) ?? null)
  }
  function nameOf(oid: string): string {
    const type = resolve(oid)
    if (type === undefined) return `oid:${oid}`
    if (type.isArray && type.element !== '0') return `_${nameOf(type.element)}`
    if (type.kind !== 'e') return type.name
    return types.get(oid)?.kind === 'd' ? domainOverEnum(type.name, type.schema) : `enum:${type.name}`
  }
  function enumOf(oid: string): EnumName | null {
    const type = resolve(oid)
    if (type?.isArray === true && type.element !== '0') return enumOf(type.element)
    return type?.kind === 'e' ? { schema: type.schema, name: type.name } : null
  }
  function domainOf(oid: string): Domain | null {
    const type = types.get(oid)
    if (type?.kind !== 'd') return null
    const base = domainOf(type.base)
    return {
      name: type.name,
      notNull: type.notNull || base?.notNull === true,
      modifier: base === null || type.modifier >= 0 ? type.modifier : base.modifier,
    }
  }
  return {
    nameOf,
    labelsOf,
    enumOf,
    domainOf,
    isPseudo: (oid) => types.get(oid)?.kind === 'p',
    compositeOf(oid) {
      const type = resolve(oid)
      return type?.kind === 'c' ? type.relation : null
    },
  }
}
