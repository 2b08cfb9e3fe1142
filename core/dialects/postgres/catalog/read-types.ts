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

/** Schema and name of an enum type. */
export interface EnumName {
  readonly schema: string
  readonly name: string
}

/** A domain type (`CREATE DOMAIN`). `notNull` is also `true` if a domain that this one is based on is NOT NULL. */
export interface Domain {
  readonly name: string
  readonly notNull: boolean
  /**
   * Type modifier of the base type, in the format of `pg_attribute.atttypmod` (length, or precision and scale); -1:
   * none.
   */
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

/** Lookup of PostgreSQL types by `pg_type.oid`, with names as in `CatalogRelation` (`int4`, `_text`, `enum:mood`). */
export interface Types {
  /**
   * Returns the name of a type: `int4`, `enum:mood`, or `_text` and `_enum:mood` for arrays. A domain has the name of
   * its base type; a domain over an enum has `enum:mood in app` with the schema of the enum. An unknown OID has
   * `oid:N`.
   */
  nameOf(oid: string): string
  /** Returns the labels of an enum, or of an array of it, in the order of the enum; `null` for other types. */
  labelsOf(oid: string): readonly string[] | null
  /**
   * Returns the `pg_class.oid` under which the catalog stores the columns of a composite type; `null`: the type is not
   * composite.
   */
  compositeOf(oid: string): string | null
  /** Returns the enum of a type, or of the elements of an array; `null` for other types. */
  enumOf(oid: string): EnumName | null
  /** Returns the domain with this OID; `null`: the type is not a domain. */
  domainOf(oid: string): Domain | null
  /** Tests for pseudo-types, which no column can have: `anyelement`, `internal`, `record`, `void` and others. */
  isPseudo(oid: string): boolean
}

/**
 * Reads types by OID from `pg_type`, with their base types, element types and enum labels, in one or two round trips.
 */
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
