import type { Target } from '../../../contract/plan/stored-value.ts'
import { toText } from './operand.ts'

const NO_NUMBER = new Set(['NaN', 'Infinity', '-Infinity'])
const DATE = String.raw`(?!0000-)(\d{4,7})-(\d\d)-(\d\d)`
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?`
const ZONE = String.raw`(?:Z|[+-]\d\d(?::?\d\d){0,2})?`
const DAY_FORM = new RegExp(`^${DATE}(?: BC)?$`)
const INSTANT_FORM = new RegExp(`^${DATE}[T ]${TIME}${ZONE}(?: BC)?$`)
const TIME_FORM = new RegExp(`^${TIME}${ZONE}$`)
/** Column types that are less precise than the declared type. */
const VAGUE = new Set([null, 'text', 'unknown'])

/**
 * Tests whether a text from a client's cursor is a valid value of the sort key. The database must not receive an
 * invalid text, because its error would look like one about stored data.
 */
export function cursorText(text: string, { named, type }: Pick<Target, 'named' | 'type'>): boolean {
  if (text.includes('\0')) return false
  const own = VAGUE.has(type) ? (typeOfBase(named) ?? type) : type
  switch (own) {
    case 'numeric':
    case 'float4':
    case 'float8':
      return NO_NUMBER.has(text) || isOf(text, own)
    case 'date':
      return isInfinite(text) || isDay(DAY_FORM.exec(text))
    case 'timestamp':
    case 'timestamptz':
      return isInfinite(text) || isInstant(INSTANT_FORM.exec(text))
    case 'time':
    case 'timetz':
      return isTime(TIME_FORM.exec(text)?.slice(1))
    case 'bool':
      return text === 'true' || text === 'false' || text === '0' || text === '1'
    default:
      return isOf(text, own)
  }
}

/** Returns the SQL type of a declared scalar, for columns of unknown type. */
function typeOfBase(named: Target['named']): string | null {
  if (named?.kind !== 'scalar') return null
  switch (named.base) {
    case 'DateTime':
      return 'timestamptz'
    case 'Date':
      return 'date'
    case 'Time':
      return 'time'
    case 'Decimal':
    case 'Float':
      return 'numeric'
    default:
      return null
  }
}

function isOf(text: string, type: string | null): boolean {
  try {
    toText(text, null, type)
    return true
  } catch {
    return false
  }
}

function isInfinite(text: string): boolean {
  return text === 'infinity' || text === '-infinity'
}

function isDay(match: RegExpExecArray | null): boolean {
  if (match === null) return false
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  // The year before 1 is 1 BC, which was the first leap year.
  const count = match[0].endsWith(' BC') ? 1 - year : year
  const isLeap = count % 4 === 0 && (count % 100 !== 0 || count % 400 === 0)
  const last = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= last
}

function isInstant(match: RegExpExecArray | null): boolean {
  return isDay(match) && isTime(match?.slice(4))
}

function isTime(parts: readonly (string | undefined)[] | undefined): boolean {
  if (parts === undefined) return false
  const [hour, minute, second] = parts.map((part) => Number(part ?? 0)) as [number, number, number]
  // `24:00:00`, the end of the day, is a valid time and the greatest one.
  if (hour === 24) return minute === 0 && second === 0
  return hour < 24 && minute < 60 && second < 60
}
