import { builtinShape, type ObjectShape } from '../input-shape.ts'
import { parseTypeRef } from '../type-ref.ts'

/** Makes an input object whose fields are scalars. */
function input(name: string, description: string, fields: Readonly<Record<string, string>>): ObjectShape {
  const members = Object.entries(fields).map(([key, notation]) => {
    const type = parseTypeRef(notation)!
    const shape = builtinShape(notation.replace('!', ''))
    return [key, { name: key, type, shape, description: undefined, deprecated: undefined, default: undefined }] as const
  })
  return { kind: 'object', name, description, oneOf: false, fields: () => new Map(members) }
}

export const NUMBER_RANGE = input('NumberRangeInput', 'From and to, both included. One of them may be left out.', {
  min: 'Decimal',
  max: 'Decimal',
})
export const DURATION_RANGE = input('DurationRangeInput', 'From and to, both included. One of them may be left out.', {
  min: 'Duration',
  max: 'Duration',
})
export const ADDRESS_RANGE = input('IPAddressRangeInput', 'From and to, both included.', {
  from: 'IPAddress!',
  to: 'IPAddress!',
})
export const DISTANCE = input('DistanceInput', 'A circle around a point on the earth.', {
  latitude: 'Latitude!',
  longitude: 'Longitude!',
  radiusKm: 'Float!',
})

export const BOUNDING_BOX = input(
  'BoundingBoxInput',
  'Between two parallels and two meridians, all included. Where west is more than east, it crosses the 180th meridian.',
  { south: 'Latitude!', west: 'Longitude!', north: 'Latitude!', east: 'Longitude!' },
)
export const GEOMETRY_DISTANCE = input('GeoDistanceInput', 'A geometry, and the distance around it.', {
  from: 'GeoJSON!',
  radiusKm: 'Float!',
})

const vectorDistance = (scalar: string): ObjectShape =>
  input(`${scalar}DistanceInput`, 'A vector, and the distance from it that others have to be below.', {
    vector: `${scalar}!`,
    threshold: 'Float!',
  })

export type VectorScalar = 'Vector' | 'HalfVector' | 'SparseVector' | 'BitVector'

export const VECTOR_DISTANCES: Readonly<Record<VectorScalar, ObjectShape>> = {
  Vector: vectorDistance('Vector'),
  HalfVector: vectorDistance('HalfVector'),
  SparseVector: vectorDistance('SparseVector'),
  BitVector: vectorDistance('BitVector'),
}

/** Input objects that clients send for filter operators such as distances and ranges, by name of the input type. */
export const OPERAND_INPUTS: ReadonlyMap<string, ObjectShape> = new Map(
  [
    NUMBER_RANGE,
    DURATION_RANGE,
    ADDRESS_RANGE,
    DISTANCE,
    BOUNDING_BOX,
    GEOMETRY_DISTANCE,
    ...Object.values(VECTOR_DISTANCES),
  ].map((each) => [each.name, each]),
)
