import type { ObjectShape } from '../input-shape.ts'
import type { FieldModel } from '../model.ts'
import { dimensionsOf } from '../semantic/vector.ts'
import { whole } from './convert-special.ts'
import { VECTOR_DISTANCES, type VectorScalar } from './operand-inputs.ts'
import type { Convert, OperatorEntry } from './operator.ts'

/** The types of columns that a scalar is compared in. */
const COLUMNS: Readonly<Record<VectorScalar, readonly string[]>> = {
  Vector: ['vector'],
  HalfVector: ['halfvec'],
  SparseVector: ['sparsevec'],
  BitVector: ['bit', 'varbit'],
}

/** The database would fail over a vector of another length, and so would each of its rows. */
function ofItsDimensions(shape: ObjectShape): Convert {
  const convert = whole(shape)
  return (value: unknown, field: FieldModel) => {
    const operand = convert(value) as { readonly vector: unknown }
    const given = dimensionsOf(operand.vector)
    if (field.dimensions !== null && given !== field.dimensions)
      throw new Error(
        `"${field.wireName}" has ${field.dimensions} dimensions, and the vector that is given has ${given}`,
      )
    return operand
  }
}

const distance =
  (scalars: readonly VectorScalar[]) =>
  (name: string, description: string): readonly OperatorEntry[] =>
    scalars.map((scalar) => {
      const input = VECTOR_DISTANCES[scalar]
      return {
        id: `${name}:${scalar}`,
        name,
        groups: [],
        scalars: [scalar],
        columns: COLUMNS[scalar],
        // A column of the other types is the extension's own.
        ...(scalar === 'BitVector' ? { extension: 'vector' } : {}),
        operand: 'object',
        input,
        description,
        convert: ofItsDimensions(input),
      }
    })

const ofNumbers = distance(['Vector', 'HalfVector', 'SparseVector'])
const ofBits = distance(['BitVector'])

/** The distances of pgvector. */
export const VECTOR_OPERATORS: readonly OperatorEntry[] = [
  ...ofNumbers('_cosine_distance', 'The cosine distance (`<=>`, 0 to 2) is less than threshold.'),
  ...ofNumbers('_l2_distance', 'The Euclidean distance (`<->`) is less than threshold.'),
  ...ofNumbers('_l1_distance', 'The taxicab distance (`<+>`) is less than threshold.'),
  ...ofNumbers('_inner_product', 'The negative inner product (`<#>`) is less than threshold: the nearer, the smaller.'),
  ...ofBits('_hamming_distance', 'So many bits differ, fewer than threshold (`<~>`).'),
  ...ofBits('_jaccard_distance', 'The Jaccard distance (`<%>`, 0 to 1) is less than threshold.'),
]
