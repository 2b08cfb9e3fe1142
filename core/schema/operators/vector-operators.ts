import type { ObjectShape } from '../input-shape.ts'
import type { FieldModel } from '../model.ts'
import { dimensionsOf } from '../semantic/vector.ts'
import { whole } from './convert-special.ts'
import { VECTOR_DISTANCES, type VectorScalar } from './operand-inputs.ts'
import type { Convert, OperatorEntry } from './operator.ts'

/** Column types that store the values of a vector scalar. */
const COLUMNS: Readonly<Record<VectorScalar, readonly string[]>> = {
  Vector: ['vector'],
  HalfVector: ['halfvec'],
  SparseVector: ['sparsevec'],
  BitVector: ['bit', 'varbit'],
}

/** Checks that an operand has the number of dimensions of the field. The database would fail on any other. */
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
        // The other column types are defined by the extension, so they imply that it is installed.
        ...(scalar === 'BitVector' ? { extension: 'vector' } : {}),
        operand: 'object',
        input,
        description,
        convert: ofItsDimensions(input),
      }
    })

const ofNumbers = distance(['Vector', 'HalfVector', 'SparseVector'])
const ofBits = distance(['BitVector'])

/** Filter operators for the distance between vectors (extension pgvector). */
export const VECTOR_OPERATORS: readonly OperatorEntry[] = [
  ...ofNumbers('_cosine_distance', 'The cosine distance (`<=>`, 0 to 2) is less than threshold.'),
  ...ofNumbers('_l2_distance', 'The Euclidean distance (`<->`) is less than threshold.'),
  ...ofNumbers('_l1_distance', 'The taxicab distance (`<+>`) is less than threshold.'),
  ...ofNumbers('_inner_product', 'The negative inner product (`<#>`) is less than threshold: the nearer, the smaller.'),
  ...ofBits('_hamming_distance', 'So many bits differ, fewer than threshold (`<~>`).'),
  ...ofBits('_jaccard_distance', 'The Jaccard distance (`<%>`, 0 to 1) is less than threshold.'),
]
