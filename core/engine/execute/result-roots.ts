import type { LentText } from '../../base/util/lent-text.ts'
import { listInPart, type WrittenList } from '../../base/util/written-list.ts'
import type { Operation, RootSelection } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { ScalarType } from '../../schema/model.ts'
import { scalarOf } from '../../schema/scalars.ts'
import { skipSpace, skipString, skipValue } from '../json/json-text.ts'
import { countItems, type ListItems, skipItems } from '../json/list-items.ts'
import { argumentValue } from '../plan/context/plan-value.ts'

/** The JSON of one root field in the result of an operation. Its members are computed when they are read. */
export interface ResultRoot {
  /** Response key of the root field. */
  readonly key: string
  /** JSON text of the value, without the response key. */
  readonly text: string | LentText
  /**
   * Number of rows in a list or `{Type}List`, without the extra row that `lookAhead` reads; `null`: the value is not a
   * list.
   */
  readonly rows: number | null
  /**
   * JSON texts of the rows, separated by commas, for protocols that wrap rows in a format of their own; `null`: the
   * value is not a list.
   */
  readonly items: string | LentText | null
  /**
   * `true` if there are more rows than `limit`. It is determined only for root fields with `lookAhead`; otherwise it is
   * `false`.
   */
  readonly hasNext: boolean
  /** JSON text of `totalCount` in a `{Type}List`; `null` for other values. */
  readonly totalCount: string | null
}

/**
 * Splits the JSON of a result into its root fields, for protocols that send them separately.
 * @returns an empty list if the result has no data
 */
export function rootsOf({ template, variables }: Operation, result: Result): readonly ResultRoot[] {
  const whole = result.text ?? result.data
  if (whole === null) return []
  const only = template.roots.length === 1 ? template.roots[0]! : null
  const before = only === null ? '' : `{${JSON.stringify(only.responseKey)}:`
  if (only !== null) {
    // The length in bytes or characters, as the text measures it.
    const length = typeof whole === 'string' ? before.length : Buffer.byteLength(before)
    if (whole.length > length && String(cut(whole, 0, length)) === before) {
      return [new RootOfResult(only, variables, whole, result.list, length, whole.length - 1)]
    }
  }
  const text = scanned(whole)
  const byKey = new Map(template.roots.map((root) => [root.responseKey, root]))
  const roots: ResultRoot[] = []
  for (const { key, start, end } of membersOf(text, 0)) {
    const root = byKey.get(typeof whole === 'string' ? key : Buffer.from(key, 'latin1').toString('utf8'))
    if (root !== undefined) roots.push(new RootOfResult(root, variables, whole, result.list, start, end))
  }
  return roots
}

class RootOfResult implements ResultRoot {
  readonly key: string
  readonly text: string | LentText
  readonly #root: RootSelection
  readonly #variables: Operation['variables']
  readonly #written: WrittenList | null
  #list: FoundList | null | undefined

  /**
   * @param list positions of the list, if they were noted
   * @param start index of the root's value in `whole`
   * @param end index after it
   */
  constructor(
    root: RootSelection,
    variables: Operation['variables'],
    whole: string | LentText,
    list: WrittenList | undefined,
    start: number,
    end: number,
  ) {
    const text = cut(whole, start, end)
    this.key = root.responseKey
    this.text = text
    this.#root = root
    this.#variables = variables
    this.#written = typeof text === 'string' ? listInPart(list ?? null, start, end) : text.list
  }

  get rows(): number | null {
    return this.#found?.items.count ?? null
  }

  get hasNext(): boolean {
    return this.#found?.items.more ?? false
  }

  get items(): string | LentText | null {
    const found = this.#found
    return found === null ? null : cut(this.text, found.start, Math.max(found.start, found.items.end))
  }

  get totalCount(): string | null {
    return this.#found?.totalCount ?? null
  }

  get #found(): FoundList | null {
    this.#list ??=
      writtenList(this.#root, this.#most, this.#written) ?? findList(this.#root, this.#most, scanned(this.text))
    return this.#list
  }

  /** Requested number of rows. */
  get #most(): number {
    const root = this.#root
    if (root.kind !== 'operation' || root.lookAhead !== true) return Number.POSITIVE_INFINITY
    const limit = argumentValue(root.arguments, 'limit', this.#variables).sample
    return limit === null || limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  }
}

interface FoundList {
  /** Index after `[`. */
  readonly start: number
  readonly items: ListItems
  readonly totalCount: string | null
}

/** Finds a list by its noted positions. @returns `null`: they are unknown, and the text must be scanned */
function writtenList(root: RootSelection, most: number, list: WrittenList | null): FoundList | null {
  if (root.kind === 'operation' && root.selection?.kind === 'list') return null
  // One further row is that of `lookAhead`.
  if (list?.at !== 0 || list.count > most + 1) return null
  const more = list.count > most
  const items = { count: more ? most : list.count, end: more ? list.beforeLast : list.end, more }
  return { start: 1, items, totalCount: null }
}

function findList(root: RootSelection, most: number, text: string): FoundList | null {
  const wrapper = root.kind === 'operation' && root.selection?.kind === 'list' ? root.selection : null
  if (wrapper === null) return listAt(text, 0, most, null, betweenRows(root))
  const keyOf = (name: string): string | undefined => wrapper.fields.find(({ field }) => field === name)?.responseKey
  const members = new Map(membersOf(text, 0).map((member) => [member.key, member]))
  const list = members.get(keyOf('items') ?? '')
  const total = members.get(keyOf('totalCount') ?? '')
  const totalCount = total === undefined ? null : text.slice(total.start, total.end)
  return list === undefined ? null : listAt(text, list.start, most, totalCount, null)
}

function listAt(
  text: string,
  at: number,
  most: number,
  totalCount: string | null,
  between: string | null,
): FoundList | null {
  const quick = between === null || most === Number.POSITIVE_INFINITY ? null : skipItems(text, at, most, between)
  const items = quick ?? countItems(text, at, most)
  return items === null ? null : { start: skipSpace(text, skipSpace(text, at) + 1), items, totalCount }
}

const separators = new WeakMap<RootSelection, string | null>()

/** Returns a text that occurs between two rows of a root and nowhere else; `null`: there is no such text. */
function betweenRows(root: RootSelection): string | null {
  let between = separators.get(root)
  if (between === undefined) {
    between = findSeparator(root)
    separators.set(root, between)
  }
  return between
}

function findSeparator(root: RootSelection): string | null {
  if (root.kind !== 'operation' || root.selection?.kind !== 'object') return null
  const { fields } = root.selection
  const [first] = fields
  const isFlat = fields.every(
    (each) =>
      each.kind === 'field' &&
      each.selection === null &&
      (each.field.named.kind === 'enum' || (each.field.named.kind === 'scalar' && !mayHoldObjects(each.field.named))),
  )
  return first === undefined || !isFlat ? null : `},{${JSON.stringify(first.responseKey)}:`
}

function mayHoldObjects(scalar: ScalarType): boolean {
  return scalar.custom || scalarOf(scalar).wire === 'json'
}

interface FoundMember {
  readonly key: string
  readonly start: number
  readonly end: number
}

const COMMA = 44
const CLOSE = 125

function membersOf(text: string, at: number): readonly FoundMember[] {
  const members: FoundMember[] = []
  let next = skipSpace(text, skipSpace(text, at) + 1)
  while (next < text.length && text.charCodeAt(next) !== CLOSE) {
    const keyEnd = skipString(text, next)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = skipValue(text, start)
    members.push({ key: JSON.parse(text.slice(next, keyEnd)), start, end })
    next = skipSpace(text, end)
    if (text.charCodeAt(next) === COMMA) next = skipSpace(text, next + 1)
  }
  return members
}

/** Returns a string for scanning. Of lent bytes each character is one byte, so that indexes agree. */
function scanned(text: string | LentText): string {
  return typeof text === 'string' ? text : text.toBytes()
}

function cut(text: string | LentText, start: number, end: number): string | LentText {
  return typeof text === 'string' ? text.slice(start, end) : text.part(start, end)
}
