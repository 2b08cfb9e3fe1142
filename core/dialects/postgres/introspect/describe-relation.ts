import type { ModelForeignKey, ModelIndex, ModelRelation } from '../../../contract/database-model.ts'
import type { ColumnProofs } from '../catalog/prove-columns.ts'
import type { Types } from '../catalog/read-types.ts'
import { describeColumn } from './describe-column.ts'
import type { IndexFacts } from './read-keys.ts'
import type { ColumnFacts } from './read-model-columns.ts'
import type { RelationHead } from './read-model-relations.ts'

/** The parts of a relation, each read by a query of its own. */
export interface RelationParts {
  readonly head: RelationHead
  readonly columns: readonly ColumnFacts[]
  readonly indexes: readonly IndexFacts[]
  readonly foreignKeys: readonly ModelForeignKey[]
  /** Proofs for the columns of a view. `null`: it is a table, or there are too many views to prove. */
  readonly proofs: ColumnProofs | null
}

export function describeRelation(parts: RelationParts, types: Types, postgis: string | null): ModelRelation {
  const { head, columns, indexes, foreignKeys, proofs } = parts
  const { oid, hasChildren, ...relation } = head
  const names = new Map(columns.map(({ attribute, name }) => [attribute, name]))
  const primary = indexes.find(({ isPrimary }) => isPrimary)
  const described = columns.map((column) => {
    const proven = proofs?.isNotNull(oid, column.attribute) === true
    return describeColumn(column, proven, head.privileges, types, postgis)
  })
  return {
    ...relation,
    columns: described,
    primaryKey: (primary?.attributes ?? []).map((attribute) => names.get(attribute)!),
    uniqueKeys: requiredFirst(
      (proofs === null
        ? keysOfTable(primary?.attributes ?? [], hasChildren ? [] : indexes)
        : minimal(keysOfView(oid, columns, proofs))
      ).map(named),
    ),
    foreignKeys,
    indexes: indexes.map((index) => describeIndex(index, names)),
  }

  function named(key: readonly number[]): readonly string[] {
    return key.map((attribute) => names.get(attribute)!)
  }

  /** Puts keys first that have no NULL, because they identify every row. */
  function requiredFirst(keys: readonly (readonly string[])[]): readonly (readonly string[])[] {
    const required = new Set(described.filter(({ notNull }) => notNull).map(({ name }) => name))
    const isRequired = (key: readonly string[]): boolean => key.every((name) => required.has(name))
    return [...keys.filter(isRequired), ...keys.filter((key) => !isRequired(key))]
  }
}

/** Tests for the index of a key that holds for all rows at all times. */
function isKey({ isUnique, isPrimary, isImmediate, isPartial, attributes }: IndexFacts): boolean {
  return isUnique && !isPrimary && isImmediate && !isPartial && !attributes.includes(0)
}

function keysOfTable(primary: readonly number[], indexes: readonly IndexFacts[]): readonly (readonly number[])[] {
  const keys = indexes.filter(isKey).map(({ attributes }) => attributes)
  return primary.length === 0 ? minimal(keys) : minimal([primary, ...keys]).filter((key) => key !== primary)
}

/** Drops keys that contain another one, such as those of covering indexes. Of equal keys the first is kept. */
function minimal(keys: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const contains = (key: readonly number[], other: readonly number[]): boolean =>
    other.every((one) => key.includes(one))
  return keys.filter(
    (key, i) => !keys.some((other, j) => i !== j && contains(key, other) && (other.length < key.length || j < i)),
  )
}

function keysOfView(
  oid: string,
  columns: readonly ColumnFacts[],
  proofs: ColumnProofs,
): readonly (readonly number[])[] {
  const single = columns.filter(({ attribute }) => proofs.isUnique(oid, attribute)).map(({ attribute }) => [attribute])
  return [...single, ...proofs.compositeKeys(oid)]
}

function describeIndex(index: IndexFacts, names: ReadonlyMap<number, string>): ModelIndex {
  const operatorClasses = index.operatorClasses.slice(0, index.attributes.length)
  return {
    name: index.name,
    columns: index.attributes.map((attribute) => names.get(attribute) ?? ''),
    unique: index.isUnique,
    method: index.method,
    ...(operatorClasses.some((name) => name !== null) ? { operatorClasses } : {}),
    ...(index.isPartial ? { partial: true } : {}),
  }
}
