import type { FieldModel } from '../../../core/doors/plugin.ts'
import { isPeriod, type PeriodField } from '../generate/group-fields.ts'
import type { FieldFunction, GroupNumber, GroupTerm, Having, Numbers, OrderTerm } from '../request.ts'
import { Token } from '../request.ts'
import type { Answer } from './answer.ts'
import type { ListOf, Lists } from './lists.ts'
import type { Truth } from './memory-operators.ts'
import { type Row, storedOf } from './rows.ts'
import { type Comparable, comparableOf, compare } from './values.ts'
import { momentText, wireText } from './wire.ts'

/** `part / of`, exactly; `null`: there is none. */
interface Exact {
  readonly digits: bigint
  readonly scale: number
  readonly of: bigint
}

interface Group {
  readonly rows: readonly Row[]
}

/** Numbers about rows that are read one by one: added and compared here, without the database's functions. */
export class NumbersReference {
  readonly #lists: Lists
  readonly #list: ListOf
  readonly #numbers: Numbers

  /** @param list the rows, without page and order */
  constructor(lists: Lists, list: ListOf, numbers: Numbers) {
    this.#lists = lists
    this.#list = { ...list, where: numbers.where?.value ?? null, orderBy: [], limit: null, offset: null }
    this.#numbers = numbers
  }

  async answer(): Promise<Answer> {
    const { groupBy } = this.#numbers
    if (groupBy === null) return this.#members({ rows: await this.#lists.rows(this.#list) })
    const groups = await this.#groups([...new Set(groupBy.value)])
    const kept: Group[] = []
    const { having, orderBy, limit, offset } = this.#numbers
    for (const group of groups)
      if (having === undefined || (await this.#holds(having.value, group)) === true) kept.push(group)
    const sorted = await this.#sorted(kept, orderBy?.value ?? [])
    const from = offset?.value ?? 0
    const page = sorted.slice(from, limit?.value == null ? undefined : from + limit.value)
    const answers: Answer[] = []
    for (const group of page) answers.push(await this.#members(group))
    return answers
  }

  /** In the order of their keys. */
  async #groups(keys: readonly FieldModel[]): Promise<readonly Group[]> {
    const plain = keys.filter((field) => !isPeriod(field))
    const rows = await this.#ordered(plain.map((field) => ({ field, direction: 'ASC_NULLS_LAST' })))
    const groups = new Map<string, Row[]>()
    for (const row of rows) {
      const key = JSON.stringify(keys.map((field) => this.#identity(field, row)))
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [row])
      else known.push(row)
    }
    const found = [...groups.values()].map((members) => ({ rows: members }))
    // Where no period is among the keys, the rows came in their order.
    if (plain.length === keys.length) return found
    return this.#sorted(
      found,
      keys.map((field) => ({ name: 'keys', field, direction: 'ASC_NULLS_LAST' })),
    )
  }

  #ordered(orderBy: readonly OrderTerm[]): Promise<readonly Row[]> {
    return this.#lists.rows({ ...this.#list, orderBy, descending: false })
  }

  #value(field: FieldModel, row: Row): Comparable | null {
    return comparableOf(field, storedOf(row, field, this.#list.source)) as Comparable | null
  }

  /** Equal for equal values. */
  #identity(field: FieldModel, row: Row): string | null {
    if (isPeriod(field)) return this.#period(field, row)
    const value = this.#value(field, row)
    if (value === null) return null
    if (value.kind === 'decimal') {
      let { digits, scale } = value
      while (scale > 0 && digits % 10n === 0n) [digits, scale] = [digits / 10n, scale - 1]
      return `${digits}e-${scale}`
    }
    return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))
  }

  /** The first day of the period, or the beginning of the hour. */
  #period({ base, period }: PeriodField, row: Row): string | null {
    const text = wireText(base, storedOf(row, base, this.#list.source))
    return text === 'null' ? null : startOf(period, text.slice(1, -1))
  }

  async #members(group: Group): Promise<Answer> {
    const { members, type, groupBy } = this.#numbers
    const shown = new Map<string, Answer>()
    for (const member of members) {
      if (shown.has(member.key)) continue
      if (!('fields' in member)) {
        const typename = `"${type.name}${groupBy === null ? 'Aggregate' : 'Group'}"`
        shown.set(member.key, member.name === 'count' ? String(group.rows.length) : typename)
      } else {
        const inner: [string, Answer][] = []
        for (const { key, field } of member.fields) inner.push([key, await this.#shown(member.name, field, group)])
        shown.set(member.key, { kind: 'object', members: inner })
      }
    }
    return { kind: 'object', members: [...shown] }
  }

  async #shown(name: FieldFunction | 'keys', field: FieldModel, group: Group): Promise<Answer> {
    const textOf = (row: Row | undefined): Answer => {
      if (row === undefined) return 'null'
      if (isPeriod(field)) return JSON.stringify(this.#period(field, row))
      const text = wireText(field, storedOf(row, field, this.#list.source))
      const value = this.#value(field, row)
      // Of equal decimals any may be shown.
      // What is computed is no document's own form of a time of day any more.
      if (value?.kind === 'text' && baseOf(field) === 'Time') return JSON.stringify(value.text)
      // The digits of a double have many forms.
      if (value?.kind === 'double') return { ...exactText(text), kind: 'number', of: 1n, quoted: false }
      return value?.kind === 'decimal' ? { ...value, kind: 'number', of: 1n, quoted: true } : text
    }
    if (name === 'keys') return textOf(group.rows[0])
    if (name === 'min' || name === 'max') return textOf(await this.#extreme(name, field, group))
    const number = await this.#number({ name, field }, group)
    if (number === null) return 'null'
    return name === 'countDistinct' ? String(number.digits) : { ...number, kind: 'number', quoted: true }
  }

  /** The first or the last that is not null, in the order in which a list has them. */
  async #extreme(name: 'min' | 'max', field: FieldModel, { rows }: Group): Promise<Row | undefined> {
    const own = new Set(rows)
    const all = await this.#ordered([{ field, direction: name === 'min' ? 'ASC_NULLS_LAST' : 'DESC_NULLS_LAST' }])
    return all.find((row) => own.has(row) && this.#value(field, row) !== null)
  }

  async #number(of: GroupNumber, group: Group): Promise<Exact | null> {
    const whole = (digits: bigint): Exact => ({ digits, scale: 0, of: 1n })
    if (of.field === null) return whole(BigInt(group.rows.length))
    const { name, field } = of
    if (name === 'countDistinct') {
      const known = new Set(group.rows.map((row) => this.#identity(field, row)))
      known.delete(null)
      return whole(BigInt(known.size))
    }
    if (name === 'min' || name === 'max') {
      const row = await this.#extreme(name, field, group)
      const value = row === undefined ? null : exactOf(this.#value(field, row), baseOf(field))
      return value === null ? null : { ...value, of: 1n }
    }
    const values = group.rows.flatMap((row) => exactOf(this.#value(field, row), baseOf(field)) ?? [])
    if (values.length === 0) return null
    const scale = Math.max(...values.map((value) => value.scale))
    const digits = values.reduce((sum, value) => sum + value.digits * 10n ** BigInt(scale - value.scale), 0n)
    return { digits, scale, of: name === 'avg' ? BigInt(values.length) : 1n }
  }

  async #holds(having: Having, group: Group): Promise<Truth> {
    if (having.kind === 'not') {
      const truth = await this.#holds(having.part, group)
      return truth === null ? null : !truth
    }
    if (having.kind !== 'test') {
      const truths: Truth[] = []
      for (const part of having.parts) truths.push(await this.#holds(part, group))
      const decisive = having.kind === 'or'
      return truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive
    }
    const number = await this.#number(having.of, group)
    if (number === null) return null
    const { operand } = having
    const text = operand instanceof Token ? operand.text : String(operand)
    const { name, field } = having.of
    const isTime = (name === 'min' || name === 'max') && ['Date', 'DateTime'].includes(baseOf(field))
    const other = isTime ? exactTime(text) : exactText(text)
    const order = compareExact(number, { ...other, of: 1n })
    switch (having.operator) {
      case '_eq':
        return order === 0
      case '_neq':
        return order !== 0
      case '_gt':
        return order > 0
      case '_gte':
        return order >= 0
      case '_lt':
        return order < 0
      case '_lte':
        return order <= 0
    }
  }

  async #sorted(groups: readonly Group[], terms: readonly GroupTerm[]): Promise<readonly Group[]> {
    const ranks: ReadonlyMap<Group, Exact | null>[] = []
    for (const term of terms) ranks.push(new Map(await this.#ranked(groups, term)))
    return [...groups].sort((a, b) => {
      for (const [index, { direction, name }] of terms.entries()) {
        const [way, , end] = direction.split('_')
        const [one, other] = [ranks[index]!.get(a)!, ranks[index]!.get(b)!]
        // A rank among keys has its direction, and its nulls, in it.
        const descends = way === 'DESC' && name !== 'keys'
        const nullsFirst = (end ?? (way === 'ASC' ? 'LAST' : 'FIRST')) === 'FIRST'
        if (one === null || other === null) {
          if (one !== other) return (one === null) === nullsFirst ? -1 : 1
          continue
        }
        const order = compareExact(one, other)
        if (order !== 0) return descends ? -order : order
      }
      return 0
    })
  }

  async #ranked(groups: readonly Group[], term: GroupTerm): Promise<(readonly [Group, Exact | null])[]> {
    const found: (readonly [Group, Exact | null])[] = []
    if (term.name !== 'keys') {
      for (const group of groups) found.push([group, await this.#number(term as GroupNumber, group)])
      return found
    }
    const { field, direction } = term
    if (isPeriod(field)) {
      const texts = [...new Set(groups.map(({ rows }) => this.#period(field, rows[0]!)))].sort((a, b) =>
        inOrder(a, b, direction),
      )
      const rank = (group: Group): bigint => BigInt(texts.indexOf(this.#period(field, group.rows[0]!)))
      return groups.map((group) => [group, { digits: rank(group), scale: 0, of: 1n }])
    }
    const places = new Map<string | null, number>()
    for (const row of await this.#ordered([{ field, direction }])) {
      const key = this.#identity(field, row)
      if (!places.has(key)) places.set(key, places.size)
    }
    return groups.map((group) => {
      const place = places.get(this.#identity(field, group.rows[0]!)) ?? 0
      return [group, { digits: BigInt(place), scale: 0, of: 1n }]
    })
  }
}

/** @param text a day, or a point in time in UTC */
function startOf(period: PeriodField['period'], text: string): string {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(0, 10)]
  switch (period) {
    case 'year':
      return `${year}-01-01`
    case 'quarter':
      return `${year}-${{ 0: '01', 1: '04', 2: '07', 3: '10' }[Math.floor((Number(month) - 1) / 3)]}-01`
    case 'month':
      return `${year}-${month}-01`
    case 'week': {
      const date = new Date(`${day}T00:00:00Z`)
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
      return date.toISOString().slice(0, 10)
    }
    case 'day':
      return day
    case 'hour':
      return `${text.slice(0, 13)}:00:00+00:00`
  }
}

function inOrder(a: string | null, b: string | null, direction: GroupTerm['direction']): number {
  const [way, , end = way === 'ASC' ? 'LAST' : 'FIRST'] = direction.split('_')
  if (a === null || b === null) return a === b ? 0 : (a === null) === (end === 'FIRST') ? -1 : 1
  return (a < b ? -1 : 1) * (way === 'ASC' ? 1 : -1)
}

function baseOf({ named }: FieldModel): string {
  return named.kind === 'scalar' ? named.base : ''
}

/** The digits of a day, or of a point in time in UTC: as numbers they sort as times do. */
function exactTime(text: string): Omit<Exact, 'of'> {
  const [, day = '', clock = '000000', fraction = ''] =
    /^(\d{8})(?:T(\d{6})(?:\.(\d+))?\+0000)?$/.exec(momentText(text).replaceAll(/[-:]/g, '')) ?? []
  return exactText(`${day}${clock}.${fraction}0`)
}

function exactOf(value: Comparable | null, base: string): Omit<Exact, 'of'> | null {
  if (value === null) return null
  if (value.kind === 'double') return exactText(String(value.double))
  if (value.kind === 'text' && (base === 'Date' || base === 'DateTime')) return exactTime(value.text)
  if (value.kind === 'integer') return { digits: value.integer, scale: 0 }
  if (value.kind === 'decimal') return value
  throw new Error(`${value.kind} is not added`)
}

/** @throws Error: that is no number */
export function exactText(text: string): Omit<Exact, 'of'> {
  const [, minus, whole = '', fraction = '', power = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole + fraction === '') throw new Error(`${text} is no number`)
  const digits = BigInt(whole + fraction) * (minus === '-' ? -1n : 1n)
  const scale = fraction.length - Number(power)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function compareExact(a: Exact, b: Exact): number {
  const order = compare(
    { kind: 'decimal', digits: a.digits * b.of, scale: a.scale },
    { kind: 'decimal', digits: b.digits * a.of, scale: b.scale },
  )
  return order
}

/** Is the text this number? Of a quotient, to sixteen places behind the point at least, without zeros at its end. */
export function isNumber(text: string, { digits, scale, of }: Exact): boolean {
  const found = exactText(text)
  if (of === 1n) return compareExact({ ...found, of: 1n }, { digits, scale, of }) === 0
  if (/\.\d*0$/.test(text)) return false
  // |found - digits / of| ≤ 0.5e-16, in whole numbers.
  const common = Math.max(found.scale, scale)
  const left = found.digits * 10n ** BigInt(common - found.scale) * of
  const right = digits * 10n ** BigInt(common - scale)
  const difference = left > right ? left - right : right - left
  return difference * 2n * 10n ** 16n <= of * 10n ** BigInt(common)
}
