import type { filterOperators } from '../../../core/doors/front.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import type { Random } from '../random.ts'
import { type Json, Token } from '../request.ts'
import { specialOperands } from '../world/specials.ts'

/** Values that rows have, in wire form, by field. */
export type Samples = (field: FieldModel) => readonly Json[]

const POOLS: Readonly<Record<string, readonly Json[]>> = {
  ID: ['0', '1', '2', '', 'x', '00000000-0000-4000-8000-000000000000'],
  String: ['', 'a', 'A', 'é', '%', '_', '\\', "'", '"', '🦊', 'no such text', 'ab\ncd', ' a', '\uFF5E', 'Z'],
  Int: [0, 1, -1, 3, 2147483647, -2147483648, 2000],
  BigInt: ['0', 1, '-9223372036854775808', '9223372036854775807', '9007199254740993', new Token('9007199254740992')],
  Float: [0, 0.1, 0.3, new Token('1e20'), new Token('1E-7'), -2.25, new Token('0.30000000000000004'), 3],
  Decimal: [
    '0',
    '1.5',
    '1.50',
    '-0.000001',
    new Token('9.99'),
    10,
    '1e2',
    '123456789012345678901234567890.123456789',
    '.5',
    '-1.',
  ],
  Boolean: [true, false],
  Date: ['2024-02-29', '1970-01-01', '0001-01-01', '9999-12-31', '2024-03-01'],
  DateTime: [
    '2024-01-01T00:00:00Z',
    '2024-01-01',
    '2024-01-01T02:00:00.123456+02:00',
    '2024-02-29 23:59:59.999999',
    '1969-12-31T23:59:59.500Z',
    '2024-03-02T23:30Z',
    '9999-12-31T23:59:59.999999Z',
    '2024-01-01T00:00:00.1234567Z',
  ],
  Time: ['00:00', '08:30', '12:00:00.5', '23:59:59.999999', '08:30:00.000', '12:00:00.4999999'],
  UUID: ['00000000-0000-4000-8000-000000000000'],
  JSON: [
    {},
    [],
    1,
    1.5,
    'text',
    true,
    null,
    { a: 1 },
    { b: [1, 2] },
    [1],
    [2, 1],
    ['a'],
    'a',
    { a: { b: {} } },
    [{ a: 1 }],
    { a: new Token('1.5') },
    [1, 1, 2],
    { a: 1, b: [1, 2, { c: null }] },
    [null],
    '',
    { a: new Token('1.50'), b: new Token('12345678901234567890') },
  ],
}

/** Case does not matter where both spell the letter the same; no wide quantifier, so that both dialects of expressions agree. */
const PATTERNS = [
  '^a',
  'b$',
  '^$',
  'a|b',
  '[a-c]',
  '[^a]',
  '.',
  '^.{2}$',
  '\\d',
  'a.?b',
  '(cat|dog)',
  "o'x",
  '^[A-Z]',
  '\\.',
  'é',
  '日',
  '^ *$',
  'a+',
]
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  _matches: ['cat', 'cat & dog', 'cat | dog', '!cat', 'sat <-> cat', 'ca:*', "'a cat'", 'dog & !sat'],
  _plain_query: ['cat', 'dog cat', 'the', '', 'cat & dog', 'sat!', 'null', 'Zoë'],
  _phrase_query: ['cat sat', 'sat cat', 'a dog', '', 'dog and a cat'],
  _websearch_query: ['cat', '"cat sat"', 'cat -dog', 'dog or sat', '"', '-cat'],
}
/** What an argument searches by. */
export const SEARCHES = {
  plain: QUERIES._plain_query!,
  phrase: QUERIES._phrase_query!,
  websearch: QUERIES._websearch_query!,
}
const KEYS = ['a', 'b', 'c', '', 'o\'x"', 'é', 'text', 'none']

/** An operand of the operator: of values that rows have, of values near them, of values that nobody has. */
export function makeOperand(
  random: Random,
  operator: filterOperators.Operator,
  field: FieldModel,
  samples: Samples,
): Json {
  const special = specialOperands(field, operator)
  if (special.length > 0) return random.pick(special)
  switch (operator.operand) {
    case 'field':
      return makeValue(random, field, samples)
    case 'list':
      return Array.from({ length: random.pick([0, 1, 1, 2, 3, 5]) }, () => makeValue(random, field, samples)).concat(
        field.list && random.chance(0.4) ? listSample(random, field, samples) : [],
      )
    case 'boolean':
      return random.chance(0.5)
    case 'int':
      return makeInt(random, operator.name)
    case 'string':
      return makeText(random, operator, field, samples)
    case 'strings':
      return random.some(KEYS, random.below(4))
    case 'json':
      return makeValue(random, field, samples)
    case 'object':
    case 'place':
    case 'key':
      throw new Error(`There are no operands for ${operator.id}`)
  }
}

/** A value of the field's type; of a list, of its items. */
function makeValue(random: Random, field: FieldModel, samples: Samples): Json {
  const { named } = field
  const stored = samples(field)
  // Not every text is a value of theirs.
  if (named.kind === 'scalar' && named.semantic !== undefined && stored.length > 0) return random.pick(stored)
  if (named.kind === 'enum') return random.pick(named.values).name
  if (stored.length > 0 && random.chance(0.7)) {
    const value = random.pick(stored)
    const item =
      field.list && Array.isArray(value) ? (value.length === 0 ? undefined : random.pick(value as Json[])) : value
    if (item !== undefined && item !== null) return respelled(random, named.kind === 'scalar' ? named.base : '', item)
  }
  const pool = named.kind === 'scalar' ? POOLS[named.base] : undefined
  if (pool === undefined) throw new Error(`There are no values for ${named.name}`)
  const picked = random.pick(pool.filter((value) => value !== null || named.name === 'JSON'))
  const type = field.read?.from === 'column' ? field.read.column_type : null
  if (named.kind === 'scalar' && named.base === 'ID') return fitting(random, picked, type)
  if (named.name === 'Email') return 'nobody@example.org'
  return picked === null ? {} : picked
}

/** An ID has to fit its column. */
function fitting(random: Random, picked: Json, type: string | null): Json {
  if (type === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (type !== null && /^int\d$/.test(type)) return random.pick(['0', '1', '2', 3, '999'])
  return picked
}

/** All items that a row has. */
function listSample(random: Random, field: FieldModel, samples: Samples): Json[] {
  const lists = samples(field).filter((value) => Array.isArray(value))
  return lists.length === 0 ? [] : (random.pick(lists) as readonly Json[]).filter((item) => item !== null)
}

/** The same value in another form. */
function respelled(random: Random, base: string, value: Json): Json {
  if (typeof value !== 'string' || random.chance(0.6)) return value
  switch (base) {
    case 'ID':
    case 'UUID':
      return /^[0-9a-f]{8}-/.test(value) ? value.toUpperCase() : value
    case 'Decimal':
      return value.includes('.') ? `${value}0` : `${value}.0`
    case 'DateTime':
      return value.replace('+00:00', random.pick(['Z', '', '-00:00']))
    case 'Time':
      return value.replace(/:00$/, '')
    default:
      return value
  }
}

function makeInt(random: Random, name: string): number {
  if (name === '_year') return random.pick([1970, 1969, 2024, 2023, 1, 9999, 0])
  if (name === '_month') return random.pick([1, 2, 3, 7, 12, 13])
  if (name === '_day') return random.pick([1, 2, 3, 7, 29, 31])
  if (name === '_dow') return random.below(8)
  return random.below(5)
}

function makeText(random: Random, operator: filterOperators.Operator, field: FieldModel, samples: Samples): Json {
  const queries = QUERIES[operator.name]
  if (queries !== undefined) return random.pick(queries)
  if (/regex$/.test(operator.name)) return random.pick(PATTERNS)
  if (operator.name === '_has_key') return random.pick(KEYS)
  if (operator.name.startsWith('_domain') || operator.name.startsWith('_local')) return 'example.org'
  const stored = random.chance(0.75) ? samples(field).filter((value) => typeof value === 'string') : []
  const letters = [...(stored.length === 0 ? String(random.pick(POOLS.String!)) : random.pick(stored))]
  const start = random.chance(0.5) ? 0 : random.below(letters.length + 1)
  const end = random.chance(0.5) ? letters.length : start + random.below(letters.length - start + 1)
  const cut = letters.slice(start, end)
  if (/like$/.test(operator.name)) return patternOf(random, cut)
  const text = cut.join('')
  return random.chance(0.2) ? (random.chance(0.5) ? text.toUpperCase() : text.toLowerCase()) : text
}

/** A LIKE pattern that has something to do with the text. */
function patternOf(random: Random, letters: readonly string[]): string {
  const middle = letters.map((letter) => {
    if (random.chance(0.15)) return '_'
    if (random.chance(0.1)) return '%'
    return /[\\%_]/.test(letter) || random.chance(0.1) ? `\\${letter}` : letter
  })
  return `${random.chance(0.4) ? '%' : ''}${middle.join('')}${random.chance(0.4) ? '%' : ''}`
}
