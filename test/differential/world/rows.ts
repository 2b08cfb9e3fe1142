import { Random } from '../random.ts'
import { type Json, Token } from '../request.ts'
import { TENANTS } from './callers.ts'

/** A value of a column, before it is written in the SQL of a database. */
export type Cell = null | boolean | number | string | readonly (string | null)[] | { readonly json: Json }
export type Cells = Readonly<Record<string, Cell>>

export interface WorldRows {
  readonly makers: readonly Cells[]
  readonly works: readonly Cells[]
  readonly parts: readonly Cells[]
  readonly slots: readonly Cells[]
  readonly cards: readonly Cells[]
  readonly entries: readonly Cells[]
  readonly bonds: readonly Cells[]
  readonly kept: readonly Cells[]
}

const WORDS = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'Ab',
  'aB',
  'b',
  'a_b',
  'a%b',
  '50%',
  '_',
  '%',
  'b\\c',
  '\\',
  "o'x",
  "''",
  '"q"',
  '$1',
  '?1',
  'é',
  'É',
  'éclair',
  'ÉCLAIR',
  'e\u0301',
  '日本',
  '日',
  '🦊',
  'a🦊b',
  '\uFF5E',
  'line\nbreak',
  'tab\tx',
  '\u0001',
  'null',
  'true',
  '{}',
  '{a,b}',
  '[1]',
  'x,y',
  'Zoë',
  'z',
  'the cat sat',
  'a dog and a cat',
  'Cats',
  '0',
  '10',
  '9',
  '-- x',
  '/*',
  ';',
  ':name',
  '@v',
  '\u2028',
  'ß',
  'Ω',
  'ω',
] as const
const INTS = [-2147483648, -7, -1, 0, 1, 2, 3, 3, 10, 100, 2147483647]
const BIGS = [
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '9007199254740992',
  '-1',
  '0',
  '1',
  '3',
]
const DECIMALS = [
  '0',
  '0.00',
  '1',
  '1.5',
  '1.50',
  '-1.5',
  '10',
  '9.99',
  '9.990',
  '-0.000001',
  '12.340',
  '100',
  '123456789012345678901234567890.123456789',
  '123456789012345678901234567890.12345679',
  '-99999999999999999999',
]
const FLOATS = [0, 0.1, 0.30000000000000004, 0.3, 1.5, -2.25, 3, 1e20, 1e-7, 1.7976931348623157e308, 5e-324, -1000000]
const REALS = [0, 0.1, 0.5, -2.25, 3, 16777216]
const DATES = [
  '1970-01-01',
  '1969-12-31',
  '2024-02-29',
  '2024-02-29',
  '2023-12-31',
  '2024-03-03',
  '0001-01-01',
  '9999-12-31',
  '2000-01-01',
]
const MOMENTS = [
  '2024-01-01T00:00:00+00:00',
  '2024-01-01T00:00:00.123456+00:00',
  '2024-01-01T00:00:00.1234+00:00',
  '2023-12-31T23:30:00-01:00',
  '2024-02-29 23:59:59.999999+00:00',
  '2024-02-29T12:00:00Z',
  '1969-12-31T23:59:59.5+00:00',
  '0001-01-01T00:00:00+00:00',
  '9999-12-31T23:59:59.999999+00:00',
  '2024-03-03T01:30:00+02:00',
  '2024-03-03T01:30:00+02:00',
  '2024-07-07T07:07:07.700+00:00',
]
const TIMES = ['00:00:00', '08:30:00', '08:30', '23:59:59.999999', '12:00:00.5', '12:00:00.500', '12:00:01']
const MOODS = ['calm', 'o\'d "d', 'angry']
const NOTES = ['a', 'A', '', 'null', 'é']
const KINDS = ['oil', 'ink', 'clay']
const JSONS: readonly Json[] = [
  {},
  [],
  'text',
  '',
  1,
  1.5,
  true,
  false,
  { a: 1 },
  { a: 1, b: [1, 2, { c: null }] },
  { b: [2, 1], a: 1 },
  { a: null },
  [1, 2],
  [2, 1],
  [1, 1],
  ['a', 'b'],
  [{ a: 1 }, { a: 2 }],
  { 'o\'x"': { '%': '_' } },
  { a: { b: { c: [] } } },
  'a',
  ['a'],
  { a: 'a' },
  { é: '🦊' },
  [[1], [2]],
  [null],
  {
    a: new Token('1.50'),
    b: new Token('12345678901234567890'),
  },
]

/** Rows that a seed decides: ties, nulls, texts with everything in them that some syntax gives a meaning. */
export function makeRows(seed: number): WorldRows {
  const random = new Random(seed)
  const maybe = <T extends Cell>(make: () => T): T | null => (random.chance(0.2) ? null : make())
  const from =
    <T extends Cell>(pool: readonly T[]) =>
    () =>
      random.pick(pool)
  const list =
    <T>(pool: readonly T[]) =>
    () =>
      Array.from({ length: random.below(4) }, () => String(random.pick(pool)))
  const word = from(WORDS)
  const scalars = (): Cells => ({
    alias: maybe(word),
    size: maybe(from(INTS)),
    big: maybe(from(BIGS)),
    score: maybe(from(DECIMALS)),
    ratio: maybe(from(FLOATS)),
    active: maybe(() => random.chance(0.5)),
    born: maybe(from(DATES)),
    seen: maybe(from(MOMENTS)),
    woke: maybe(from(TIMES)),
    code: maybe(() => uuid(0xc0de, random.below(6))),
    mood: maybe(from(MOODS)),
    tags: maybe(list(WORDS.slice(0, 24))),
    numbers: maybe(list(INTS)),
    prices: maybe(list(DECIMALS)),
    moments: maybe(list(MOMENTS)),
    moods: maybe(list(MOODS)),
    noted: maybe(() => Array.from({ length: random.below(4) }, () => (random.chance(0.3) ? null : random.pick(NOTES)))),
    extra: maybe(() => ({ json: random.pick(JSONS) })),
  })
  const makers = count(26, (n) => ({
    pk_maker: n,
    id: n % 3 === 0 ? uuid(1, n).toUpperCase() : uuid(1, n),
    name: word(),
    ...scalars(),
    weight: maybe(from(REALS)),
    made_at: maybe(() => random.pick(MOMENTS).replace(/Z$|[+-]\d\d:\d\d$/, '')),
    raw: maybe(() => ({ json: random.pick(JSONS) })),
    fk_mentor: n === 1 ? null : maybe(() => 1 + random.below(Math.min(n - 1, 8))),
  }))
  const works = count(40, (n) => ({
    pk_work: n,
    id: uuid(2, n),
    fk_maker: maybe(() => 1 + random.below(20)),
    title: word(),
    price: random.pick(DECIMALS.slice(0, 12)),
    year: random.pick([1999, 2000, 2000, 2024, -5]),
    sold: random.chance(0.4),
    added: random.pick(MOMENTS),
    kind: random.pick(KINDS),
    note: maybe(word),
  }))
  const parts = [...new Set([...WORDS, ...count(20, (n) => `p${n}`)])].map((id) => ({
    id,
    fk_work: 1 + random.below(30),
    rank: random.below(4),
    label: maybe(word),
  }))
  const cards = count(24, (n) => ({
    pk_card: n,
    id: uuid(3, n),
    fk_maker: maybe(() => 1 + random.below(26)),
    data: { json: document(random, word(), scalars()) },
  }))
  const entries = count(36, (n) => ({
    pk_entry: n,
    id: uuid(4, n),
    tenant: random.pick(TENANTS),
    level: maybe(() => random.below(5)),
    fk_maker: maybe(() => 1 + random.below(12)),
    fk_entry: n === 1 ? null : maybe(() => 1 + random.below(Math.min(n - 1, 9))),
    title: word(),
    hidden: random.chance(0.3),
  }))
  // Last, so that a seed makes the rows of the others that it made before.
  const places = count(30, (shelf) => shelf).flatMap((shelf) =>
    [0, 1, 2, 3].filter(() => random.chance(0.7)).map((place) => ({ shelf, place })),
  )
  const slots = places.map((slot, n) => {
    const over = random.chance(0.3) ? null : random.pick(places)
    const half = random.chance(0.5) ? 1 : null
    const above = { over_shelf: over === null ? half : over.shelf, over_place: over === null ? null : over.place }
    return { ...slot, id: uuid(5, n), label: maybe(word), ...above }
  })
  const bonds = count(60, () => ({ fk_one: maybe(() => random.below(12)), fk_other: maybe(() => random.below(30)) }))
  const kept = count(40, () => {
    const { shelf, place } = random.pick(places)
    return { fk_work: maybe(() => 1 + random.below(42)), at_shelf: shelf, at_place: maybe(() => place) }
  })
  return { makers, works, parts, slots, cards, entries, bonds, kept }
}

/** A document: what is null is not there, or is null in JSON. */
function document(random: Random, label: string, scalars: Cells): Json {
  const entries: [string, Json][] = [['label', label]]
  for (const [key, cell] of Object.entries(scalars)) {
    if (cell !== null) entries.push([key, inDocument(random, key, cell)])
    else if (random.chance(0.5)) entries.push([key, null])
  }
  const home = (): Json => ({
    city: random.pick(WORDS),
    ...(random.chance(0.7) ? { zip: random.pick(INTS) } : {}),
    since: random.chance(0.3) ? null : random.pick(DATES),
    tags: random.chance(0.3) ? null : random.some(WORDS, random.below(3)),
  })
  if (random.chance(0.7)) entries.push(['home', home()])
  else if (random.chance(0.5)) entries.push(['home', null])
  if (random.chance(0.8)) {
    const steps = Array.from(
      { length: random.below(4) },
      (): Json => ({
        rank: random.below(4),
        ...(random.chance(0.8) ? { text: random.pick(WORDS) } : {}),
        cost: random.chance(0.3) ? null : new Token(random.pick(DECIMALS)),
        at: random.chance(0.3) ? null : random.pick(MOMENTS),
        ...(random.chance(0.5) ? { place: home() } : {}),
      }),
    )
    entries.push(['steps', steps])
  }
  return Object.fromEntries(entries)
}

function inDocument(random: Random, key: string, cell: Exclude<Cell, null>): Json {
  if (typeof cell === 'object' && 'json' in cell) return cell.json
  if (key === 'big' || key === 'score') return random.chance(0.7) ? new Token(String(cell)) : String(cell)
  if (key === 'woke') return String(cell).length === 5 ? `${cell}:00` : String(cell)
  if (key === 'numbers' || key === 'prices') return (cell as readonly string[]).map((text) => new Token(text))
  return cell as Json
}

function count<T>(many: number, make: (n: number) => T): T[] {
  return Array.from({ length: many }, (_, index) => make(index + 1))
}

function uuid(family: number, n: number): string {
  const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0')
  return `${hex(family * 0xabc + n, 8)}-00ab-4000-8000-${hex(n, 12)}`
}
