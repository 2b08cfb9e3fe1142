import type { ModelForeignKey, ModelIndex, ModelRelation } from '../../../contract/database-model.ts'
import { uniqueKeys } from '../../unique-keys.ts'
import type { ColumnProofs } from '../catalog/prove-columns.ts'
import type { Types } from '../catalog/read-types.ts'
import { describeColumn } from './describe-column.ts'
import type { IndexFacts } from './read-keys.ts'
import type { ColumnFacts } from './read-model-columns.ts'
import type { RelationHead } from './read-model-relations.ts'

/** What introspection reads about one table or view, from several queries of the system catalog. */
export interface RelationParts {
  readonly head: RelationHead
  readonly columns: readonly ColumnFacts[]
  readonly indexes: readonly IndexFacts[]
  readonly foreignKeys: readonly ModelForeignKey[]
  /**
   * Properties of columns that a view's definition proves. `null`: the relation is a table, or the database has more
   * than 500 views, for which svc does not analyse definitions.
   */
  readonly proofs: ColumnProofs | null
}

export function describeRelation(parts: RelationParts, types: Types, postgis: string | null): ModelRelation {
  const { head, columns, indexes, foreignKeys, proofs } = parts
  const { oid, hasChildren, ...relation } = head
  const names = new Map(columns.map(({ attribute, name }) => [attribute, name]))
  const named = (key: readonly number[]): readonly string[] => key.map((attribute) => names.get(attribute)!)
  const primaryKey = named(indexes.find(({ isPrimary }) => isPrimary)?.attributes ?? [])
  const described = columns.map((column) => {
    const proven = proofs?.isNotNull(oid, column.attribute) === true
    return describeColumn(column, proven, head.privileges, types, postgis)
  })
  const keys = proofs === null ? keysOfTable(indexes, hasChildren) : keysOfView(oid, columns, proofs)
  const required = new Set(described.filter(({ notNull }) => notNull).map(({ name }) => name))
  return {
    ...relation,
    columns: described,
    primaryKey,
    uniqueKeys: uniqueKeys(keys.map(named), primaryKey, required),
    foreignKeys,
    indexes: indexes.map((index) => describeIndex(index, names)),
  }
}

/** Tests for the index of a key that holds for all rows at all times. */
function isKey({ isUnique, isPrimary, isImmediate, isPartial, attributes }: IndexFacts): boolean {
  return isUnique && !isPrimary && isImmediate && !isPartial && !attributes.includes(0)
}

function keysOfTable(indexes: readonly IndexFacts[], hasChildren: boolean): readonly (readonly number[])[] {
  return hasChildren ? [] : indexes.filter(isKey).map(({ attributes }) => attributes)
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
