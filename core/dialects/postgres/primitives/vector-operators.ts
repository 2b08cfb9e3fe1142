import { type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { OperatorId } from '../../../schema/operators/operator.ts'
import type { EmitOperator } from '../../sql-value.ts'
import { cast } from './types.ts'

type Dimensions = (value: SqlFragment) => SqlFragment

/**
 * Makes a distance operator. A column without declared dimensions may contain vectors of any length; for one that cannot be compared, the
 * condition is NULL.
 */
const distance =
  (symbol: SqlFragment, type: string, dimensions: Dimensions): EmitOperator =>
  ({ value }, { sql: operand }) => {
    const vector = cast(sql`(${operand} ->> 'vector')`, type)
    const near = sql`(${value} ${symbol} ${vector}) < (${operand} ->> 'threshold')::float8`
    return sql`CASE WHEN ${dimensions(value)} = ${dimensions(vector)} THEN ${near} END`
  }

const counted: Dimensions = (value) => sql`vector_dims(${value})`
const written: Dimensions = (value) => sql`split_part(${cast(value, 'text')}, '/', 2)`
const bits: Dimensions = (value) => sql`length(${value})`

const KINDS: readonly (readonly [scalar: string, type: string, dimensions: Dimensions])[] = [
  ['Vector', 'vector', counted],
  ['HalfVector', 'halfvec', counted],
  ['SparseVector', 'sparsevec', written],
]

/** SQL of the distance operators for pgvector columns, by operator id. */
export const VECTORS: readonly (readonly [OperatorId, EmitOperator])[] = [
  ...KINDS.flatMap(([scalar, type, dimensions]) =>
    (
      [
        ['_cosine_distance', sql`<=>`],
        ['_l2_distance', sql`<->`],
        ['_l1_distance', sql`<+>`],
        ['_inner_product', sql`<#>`],
      ] as const
    ).map(([name, symbol]) => [`${name}:${scalar}`, distance(symbol, type, dimensions)] as const),
  ),
  ['_hamming_distance:BitVector', distance(sql`<~>`, 'varbit', bits)],
  ['_jaccard_distance:BitVector', distance(sql`<%>`, 'varbit', bits)],
]
