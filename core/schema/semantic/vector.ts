import { parseFloat64 } from '../scalar-number.ts'
import { refuse, type SemanticScalar } from './semantic-scalar.ts'

/** Maximum number of dimensions of a column of pgvector. */
const MOST_DIMENSIONS = 16_000
const MOST_BITS = 64_000
const LARGEST = { Vector: 3.4028234663852886e38, HalfVector: 65_504 }

type Dense = keyof typeof LARGEST

/** Parses a list of numbers. @throws Error */
function parseDense(name: Dense, value: unknown): readonly number[] {
  const wants = `1 to ${MOST_DIMENSIONS} numbers, none beyond ±${LARGEST[name]}`
  const fault = (): Error => refuse({ name, example: '[0.1, -0.25, 3]' }, wants, value)
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_DIMENSIONS) throw fault()
  return value.map((item) => {
    const number = numberOf(item)
    if (number === null || Math.abs(number) > LARGEST[name]) throw fault()
    return number
  })
}

function numberOf(value: unknown): number | null {
  try {
    return Number(parseFloat64(value))
  } catch {
    return null
  }
}

const SPARSE =
  /^\{(?:\d{1,10}:-?[\d.]+(?:[eE][+-]?\d{1,3})?(?:,\d{1,10}:-?[\d.]+(?:[eE][+-]?\d{1,3})?)*)?\}\/(\d{1,10})$/
const MOST_SPARSE_DIMENSIONS = 1_000_000_000

/** Parses the text format of pgvector: `{1:0.5,4:2}/5`. @throws Error */
function parseSparse(value: unknown): string {
  const fault = (): Error =>
    refuse(
      { name: 'SparseVector', example: '"{1:0.5,4:2}/5"' },
      `at most ${MOST_DIMENSIONS} numbers by their places, which count from 1 and rise, and the count of dimensions`,
      value,
    )
  const dimensions = typeof value === 'string' ? SPARSE.exec(value)?.[1] : undefined
  if (dimensions === undefined || Number(dimensions) < 1 || Number(dimensions) > MOST_SPARSE_DIMENSIONS) throw fault()
  const inner = (value as string).slice(1, (value as string).indexOf('}'))
  let before = 0
  const parts = inner === '' ? [] : inner.split(',')
  if (parts.length > MOST_DIMENSIONS) throw fault()
  for (const part of parts) {
    const [place, number] = part.split(':').map(Number)
    if (place! <= before || place! > Number(dimensions) || !(Math.abs(number!) <= LARGEST.Vector)) throw fault()
    before = place!
  }
  return value as string
}

/** Parses a text of bits. @throws Error */
function parseBits(value: unknown): string {
  if (typeof value === 'string' && value.length <= MOST_BITS && /^[01]+$/.test(value)) return value
  throw refuse({ name: 'BitVector', example: '"10110"' }, `1 to ${MOST_BITS} characters 0 and 1`, value)
}

const PGVECTOR = 'https://github.com/pgvector/pgvector'

const dense = (name: Dense, column: string, description: string): SemanticScalar => ({
  name,
  description,
  specifiedByUrl: PGVECTOR,
  base: 'JSON',
  group: 'vector',
  columns: [column],
  example: '[0.1, -0.25, 3]',
  parse: (value) => parseDense(name, value),
})

/** Definitions of the scalars for vectors, one for each column type of the extension pgvector. */
export const VECTOR: readonly SemanticScalar[] = [
  dense('Vector', 'vector', 'A vector of numbers of 32 bits: a list of numbers.'),
  dense('HalfVector', 'halfvec', 'A vector of numbers of 16 bits: a list of numbers.'),
  {
    name: 'SparseVector',
    description: 'A vector of which most numbers are zero: the others by their places, and the count of dimensions.',
    specifiedByUrl: PGVECTOR,
    base: 'String',
    group: 'vector',
    columns: ['sparsevec'],
    example: '"{1:0.5,4:2}/5"',
    parse: parseSparse,
  },
  {
    name: 'BitVector',
    description: 'A vector of bits, as a text of 0 and 1.',
    specifiedByUrl: PGVECTOR,
    base: 'String',
    group: 'vector',
    columns: ['bit', 'varbit'],
    example: '"10110"',
    parse: parseBits,
  },
]

/** Returns the number of dimensions of a vector value that has passed the `parse` function of its scalar. */
export function dimensionsOf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  const text = String(value)
  const slash = text.indexOf('/')
  return slash < 0 ? text.length : Number(text.slice(slash + 1))
}

/** Filter operator for each distance metric that the option `distance_metric` can name. */
export const METRICS: Readonly<Record<string, string>> = {
  cosine: '_cosine_distance',
  l2: '_l2_distance',
  l1: '_l1_distance',
  inner_product: '_inner_product',
  hamming: '_hamming_distance',
  jaccard: '_jaccard_distance',
}
